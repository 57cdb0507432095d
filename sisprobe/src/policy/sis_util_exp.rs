//! A curve that falls faster the more the LLC is used.

use super::{Depth, LlcState, state::CAPACITY};

/// `2^(r / 7)` for `r` of 0 to 6, in 65536ths, rounded.
const ROOTS: [u64; 7] = [65536, 72358, 79889, 88205, 97386, 107523, 118715];
const ONE: u64 = 1 << 16;
/// The LLC for which the curve was written.
const WRITTEN_FOR: u64 = 112;

/// `113 - 2^(x / 7)` of 112 CPUs, `x` the utilisation in percent: 112 in an unused LLC, none from
/// 48 % on.
///
/// - Source: discussed on the way to `SIS_UTIL`, and rejected.
/// - Kernels: never merged.
/// - Default: none.
///
/// It was written for 112 CPUs only and with a fractional power; the reading taken here:
///
/// - `x` is a whole number, `sum_util * 100 / (weight * 1024)`, as in
///   [`super::sis_util_quad::nr`].
/// - `2^(x / 7)` is `2^(x div 7)` times one of seven constants in 65536ths. For 112 CPUs the
///   result is that of exact arithmetic, rounded down, for every `x`.
/// - Other LLCs get the same share of their CPUs, so that searches end at the same utilisation,
///   as with the other policies that go by it.
/// - The result is used as `nr_idle_scan` is: 0 means no search.
pub fn depth(state: &LlcState) -> Depth {
    Depth::nr_idle_scan(state, nr(state.sum_util, state.weight))
}

/// The number of CPUs, 0 to `weight`; 0 for an LLC of none.
pub fn nr(sum_util: u64, weight: u32) -> u32 {
    let Some(x) = sum_util
        .saturating_mul(100)
        .checked_div(u64::from(weight) * CAPACITY)
    else {
        return 0;
    };
    // 2^7 is above 113 already.
    let whole = (x / 7).min(7);
    let power = ROOTS[(x % 7) as usize] << whole;
    let share = ((WRITTEN_FOR + 1) * ONE).saturating_sub(power);
    // The share is at most one, so this fits.
    (share * u64::from(weight) / (WRITTEN_FOR * ONE)) as u32
}
