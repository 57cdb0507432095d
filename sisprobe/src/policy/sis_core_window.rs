//! Between one core and two, by the idle time.

use sisprobe_common::budget::{avg_cost, core_window, span_avg};

use super::{Depth, LlcState};

/// What [`depth`] reads besides the LLC.
pub const NEEDS: &str = "avg_idle and avg_scan_cost";

/// The rule of [`super::sis_prop::depth_avg_idle`] with a budget from one to two cores' CPUs: `floor =
/// max(weight(cpu_smt_mask(target)), 2)`, at most `2 * floor`. A `next_cpu` for each CPU makes
/// the window go around.
///
/// - Source: a series of 2019, which put a limit on the scan and made its window rotate.
/// - Kernels: never merged.
/// - Default: none.
///
/// Its feature `SIS_CORE` can turn the search for an idle core off. The model has it as the
/// default of that series, on.
pub fn depth(state: &LlcState) -> Depth {
    let (Some(idle), Some(cost)) = (state.avg_idle, state.avg_scan_cost) else {
        return Depth::Unavailable { needs: NEEDS };
    };
    let span_avg = span_avg(state.weight, idle / 512);
    let nr = core_window(span_avg, avg_cost(cost), state.smt);
    Depth::nr_minus_one(state, nr)
}
