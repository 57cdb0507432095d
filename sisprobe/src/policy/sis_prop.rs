//! In proportion to the idle time, divided by what looking at one CPU costs.

use sisprobe_common::budget::{avg_cost, prop, span_avg};

use super::{Depth, LlcState};

/// What [`depth`] reads besides the LLC.
pub const NEEDS: &str = "wake_avg_idle and avg_scan_cost";
/// What [`depth_avg_idle`] reads besides the LLC.
pub const NEEDS_AVG_IDLE: &str = "avg_idle and avg_scan_cost";

/// The later form, with an idle time of its own that wake-ups use up.
///
/// - Source: kernel/sched/fair.c, `select_idle_cpu`, `SIS_PROP`.
/// - Kernels: 5.14 to 6.6; gone in 6.7.
/// - Default: on to 5.19, off from 6.0.
///
/// Where `SIS_UTIL` is on too, its budget replaces this one.
pub fn depth(state: &LlcState) -> Depth {
    let (Some(idle), Some(cost)) = (state.wake_avg_idle, state.avg_scan_cost) else {
        return Depth::Unavailable { needs: NEEDS };
    };
    Depth::nr_minus_one(state, prop(span_avg(state.weight, idle), avg_cost(cost)))
}

/// The earlier form, with 1/512 of `avg_idle`.
///
/// - Source: as [`depth`].
/// - Kernels: 4.13 to 5.13.
/// - Default: on.
///
/// Before 5.12 the search for an idle core stood before the scan, and the scan had its budget
/// also where there were idle cores; the model follows 5.12 and 5.13.
pub fn depth_avg_idle(state: &LlcState) -> Depth {
    let (Some(idle), Some(cost)) = (state.avg_idle, state.avg_scan_cost) else {
        return Depth::Unavailable {
            needs: NEEDS_AVG_IDLE,
        };
    };
    let span_avg = span_avg(state.weight, idle / 512);
    Depth::nr_minus_one(state, prop(span_avg, avg_cost(cost)))
}
