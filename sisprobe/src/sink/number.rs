//! Numbers in the form in which people read them.

use serde::{Deserialize, Serialize};

use crate::histogram::Percentile;

/// The unit in which durations are shown; they are counted in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nanoseconds.
    #[default]
    Ns,
    /// Microseconds.
    Us,
}

impl Unit {
    /// `ns` or `us`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Us => "us",
        }
    }

    /// The other unit.
    pub const fn other(self) -> Self {
        match self {
            Self::Ns => Self::Us,
            Self::Us => Self::Ns,
        }
    }

    /// A duration in this unit, without its name: whole nanoseconds, or microseconds with
    /// [`micro`]'s digits.
    pub(super) fn number(self, ns: f64) -> String {
        match self {
            Self::Ns => format!("{ns:.0}"),
            Self::Us => micro(ns),
        }
    }
}

/// Nanoseconds as microseconds: to the nanosecond below 1 us, else with three digits at least.
pub(super) fn micro(ns: f64) -> String {
    let us = ns / 1000.0;
    // Decided on what the next more precise form would show, so that 9.996 is 10.0, not 10.00.
    let decimals = match us {
        us if us < 0.9995 => 3,
        us if us < 9.995 => 2,
        us if us < 99.95 => 1,
        _ => 0,
    };
    format!("{us:.decimals$}")
}

/// How many digits figures of one kind have, whatever their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    /// So many behind the point.
    Behind(usize),
    /// Powers of ten: what is too large or too small to be written out.
    Powers,
}

impl Digits {
    /// Those that tell about `value`: five digits, or all before the point where there are more.
    pub(super) fn of(value: f64) -> Self {
        let size = value.abs();
        if size == 0.0 {
            return Self::Behind(0);
        }
        if !(1e-4..1e15).contains(&size) {
            return Self::Powers;
        }
        // 0 for 1 to 10.
        let place = size.log10().floor() as i32;
        Self::Behind(usize::try_from(4 - place).unwrap_or(0))
    }

    /// `value` with these digits.
    pub(super) fn write(self, value: f64) -> String {
        match self {
            Self::Behind(digits) => format!("{value:.digits$}"),
            Self::Powers if value == 0.0 => "0".into(),
            Self::Powers => format!("{value:.4e}"),
        }
    }
}

/// A mean of whole numbers.
pub(super) fn mean(value: f64) -> String {
    format!("{value:.2}")
}

/// A percentile, with the form of its value given by `number`; `>=` where only a lower bound is
/// known.
pub(super) fn percentile(percentile: Percentile, number: impl Fn(f64) -> String) -> String {
    match percentile {
        Percentile::AtMost(value) => number(value as f64),
        Percentile::AtLeast(value) => format!(">={}", number(value as f64)),
    }
}

/// Events per second: `1523/s`, `0.4/s`; `-` where no time has passed.
pub(super) fn rate(count: u64, seconds: f64) -> String {
    if seconds <= 0.0 {
        return "-".into();
    }
    let rate = count as f64 / seconds;
    if count > 0 && rate < 9.95 {
        format!("{rate:.1}/s")
    } else {
        format!("{rate:.0}/s")
    }
}

/// A part of a whole: `12.3 %`, with [`percent`]'s care. `-` where there is no whole.
pub(super) fn share(part: u64, whole: u64) -> String {
    // Divided first: the quotient of equal numbers is exactly 1.
    percent((whole > 0).then(|| part as f64 / whole as f64 * 100.0))
}

/// A percentage: `12.3 %`. Rounding never makes something of nothing, nothing of something, or
/// all of nearly all. `-` where there is none.
pub(super) fn percent(percent: Option<f64>) -> String {
    match percent {
        None => "-".into(),
        Some(0.0) => "0 %".into(),
        Some(100.0) => "100 %".into(),
        Some(percent) if percent < 0.1 => "<0.1 %".into(),
        Some(percent) if percent > 99.9 && percent < 100.0 => ">99.9 %".into(),
        Some(percent) => format!("{percent:.1} %"),
    }
}

/// A span of time in seconds: `0.250 s`, `12.0 s`, `3600 s`.
pub(super) fn seconds(seconds: f64) -> String {
    let decimals = match seconds {
        s if s < 1.0 => 3,
        s if s < 100.0 => 1,
        _ => 0,
    };
    format!("{seconds:.decimals$} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_keep_three_digits() {
        let cases = [
            (0.0, "0.000"),
            (1.0, "0.001"),
            (512.0, "0.512"),
            (999.0, "0.999"),
            (999.7, "1.00"),
            (1024.0, "1.02"),
            (9994.0, "9.99"),
            (9996.0, "10.0"),
            (16384.0, "16.4"),
            (99960.0, "100"),
            (1048576.0, "1049"),
        ];
        for (ns, expected) in cases {
            assert_eq!(micro(ns), expected, "{ns} ns");
        }
    }

    #[test]
    fn shares_are_never_rounded_to_none_or_all() {
        assert_eq!(share(0, 0), "-");
        assert_eq!(share(0, 7), "0 %");
        assert_eq!(share(1, 1_000_000), "<0.1 %");
        assert_eq!(share(1, 8), "12.5 %");
        assert_eq!(share(999_999, 1_000_000), ">99.9 %");
        assert_eq!(share(7, 7), "100 %");
    }

    #[test]
    fn rates() {
        assert_eq!(rate(5, 0.0), "-");
        assert_eq!(rate(0, 2.0), "0/s");
        assert_eq!(rate(1, 10.0), "0.1/s");
        assert_eq!(rate(3047, 2.0), "1524/s");
    }

    #[test]
    fn five_digits_tell_of_any_figure() {
        let five = |value: f64| Digits::of(value).write(value);
        let cases = [
            (0.0, "0"),
            (5.0, "5.0000"),
            (5.013_37, "5.0134"),
            (-123.4, "-123.40"),
            (1_234_567.8, "1234568"),
            (0.001_25, "0.0012500"),
            (1e-9, "1.0000e-9"),
            (1e308, "1.0000e308"),
        ];
        for (value, expected) in cases {
            assert_eq!(five(value), expected);
        }
        assert_eq!(Digits::of(5.0).write(0.02), "0.0200");
    }

    #[test]
    fn a_lower_bound_is_shown_as_one() {
        let number = |ns| Unit::Us.number(ns);
        assert_eq!(percentile(Percentile::AtMost(1535), number), "1.53");
        let over = Percentile::AtLeast(1 << 32);
        assert_eq!(percentile(over, number), ">=4294967");
        assert_eq!(percentile(over, |ns| Unit::Ns.number(ns)), ">=4294967296");
    }
}
