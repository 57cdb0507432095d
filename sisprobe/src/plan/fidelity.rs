//! How sisprobe knows what it tells.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How closely the probes enclose the search. Stands in every output.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fidelity {
    /// Neither entry nor return of the search can be seen: time and CPUs looked at are those of
    /// the whole of `select_task_rq_fair`.
    Bracketed,
    /// From the address where the inlined body of `select_idle_cpu` begins to the return of
    /// `select_task_rq_fair`.
    Inlined,
    /// From the entry to the return of `select_idle_cpu`.
    Exact,
}

/// Which of the kernel's attach points carry the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttachMethod {
    /// BPF trampolines: `fentry` and `fexit`.
    Fentry,
    /// Kernel probes: `kprobe` and `kretprobe`.
    Kprobe,
}

/// How `select_idle_core` calls are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CoreTiming {
    /// From its entry to its return.
    Exact,
    /// From the address where its inlined body begins to the next such address or the end of
    /// the search, so a call's time includes the step to the next core.
    Inlined,
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bracketed => "bracketed",
            Self::Inlined => "inlined",
            Self::Exact => "exact",
        })
    }
}

impl fmt::Display for AttachMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fentry => "fentry",
            Self::Kprobe => "kprobe",
        })
    }
}
