//! A parabola that ends where load balance calls the LLC overloaded.

use super::{Depth, LlcState, state::CAPACITY};

/// From all CPUs in an unused LLC down to no search, not even for an idle core, at about 85 %.
///
/// - Source: kernel/sched/fair.c, `update_idle_cpu_scan` and `select_idle_cpu`, `SIS_UTIL`.
/// - Kernels: 6.0 on.
/// - Default: on.
///
/// This is what the kernel would store now. What it did store may be older, since it computes it
/// only in periodic load balance at the LLC's level, and it is 0 before the first of them.
pub fn depth(state: &LlcState) -> Depth {
    let nr_idle_scan = nr_idle_scan(state.sum_util, state.weight, state.imbalance_pct);
    Depth::nr_idle_scan(state, nr_idle_scan)
}

/// `nr_idle_scan`, 0 to `llc_weight`; 0 for an LLC of none.
///
/// `x = sum_util / llc_weight`, `t = min(x^2 * pct^2 / (10000 * 1024), 1024)`, `nr_idle_scan =
/// (1024 - t) * llc_weight / 1024`.
pub fn nr_idle_scan(sum_util: u64, llc_weight: u32, imbalance_pct: u32) -> u32 {
    let llc_weight = u64::from(llc_weight);
    let Some(x) = sum_util.checked_div(llc_weight) else {
        return 0;
    };
    // The kernel squares in 64 bits, which is enough for any x up to 1024. Whatever is cut off
    // here is far above what makes it 0.
    let scaled = x.saturating_mul(u64::from(imbalance_pct));
    let t = scaled.saturating_mul(scaled) / (10000 * CAPACITY);
    let y = CAPACITY - t.min(CAPACITY);
    // y is at most 1024, so this fits.
    (y * llc_weight / CAPACITY) as u32
}
