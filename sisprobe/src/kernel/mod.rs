//! What this kernel offers: the only reader of /proc, /sys and vmlinux.
//!
//! Everything is read under a [`Root`], so a folder captured from another machine can stand in
//! for the running one. "Could not tell" is an answer of its own: see [`Answer`].

pub mod answer;
mod boot;
pub mod btf;
pub mod build_id;
pub mod config;
pub mod cpulist;
pub mod debuginfo;
pub mod distribution;
pub mod facts;
pub mod features;
pub mod lockdown;
pub mod privileges;
pub mod profile;
mod read;
pub mod root;
pub mod sched_ext;
pub mod switches;
pub mod symbols;
pub mod topology;
pub mod tracing;

#[cfg(test)]
pub(crate) mod fixture;

pub use answer::Answer;
pub use boot::boot_command_line;
pub use btf::Btf;
pub use build_id::BuildId;
pub use config::KernelConfig;
pub use cpulist::CpuSet;
pub use debuginfo::{InlineFacts, InlineSource, InlinedCopy, Vmlinux};
pub use facts::{Facts, FactsError, Sources};
pub use features::{Feature, Features};
pub use lockdown::Lockdown;
pub use privileges::{Capability, Privileges};
pub use profile::Profile;
pub use root::Root;
pub use sched_ext::SchedExt;
pub use switches::Switches;
pub use symbols::{Symbol, SymbolKind, Symbols};
pub use topology::{Llc, Topology};
pub use tracing::Tracing;
