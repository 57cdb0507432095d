//! In proportion to the idle time, divided by what looking at one CPU costs.

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
    Depth::nr_minus_one(state, nr(span_avg(state.weight, idle), avg_cost(cost)))
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
    Depth::nr_minus_one(state, nr(span_avg, avg_cost(cost)))
}

/// `nr`, at least 4.
pub const fn nr(span_avg: u64, avg_cost: u64) -> u64 {
    if span_avg > avg_cost.saturating_mul(4) {
        span_avg / avg_cost
    } else {
        4
    }
}

/// `span_avg`, in ns. Times that would overflow (centuries) stay at the greatest value.
pub(super) fn span_avg(span_weight: u32, avg_idle: u64) -> u64 {
    u64::from(span_weight).saturating_mul(avg_idle)
}

/// `avg_cost`, in ns, at least 1.
pub(super) const fn avg_cost(avg_scan_cost: u64) -> u64 {
    avg_scan_cost.saturating_add(1)
}

/// `rq->wake_avg_idle` as a search at `jiffies` would use it: halved for each jiffy since
/// `rq->wake_stamp`.
pub fn aged(wake_avg_idle: u64, wake_stamp: u64, jiffies: u64) -> u64 {
    let halvings = u32::try_from(jiffies.saturating_sub(wake_stamp)).unwrap_or(u32::MAX);
    wake_avg_idle.checked_shr(halvings).unwrap_or(0)
}
