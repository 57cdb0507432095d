//! (facts, request) → plan: which probes, at which fidelity, and why not better ones. Pure.

mod fidelity;
mod probe;

pub use fidelity::{AttachMethod, CoreTiming, Fidelity};
pub use probe::{Probe, ProbeKind};
