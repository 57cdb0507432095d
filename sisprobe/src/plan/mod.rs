//! (facts, request) → plan: which probes, at which fidelity, and why not better ones. Pure.

mod active;
mod attach;
mod choose;
mod core_calls;
mod error;
mod fidelity;
mod layout;
mod permit;
mod probe;
mod search;
mod sites;

use serde::{Deserialize, Serialize};

pub use active::active;
pub use choose::choose;
pub use error::PlanError;
pub use fidelity::{AttachMethod, CoreTiming, Fidelity};
pub use layout::{layout, load_layout};
pub use permit::permitted;
pub use probe::{Probe, ProbeKind};

/// The function that every wake-up of the fair class comes through (kernel/sched/fair.c).
pub const WAKEUP: &str = "select_task_rq_fair";
/// The search of the LLC domain (kernel/sched/fair.c).
pub const SEARCH: &str = "select_idle_cpu";
/// The look at one core (kernel/sched/fair.c).
pub const CORE: &str = "select_idle_core";
/// The look at one CPU (kernel/sched/syscalls.c; up to 6.10 core.c).
pub const LOOK: &str = "available_idle_cpu";

/// [`Rejected::what`] where fentry could not be used.
pub const FENTRY: &str = "attach fentry";
/// [`Rejected::what`] where the inlined search could not be found.
pub const INLINED: &str = "fidelity inlined";

/// What the user insists on; none means the best that this kernel allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Which attach points must carry the programs.
    pub attach: Option<AttachMethod>,
    /// How closely the probes must enclose the search.
    pub fidelity: Option<Fidelity>,
}

/// Which probes, at which fidelity, and why not better ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// How closely the probes enclose the search.
    pub fidelity: Fidelity,
    /// Which attach points carry the programs; an inlined search is entered by kprobe in any case.
    pub attach: AttachMethod,
    /// The probes, in the order in which they are to be attached: what ends a wake-up before
    /// what begins it.
    pub probes: Vec<Probe>,
    /// How `select_idle_core` calls are timed; none where they are not.
    pub core_timing: Option<CoreTiming>,
    /// Where the inlined search was found.
    pub inlined_from: Option<String>,
    /// Better ways, and what stands against each.
    pub rejected: Vec<Rejected>,
}

/// A better way that this kernel, or what is known of it, does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rejected {
    /// What would have been better: `fidelity exact`, `attach fentry`, …
    pub what: String,
    /// What stands against it.
    pub why: String,
    /// What to install or run for it, where something helps.
    pub remedy: Option<String>,
}

#[cfg(test)]
mod tests;
