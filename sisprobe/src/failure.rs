//! Why the command failed, and the exit status that says so.

use std::io;

use thiserror::Error;

use crate::{daemon::WebConfigError, measure::MeasureError, plan::PlanError, probe::ProbeError};

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
    /// A command could not be run: exit status as that of a shell.
    #[error("{text}")]
    Command {
        /// What was tried, and what the system answered.
        text: String,
        /// 127 where there is no such program, 126 where it cannot be started.
        status: u8,
    },
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
            Self::Command { status, .. } => *status,
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

impl From<WebConfigError> for Failure {
    fn from(error: WebConfigError) -> Self {
        Self::Usage(format!("--web.config.file: {error}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_documented_status() {
        let text = String::new;
        let statuses = [
            Failure::Other(text()),
            Failure::Usage(text()),
            Failure::NotPermitted(text()),
            Failure::Unsupported(text()),
            Failure::Refused(text()),
            Failure::Bypassed(text()),
        ]
        .map(|failure| failure.status());
        assert_eq!(statuses, [1, 2, 3, 4, 5, 6]);
        let cli = include_str!("../../docs/cli.md");
        for status in statuses {
            assert!(cli.contains(&format!("\n| {status} | ")), "status {status}");
        }
    }

    #[test]
    fn plans_that_fail() {
        let (what, why, remedy) = ("w".to_owned(), "y".to_owned(), "r".to_owned());
        for (error, status) in [
            (PlanError::NotPermitted(why.clone()), 3),
            (
                PlanError::Hidden {
                    what: what.clone(),
                    why: why.clone(),
                    remedy: remedy.clone(),
                },
                3,
            ),
            (
                PlanError::Missing {
                    what,
                    why: why.clone(),
                    remedy: remedy.clone(),
                },
                4,
            ),
            (
                PlanError::Request {
                    option: "attach",
                    value: "kprobe".into(),
                    why,
                    remedy,
                },
                4,
            ),
            (
                PlanError::Bypassed {
                    scheduler: "s".into(),
                    state: "enabled".into(),
                },
                6,
            ),
        ] {
            assert_carried_over(error.clone(), &error.to_string(), status);
            assert_carried_over(
                MeasureError::from(error.clone()),
                &error.to_string(),
                status,
            );
        }
    }

    #[test]
    fn probes_that_fail() {
        let errors: [(fn() -> ProbeError, u8); 6] = [
            (
                || ProbeError::NotPermitted {
                    what: "load".into(),
                    error: io::Error::from_raw_os_error(libc::EPERM),
                },
                3,
            ),
            (
                || ProbeError::Refused {
                    what: "load".into(),
                    error: "no".into(),
                },
                5,
            ),
            (|| ProbeError::Btf("none".into()), 4),
            (
                || ProbeError::NoLink {
                    probe: "kprobe:f".into(),
                    error: "no".into(),
                },
                4,
            ),
            (|| ProbeError::Object("f"), 1),
            (
                || ProbeError::Mmap {
                    map: "HOME",
                    error: io::Error::from_raw_os_error(libc::ENOMEM),
                },
                1,
            ),
        ];
        for (error, status) in errors {
            assert_carried_over(error(), &error().to_string(), status);
            assert_carried_over(MeasureError::from(error()), &error().to_string(), status);
        }
    }

    #[test]
    fn a_machine_whose_cpus_are_not_known() {
        let error = || MeasureError::Topology("no sysfs".into());
        assert_carried_over(error(), &error().to_string(), 4);
    }

    #[test]
    fn output_that_cannot_be_written() {
        let failure = Failure::output(&io::Error::from_raw_os_error(libc::ENOSPC));
        assert_eq!(failure.status(), 1);
        assert!(failure.to_string().contains("No space left"), "{failure}");
    }

    /// The failure must have `status` and the error's own words.
    #[track_caller]
    fn assert_carried_over(error: impl Into<Failure>, text: &str, status: u8) {
        let failure = error.into();
        assert_eq!(failure.status(), status, "{failure}");
        assert_eq!(failure.to_string(), text);
        assert!(!text.is_empty());
    }
}
