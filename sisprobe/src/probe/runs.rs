//! What the programs cost, as the kernel counts it.

use std::os::fd::OwnedFd;

use aya::{
    Ebpf,
    sys::{Stats, enable_stats},
};

use super::ProbeError;
use crate::report::ProgramRuns;

/// The kernel counts while this lives (`BPF_ENABLE_STATS`, Linux 5.8).
pub(super) struct Counting(#[expect(dead_code, reason = "held until dropped")] OwnedFd);

impl Counting {
    pub(super) fn begin() -> Result<Self, ProbeError> {
        enable_stats(Stats::RunTime)
            .map(Self)
            .map_err(|error| ProbeError::Refused {
                what: "let the kernel count the runs of BPF programs".into(),
                error: error.io_error.to_string(),
            })
    }
}

/// The runs of every program that is loaded.
pub(super) fn of_all(ebpf: &Ebpf) -> Vec<ProgramRuns> {
    let mut runs: Vec<_> = ebpf
        .programs()
        .filter_map(|(name, program)| {
            // One that is not loaded has no info.
            let info = program.info().ok()?;
            Some(ProgramRuns {
                program: name.to_owned(),
                count: info.run_count(),
                nanoseconds: u64::try_from(info.run_time().as_nanos()).unwrap_or(u64::MAX),
            })
        })
        .collect();
    runs.sort_by(|one, other| one.program.cmp(&other.program));
    runs
}
