//! The parabola in percent, before it became `SIS_UTIL`.

use super::{Depth, LlcState, state::CAPACITY};

/// An LLC up to this size is searched in full by [`depth_small_llc`].
const SMALL_LLC: u32 = 16;

/// From all CPUs in an unused LLC down to no search at 85 %, in steps of a percent.
///
/// - Source: the third version of what became `SIS_UTIL`.
/// - Kernels: never merged.
/// - Default: none.
pub fn depth(state: &LlcState) -> Depth {
    Depth::nr_idle_scan(state, nr(state.sum_util, state.weight))
}

/// The same, but an LLC of at most 16 CPUs is searched in full where it is searched at all: a
/// tweak proposed in reply.
///
/// - Source, kernels, default: as [`depth`].
pub fn depth_small_llc(state: &LlcState) -> Depth {
    let nr = match nr(state.sum_util, state.weight) {
        nr if nr > 0 && state.weight <= SMALL_LLC => state.weight,
        nr => nr,
    };
    Depth::nr_idle_scan(state, nr)
}

/// `pct = sum_util * 100 / (nr_llc * 1024)`, `nr = max(0, (100 - pct * pct / 72) * nr_llc / 100)`;
/// 0 for an LLC of none.
pub fn nr(sum_util: u64, nr_llc: u32) -> u32 {
    let nr_llc = u64::from(nr_llc);
    let Some(pct) = sum_util.saturating_mul(100).checked_div(nr_llc * CAPACITY) else {
        return 0;
    };
    let share = 100_u64.saturating_sub(pct.saturating_mul(pct) / 72);
    // The share is at most 100, so this fits.
    (share * nr_llc / 100) as u32
}
