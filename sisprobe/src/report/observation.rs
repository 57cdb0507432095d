//! What a daemon knows at one moment: the report, and what is told of sisprobe itself.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde::Serialize;

use super::Report;
use crate::plan::Plan;

/// A report with what belongs to it.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Everything counted so far.
    pub report: Report,
    /// What is attached. All of it is, or there is no observation.
    pub plan: Arc<Plan>,
    /// CPUs that this kernel can ever have, at least 1: no search looks at more.
    pub possible_cpus: u32,
    /// The probes, by name, that a switch of the kernel has disarmed.
    pub disarmed: Vec<String>,
    /// What the programs cost; none where it is not counted.
    pub runs: Option<Vec<ProgramRuns>>,
    /// When the probes were enabled.
    pub began: SystemTime,
    /// When the report was made.
    pub taken: SystemTime,
    /// How long it took to make it.
    pub took: Duration,
}

/// How often a program ran, and for how long, since the kernel counts that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProgramRuns {
    /// Its name in the eBPF object.
    pub program: String,
    /// Runs.
    pub count: u64,
    /// Their time together, in ns.
    pub nanoseconds: u64,
}
