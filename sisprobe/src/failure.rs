//! Why the command failed, and the exit status that says so.

use std::io;

use thiserror::Error;

use crate::{measure::MeasureError, plan::PlanError, probe::ProbeError};

/// Why the command failed. Each kind has its exit status, documented in docs/cli.md.
#[derive(Debug, Error)]
pub enum Failure {
    /// Anything else: a file that cannot be written, a terminal that went away. Exit status 1.
    #[error("{0}")]
    Other(String),
    /// Wrong arguments: an unknown LLC, a bad range, a file of another kernel. Exit status 2, as
    /// for what the command line parser refuses.
    #[error("{0}")]
    Usage(String),
    /// This process may not do it: privileges, lockdown, hidden symbols. Exit status 3.
    #[error("{0}")]
    NotPermitted(String),
    /// This kernel lacks something that is needed. Exit status 4.
    #[error("{0}")]
    Unsupported(String),
    /// The kernel refused a program or probe that it should have taken. Exit status 5.
    #[error("{0}")]
    Refused(String),
    /// A BPF scheduler has all tasks, so there is nothing to measure. Exit status 6.
    #[error("{0}")]
    Bypassed(String),
}

impl Failure {
    /// The exit status.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Other(_) => 1,
            Self::Usage(_) => 2,
            Self::NotPermitted(_) => 3,
            Self::Unsupported(_) => 4,
            Self::Refused(_) => 5,
            Self::Bypassed(_) => 6,
        }
    }

    /// Writing the output failed.
    pub fn output(error: &io::Error) -> Self {
        Self::Other(format!(
            "tried to write the output; the answer was: {error}"
        ))
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let text = error.to_string();
        match error {
            PlanError::Hidden { .. } | PlanError::NotPermitted(_) => Self::NotPermitted(text),
            PlanError::Bypassed { .. } => Self::Bypassed(text),
            PlanError::Missing { .. } | PlanError::Request { .. } => Self::Unsupported(text),
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Self {
        let text = error.to_string();
        match error {
            ProbeError::NotPermitted { .. } => Self::NotPermitted(text),
            ProbeError::Refused { .. } => Self::Refused(text),
            ProbeError::Btf(_) | ProbeError::NoLink { .. } => Self::Unsupported(text),
            ProbeError::Object(_) | ProbeError::Mmap { .. } => Self::Other(text),
        }
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::Plan(error) => error.into(),
            MeasureError::Probe(error) => error.into(),
            MeasureError::Topology(_) => Self::Unsupported(error.to_string()),
        }
    }
}
