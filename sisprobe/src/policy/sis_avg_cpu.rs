//! All or nothing, by what a scan costs and how long CPUs are idle.

use super::{Depth, LlcState};

/// What [`depth`] reads besides the LLC.
pub const NEEDS: &str = "avg_idle and avg_scan_cost";

/// No scan where `avg_idle / 512 < avg_scan_cost + 1`, else all CPUs.
///
/// - Source: kernel/sched/fair.c, `select_idle_cpu`, `SIS_AVG_CPU`.
/// - Kernels: 4.9 to 5.11.
/// - Default: off from 4.11.
///
/// The search for an idle core stood before the scan there and did not ask this policy, so with
/// idle cores it may look at all CPUs even where the scan is skipped.
pub fn depth(state: &LlcState) -> Depth {
    let (Some(avg_idle), Some(avg_scan_cost)) = (state.avg_idle, state.avg_scan_cost) else {
        return Depth::Unavailable { needs: NEEDS };
    };
    if !state.has_idle_cores && avg_idle / 512 < avg_scan_cost.saturating_add(1) {
        return Depth::NoSearch;
    }
    Depth::weight(state)
}
