//! What can go wrong between the plan and attached probes.

use std::io;

use aya::{EbpfError, maps::MapError, programs::ProgramError, sys::SyscallError};
use thiserror::Error;

use crate::plan::Probe;

/// Lines of the verifier's log that are worth showing: its verdict stands at the end.
const LOG_LINES: usize = 12;

/// What can go wrong between the plan and attached probes.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The kernel does not let this process use BPF.
    #[error(
        "tried to {what}; the kernel said: {error}. \
         Run as root, or give the process CAP_BPF, CAP_PERFMON and CAP_SYSLOG"
    )]
    NotPermitted {
        /// What was tried.
        what: String,
        /// The kernel's answer.
        error: io::Error,
    },
    /// The kernel refused a program or a probe.
    #[error("tried to {what}; the kernel said: {error} (--attach asks for other attach points)")]
    Refused {
        /// What was tried.
        what: String,
        /// The kernel's answer, with the verifier's last lines.
        error: String,
    },
    /// The eBPF object lacks something: a fault of the build.
    #[error("the eBPF object has no {0}: build sisprobe anew")]
    Object(&'static str),
    /// A map could not be mapped into memory.
    #[error("tried to map the BPF array {map} into memory; the kernel said: {error}")]
    Mmap {
        /// Its name.
        map: &'static str,
        /// The kernel's answer.
        error: io::Error,
    },
    /// BTF could not be read.
    #[error("tried to read the kernel's BTF for fentry: {0}. Use --attach kprobe or --btf PATH")]
    Btf(String),
    /// The kernel has no BPF links for kprobes.
    #[error(
        "{probe} was attached without a BPF link ({error}): a kernel of 5.15 or later is needed"
    )]
    NoLink {
        /// The probe.
        probe: String,
        /// aya's answer.
        error: String,
    },
}

impl ProbeError {
    /// Loading the object (its maps) failed.
    pub(super) fn load(error: &EbpfError) -> Self {
        let what = "create the BPF maps".to_owned();
        let io = match error {
            EbpfError::MapError(MapError::CreateError { io_error, .. }) => Some(io_error),
            EbpfError::MapError(MapError::SyscallError(error)) => Some(&error.io_error),
            _ => None,
        };
        match io {
            Some(io) if is_permission(io) => Self::NotPermitted {
                what,
                error: same(io),
            },
            _ => Self::Refused {
                what,
                error: chain(error),
            },
        }
    }

    /// `step` of `probe` failed.
    pub(super) fn refused(probe: &Probe, step: &str, error: &ProgramError) -> Self {
        let what = format!("{step} {probe}");
        match error {
            ProgramError::LoadError { io_error, .. }
            | ProgramError::SyscallError(SyscallError { io_error, .. })
                if is_permission(io_error) =>
            {
                Self::NotPermitted {
                    what,
                    error: same(io_error),
                }
            }
            _ => Self::Refused {
                what,
                error: why(error),
            },
        }
    }
}

/// What the kernel answered, with the verifier's last lines where it was the verifier.
pub(super) fn why(error: &ProgramError) -> String {
    let ProgramError::LoadError {
        io_error,
        verifier_log,
    } = error
    else {
        return chain(error);
    };
    let log = verifier_log.to_string();
    let lines: Vec<_> = log.lines().collect();
    let last = lines.len().saturating_sub(LOG_LINES);
    format!("{io_error}\n  {}\n", lines[last..].join("\n  "))
}

/// EPERM is the answer to a lack of privilege. (EACCES is the verifier's, too.)
fn is_permission(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EPERM)
}

fn same(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(
        || io::Error::new(error.kind(), error.to_string()),
        io::Error::from_raw_os_error,
    )
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}
