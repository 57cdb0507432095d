//! Captures whose series are passed over as they are read.

use serde::{Deserialize, Deserializer, de::IgnoredAny};

use super::{Capture, Run};

/// Takes the place of whatever there is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped;

impl<'de> Deserialize<'de> for Skipped {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(reader).map(|_| Self)
    }
}

impl From<Capture<Skipped>> for Capture {
    fn from(capture: Capture<Skipped>) -> Self {
        Self {
            sisprobe: capture.sisprobe,
            machine: capture.machine,
            probes: capture.probes,
            command: capture.command,
            labels: capture.labels,
            cell: capture.cell,
            planned_runs: capture.planned_runs,
            warmup_runs: capture.warmup_runs,
            runs: capture.runs.into_iter().map(Run::from).collect(),
        }
    }
}

impl From<Run<Skipped>> for Run {
    fn from(run: Run<Skipped>) -> Self {
        Self {
            began: run.began,
            wall_time: run.wall_time,
            exit: run.exit,
            report: run.report,
            series: Vec::new(),
            metrics: run.metrics,
        }
    }
}
