//! A straight line down to half of the capacity.

use super::{Depth, LlcState};

/// The least budget.
const LEAST: i128 = 4;

/// From all CPUs in an unused LLC down to a budget of 4 in one that is used by half or more.
///
/// - Source: the second RFC of what became `SIS_UTIL`, March 2022.
/// - Kernels: never merged.
/// - Default: none.
pub fn depth(state: &LlcState) -> Depth {
    let nr = nr(state.sum_util, state.total_capacity, state.weight);
    Depth::nr_minus_one(state, nr)
}

/// `llc_size - (llc_size - 4) * 2 * sum_util / total_capacity`, at least 4; also 4 where there is
/// no capacity.
pub fn nr(sum_util: u64, total_capacity: u64, llc_size: u32) -> u64 {
    let llc_size = i128::from(llc_size);
    // 33 bits, 1 bit and 64 bits: no overflow.
    let drop = ((llc_size - LEAST) * 2 * i128::from(sum_util))
        .checked_div(i128::from(total_capacity))
        .unwrap_or(llc_size);
    u64::try_from((llc_size - drop).max(LEAST)).unwrap_or(u64::MAX)
}
