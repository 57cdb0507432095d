//! All or nothing, by utilisation.

use super::{Depth, LlcState};

/// No search at all where the LLC is overloaded as load balance understands it: `total_capacity *
/// 100 < sum_util * imbalance_pct`, about 85 %. Else all CPUs. Unlike a budget, this also keeps
/// from the search for an idle core.
///
/// - Source: the first RFC of what became `SIS_UTIL`; the test is that of `group_is_overloaded`.
/// - Kernels: never merged.
/// - Default: none.
pub fn depth(state: &LlcState) -> Depth {
    let capacity = u128::from(state.total_capacity) * 100;
    if capacity < u128::from(state.sum_util) * u128::from(state.imbalance_pct) {
        return Depth::NoSearch;
    }
    Depth::weight(state)
}
