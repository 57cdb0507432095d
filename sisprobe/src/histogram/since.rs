//! The difference between two states of counters that only grow.

use thiserror::Error;

/// A counter went back: the two states are not of one and the same run of the probes, in that
/// order. There is no difference to tell then; show the later state alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a counter went back, so the earlier figures are not of this run; none are subtracted")]
pub struct Shrunk;

/// How much a counter grew.
pub(crate) fn grown(now: u64, before: u64) -> Result<u64, Shrunk> {
    now.checked_sub(before).ok_or(Shrunk)
}
