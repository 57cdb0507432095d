//! What the kernel side counts. Each CPU has a home slot for the wake-ups that stay in its own
//! LLC, which it alone writes; each LLC has an away slot for those that came from another LLC,
//! which any CPU may write, atomically.

use crate::{Plain, bucket};

/// How one search of the LLC domain ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// `select_idle_core` found a core with all its siblings idle.
    IdleCore = 0,
    /// An idle CPU was found, but no idle core.
    IdleCpu = 1,
    /// Nothing was found, and CPUs that the task may use were left unlooked at.
    BudgetExhausted = 2,
    /// Nothing was found among all CPUs that the task may use.
    DomainExhausted = 3,
    /// The policy ended the search before it looked at any CPU.
    Skipped = 4,
}

impl Outcome {
    /// All outcomes, in the order of [`Slot::outcomes`].
    pub const ALL: [Self; 5] = [
        Self::IdleCore,
        Self::IdleCpu,
        Self::BudgetExhausted,
        Self::DomainExhausted,
        Self::Skipped,
    ];
}

/// Bucket counts and the exact sum of the values they count.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Buckets<const N: usize> {
    /// The exact sum of all values.
    pub sum: u64,
    /// Values by bucket, see [`bucket::Scheme::index`].
    pub counts: [u64; N],
}

/// A histogram of [`bucket::DURATION`].
pub type Durations = Buckets<{ bucket::DURATION.len() }>;
/// A histogram of [`bucket::COUNT`].
pub type Counts = Buckets<{ bucket::COUNT.len() }>;

/// All that is counted for one CPU's own LLC, or for one LLC's visitors.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slot {
    /// Wake-ups that came through `select_task_rq_fair`.
    pub wakeups: u64,
    /// New tasks that came through it (`WF_FORK`).
    pub forks: u64,
    /// `execve` balancing that came through it (`WF_EXEC`).
    pub execs: u64,
    /// Searches by [`Outcome`]. With fidelity `bracketed` all are 0: nothing tells a search.
    pub outcomes: [u64; Outcome::ALL.len()],
    /// Searches that began while the LLC claimed to have idle cores (`has_idle_cores`).
    pub idle_cores_claimed: u64,
    /// Linear scans that looked at as many CPUs as the active policy allowed, and at least one.
    pub at_limit: u64,
    /// Linear scans that found a CPU before they had looked at so many.
    pub before_limit: u64,
    /// Searches that looked at more CPUs than the active policy allowed.
    pub over_limit: u64,
    /// Time of each search in ns; with fidelity `bracketed`, of each `select_task_rq_fair`.
    pub duration: Durations,
    /// CPUs that each search looked at; with fidelity `bracketed`, each `select_task_rq_fair`.
    pub scanned: Counts,
    /// How many CPUs the active policy let a linear scan look at as each search began.
    pub limit: Counts,
    /// Time of each `select_idle_core` call in ns.
    pub core_duration: Durations,
}

// SAFETY: `repr(C)`, u64 and arrays of u64 only, so no padding.
unsafe impl Plain for Slot {}
