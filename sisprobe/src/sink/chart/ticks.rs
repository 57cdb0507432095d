//! Round numbers along an axis.

use super::{Axis, Numbers};
use crate::sink::rows::Labels;

/// The values of ticks, rising, at least `least` pixels apart on an axis of `length` pixels.
pub(super) fn ticks(axis: &Axis, length: f64, least: f64) -> Vec<f64> {
    let range = axis.to - axis.from;
    let step = step(range * least / length, axis.whole);
    let first = (axis.from / step).ceil();
    // Where numbers are so great that a step is lost in rounding, there would be no end.
    let most = (length / least).clamp(1.0, 1000.0) as i32 + 2;
    // Multiplied, not added up, so that rounding does not grow.
    let mut ticks: Vec<f64> = (0..most)
        .map(|index| (first + f64::from(index)) * step)
        // What rounding puts behind the end belongs to it.
        .take_while(|&tick| tick <= axis.to + range * 1e-9)
        .collect();
    let last = ticks.last().copied();
    if axis.end_tick && last.is_none_or(|last| last < axis.to - range * 1e-9) {
        let near = |&tick: &f64| (axis.to - tick) * length / range < least * 0.6;
        while ticks.last().is_some_and(near) {
            ticks.pop();
        }
        ticks.push(axis.to);
    }
    ticks
}

/// What stands at a tick.
pub(super) fn label(tick: f64, ticks: &[f64], numbers: Numbers) -> String {
    match numbers {
        Numbers::Plain => plain(tick, ticks),
        Numbers::Exponents => power(tick),
    }
}

/// 2^`exponent`: `512`, `4K`; `0` for -1, since what is below 1 is 0. What is no power of two that
/// a u64 holds is nothing.
fn power(exponent: f64) -> String {
    let whole = exponent.round();
    if exponent == -1.0 {
        return "0".into();
    }
    if (whole - exponent).abs() > 1e-6 || !(0.0..64.0).contains(&whole) {
        return String::new();
    }
    Labels::Binary.bound(whole as u32)
}

/// As few digits as tell the ticks apart.
fn plain(tick: f64, ticks: &[f64]) -> String {
    let exact = |decimals: usize| {
        let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        ticks
            .iter()
            .all(|tick| ((tick * scale).round() - tick * scale).abs() < 1e-6 * scale)
    };
    let decimals = (0..6).find(|&decimals| exact(decimals)).unwrap_or(6);
    let text = format!("{tick:.decimals$}");
    // Rounding may leave a nothing below 0.
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| "0.".contains(digit)) => zero.to_owned(),
        _ => text,
    }
}

/// The least of 1, 2, 5, 10, … that is `least` or more.
fn step(least: f64, whole: bool) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power);
    if whole { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(from: f64, to: f64, whole: bool, end_tick: bool) -> Axis {
        let label = String::new();
        Axis {
            label,
            from,
            to,
            whole,
            end_tick,
            numbers: Numbers::Plain,
        }
    }

    fn labels(axis: &Axis, length: f64, least: f64) -> String {
        let ticks = ticks(axis, length, least);
        let labels: Vec<_> = ticks.iter().map(|&tick| plain(tick, &ticks)).collect();
        labels.join(" ")
    }

    #[test]
    fn round_numbers_and_the_end() {
        let cpus = |to| labels(&axis(0.0, to, true, true), 400.0, 32.0);
        assert_eq!(cpus(1.0), "0 1");
        assert_eq!(cpus(8.0), "0 1 2 3 4 5 6 7 8");
        assert_eq!(cpus(16.0), "0 2 4 6 8 10 12 14 16");
        // 110 would be too near.
        assert_eq!(cpus(112.0), "0 10 20 30 40 50 60 70 80 90 100 112");
        assert_eq!(cpus(8192.0), "0 1000 2000 3000 4000 5000 6000 7000 8192");
    }

    #[test]
    fn exponents_are_powers_of_two() {
        let label = |tick| label(tick, &[], Numbers::Exponents);
        let labels = [-2.0, -1.0, 0.0, 9.0, 12.0, 12.5, 32.0, 64.0].map(label);
        assert_eq!(labels, ["", "0", "1", "512", "4K", "", "4G", ""]);
    }

    #[test]
    fn parts_of_one_and_ranges_that_do_not_begin_at_0() {
        let any = |from, to| labels(&axis(from, to, false, false), 300.0, 40.0);
        assert_eq!(any(0.0, 1.0), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(any(-1.0, 1.0), "-1.0 -0.5 0.0 0.5 1.0");
        assert_eq!(any(103.0, 117.3), "104 106 108 110 112 114 116");
    }

    #[test]
    fn numbers_too_great_to_be_told_apart_have_an_end() {
        for (from, to) in [(1e17, 1e17 + 64.0), (-1e300, 1e300), (0.0, 5e-324)] {
            assert!(ticks(&axis(from, to, false, true), 400.0, 32.0).len() < 20);
        }
    }

    /// Ticks never lie nearer than their texts need, and the end is always there.
    #[test]
    fn ticks_keep_their_distance() {
        for to in 1..2000 {
            let axis = axis(0.0, f64::from(to), true, true);
            let ticks = ticks(&axis, 400.0, 32.0);
            assert_eq!(ticks.last(), Some(&f64::from(to)));
            for pair in ticks.windows(2) {
                let apart = (pair[1] - pair[0]) * 400.0 / f64::from(to);
                assert!(apart >= 32.0 * 0.6, "{to}: {ticks:?}");
            }
        }
    }
}
