//! The neutral result: what every output shows, in numbers and words of its own, with no
//! formatting.

mod column;
mod efficiency;
mod figures;
mod group_by;
mod joined;
pub mod metrics;
mod misses;
mod observation;
mod since;
mod state;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sisprobe_common::slot::Outcome;

use crate::{
    histogram::{self, Histogram},
    kernel::CpuSet,
    plan::{AttachMethod, CoreTiming, Fidelity},
    policy::ActivePolicy,
};

pub use column::{Column, Totals};
pub use efficiency::Efficiency;
pub use group_by::GroupBy;
pub use misses::Misses;
pub use observation::{Observation, ProgramRuns};
pub use state::{LlcSaid, Predicted, Prediction, Spread, State};

/// Everything known at one moment, counted since the probes were enabled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// How and on what it was measured.
    pub source: Source,
    /// Seconds since the probes were enabled.
    pub elapsed: f64,
    /// In the order in which they are to be shown. No wake-up is in two of them.
    pub groups: Vec<Group>,
    /// What was missed or lost.
    pub health: Health,
}

/// How and on what it was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// `uname -r`.
    pub release: String,
    /// The kernel's GNU build id, in hex, where it is known.
    pub build_id: Option<String>,
    /// How closely the probes enclose the search.
    pub fidelity: Fidelity,
    /// Which attach points carry the programs.
    pub attach: AttachMethod,
    /// Where the inlined search was found: a debug file or a profile.
    pub inlined_from: Option<String>,
    /// How `select_idle_core` calls are timed; none where they are not.
    pub core_timing: Option<CoreTiming>,
    /// The scheduler features that are on, of those that bound the search (`SIS_UTIL`, …);
    /// none where sched/features could not be read.
    pub sis_features: Option<Vec<String>>,
    /// The policy that bounds the search now.
    pub policy: ActivePolicy,
    /// What the figures are put together by.
    pub group_by: GroupBy,
    /// CPUs of a shard; none where the groups are no shards.
    pub shard_size: Option<u32>,
    /// What a reader must know before trusting the figures (sched_ext active, …).
    pub warnings: Vec<String>,
}

/// The figures of one group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Group {
    /// What tells it from all others of the run, whatever CPUs go and come: `LLC 0`, `CPU 12`,
    /// `core 3`, `node 1`, `system`, `LLC 0 shard 2`; `LLC 0, from other LLCs`; `LLC ?`.
    pub name: String,
    /// What its figures are of.
    pub kind: GroupKind,
    /// The number of the LLC that it is, or lies in; none for a node, the system and `LLC ?`.
    pub llc: Option<u32>,
    /// The online CPUs that it is made of. Each is in one group at most.
    pub cpus: CpuSet,
    /// How many those are.
    pub size: u32,
    /// What was counted.
    pub figures: Figures,
    /// Its CPUs at the moment of the report; none where they could not be looked at.
    pub state: Option<State>,
    /// What policies say of that state; for an LLC only.
    pub predictions: Vec<Prediction>,
}

/// What the figures of a group are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GroupKind {
    /// CPUs. Where they are no whole LLCs: the wake-ups that ran on them and stayed in their LLC.
    Cpus,
    /// The wake-ups that came to an LLC from a CPU outside of it, where the groups are parts of
    /// LLCs: they are counted for the LLC as a whole.
    FromOtherLlcs,
    /// The wake-ups that left for a CPU whose LLC was not known.
    Unknown,
}

/// What is counted for a group. Everything only grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Figures {
    /// Wake-ups that came through `select_task_rq_fair`.
    pub wakeups: u64,
    /// New tasks that came through it.
    pub forks: u64,
    /// `execve` balancing that came through it.
    pub execs: u64,
    /// Searches by outcome; all 0 with fidelity `bracketed`.
    pub outcomes: BTreeMap<OutcomeName, u64>,
    /// Searches that began while the LLC claimed to have idle cores.
    pub idle_cores_claimed: u64,
    /// Linear scans that looked at as many CPUs as the active policy allowed, and at least one.
    pub at_limit: u64,
    /// Linear scans that found a CPU before they had looked at so many.
    pub before_limit: u64,
    /// Searches that looked at more CPUs than the active policy allowed: next to none, or
    /// something here is not as sisprobe takes it to be.
    pub over_limit: u64,
    /// Time of each search (with `bracketed`: of each wake-up), ns.
    #[serde(deserialize_with = "histogram::durations")]
    pub duration: Histogram,
    /// CPUs that each search (with `bracketed`: each wake-up) looked at.
    #[serde(deserialize_with = "histogram::counts")]
    pub scanned: Histogram,
    /// How many CPUs the active policy let a linear scan look at as each search began.
    #[serde(deserialize_with = "histogram::counts")]
    pub limit: Histogram,
    /// Time of each `select_idle_core` call, ns.
    #[serde(deserialize_with = "histogram::durations")]
    pub core_duration: Histogram,
}

/// [`Outcome`] with the names that outputs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeName {
    /// See [`Outcome::IdleCore`].
    IdleCore,
    /// See [`Outcome::IdleCpu`].
    IdleCpu,
    /// See [`Outcome::BudgetExhausted`].
    BudgetExhausted,
    /// See [`Outcome::DomainExhausted`].
    DomainExhausted,
    /// See [`Outcome::Skipped`].
    Skipped,
}

impl OutcomeName {
    /// As in JSON and in the metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IdleCore => "idle_core",
            Self::IdleCpu => "idle_cpu",
            Self::BudgetExhausted => "budget_exhausted",
            Self::DomainExhausted => "domain_exhausted",
            Self::Skipped => "skipped",
        }
    }
}

impl From<Outcome> for OutcomeName {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::IdleCore => Self::IdleCore,
            Outcome::IdleCpu => Self::IdleCpu,
            Outcome::BudgetExhausted => Self::BudgetExhausted,
            Outcome::DomainExhausted => Self::DomainExhausted,
            Outcome::Skipped => Self::Skipped,
        }
    }
}

/// What was missed or lost, over all CPUs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Health {
    /// The probes, in the order of attachment.
    pub probes: Vec<ProbeHealth>,
    /// Entries of `select_task_rq_fair` whose return was never seen.
    pub unmatched_entries: u64,
    /// Returns whose entry was never seen.
    pub unmatched_exits: u64,
    /// Searches that began outside a wake-up.
    pub searches_outside: u64,
    /// `select_idle_core` calls whose times did not fit into one search's record.
    pub core_calls_dropped: u64,
}

/// One attached probe. A figure that this kernel does not tell is none, never 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProbeHealth {
    /// Where it is attached: `fexit:select_task_rq_fair`, `kprobe:select_task_rq_fair+0x545`.
    pub name: String,
    /// Times the kernel did not run the program because BPF code already ran on that CPU.
    pub recursion_misses: Option<u64>,
    /// Times the kernel probe itself was missed (`nmissed`).
    pub probe_misses: Option<u64>,
}
