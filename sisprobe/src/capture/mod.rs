//! What was measured around runs of a command, as it stands in a capture file.

mod file;
mod machine;
mod names;
mod runs;
#[cfg(test)]
pub(crate) mod sample;
mod series;
mod skipped;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::{
    file::{CaptureError, SCHEMA_VERSION, parse, read, read_without_series, text, to_json, write},
    machine::Machine,
    names::{names, stem},
    runs::{NoRun, OfRuns},
    series::{Look, Recorder, Series},
};
use crate::{bench::Metric, plan::Rejected, report::Report};

/// Runs of one command, or spans of time, on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Capture<S = Vec<Series>> {
    /// The version of the sisprobe that wrote it.
    pub sisprobe: String,
    /// On what it was measured.
    pub machine: Machine,
    /// How it was measured.
    pub probes: Probes,
    /// The command and its arguments; empty where a span of time was measured.
    pub command: Vec<String>,
    /// What the user says of it.
    pub labels: BTreeMap<String, String>,
    /// What makes it one cell of an A/B matrix; none outside of one.
    pub cell: Option<Cell>,
    /// How many runs there were to be.
    pub planned_runs: u32,
    /// How many runs came before those, of which nothing is kept.
    pub warmup_runs: u32,
    /// In the order of time; fewer than planned where it was aborted.
    pub runs: Vec<Run<S>>,
}

/// How it was measured; fidelity and attach method are in each run's report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Probes {
    /// The probes by name, as `fexit:select_task_rq_fair`.
    pub attached: Vec<String>,
    /// Better ways, and what stood against each.
    pub rejected: Vec<Rejected>,
}

/// A cell of an A/B matrix: a setting under a load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cell {
    /// The setting's name.
    pub setting: String,
    /// The scheduler features that it asks for, `NO_` before those to be off.
    pub features: Vec<String>,
    /// Tasks in percent of the online CPUs; none where the matrix has no loads.
    pub load: Option<u32>,
    /// What the order of the runs was drawn by.
    pub seed: u64,
}

/// One run of the command, or one span of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run<S = Vec<Series>> {
    /// When it began: RFC 3339, UTC.
    pub began: String,
    /// From the command's start to its end, in seconds.
    pub wall_time: f64,
    /// How the command ended; none without a command.
    pub exit: Option<Exit>,
    /// What was counted in this run, from just before it to just after; the states are those at
    /// its end.
    pub report: Report,
    /// Each group over time.
    pub series: S,
    /// What the benchmark said of itself.
    pub metrics: Vec<Metric>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// With this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// Whether all was well.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Status(0))
    }

    /// The status that a shell would tell of it, 0 to 255: 128 and the signal's number where a
    /// signal ended it.
    pub fn code(self) -> u8 {
        let code = match self {
            Self::Status(status) => status,
            Self::Signal(signal) => 128_i32.saturating_add(signal),
        };
        u8::try_from(code).unwrap_or(255)
    }
}

impl Run {
    /// Whether its figures stand for the command: it ended well, or there was none.
    pub fn counts(&self) -> bool {
        self.exit.is_none_or(Exit::is_success)
    }
}
