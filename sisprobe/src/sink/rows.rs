//! Histogram rows in bpftrace's form:
//!
//! ```text
//! [16, 32)            1234 |@@@@@@@@@@@@@                                       |
//! ```
//!
//! Label, count, and a bar of at most [`BAR`] characters, in proportion to the greatest count
//! and cut off below (bpftrace 0.17, src/output.cpp, `TextOutput::hist_to_str`). bpftrace
//! computes the bar in single precision, which may lose or gain one character where the exact
//! length is a whole number or a hair below one; here it is exact.

use std::fmt;

use sisprobe_common::bucket::Row;

use super::number;
use crate::histogram::Histogram;

/// The longest bar, in characters.
pub const BAR: usize = 52;

/// Columns of the label.
pub(super) const LABEL: usize = 16;
/// Columns of the count.
pub(super) const COUNT: usize = 8;

/// How the bounds of rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Powers of two as they are counted, with binary K, M, G and T: `[1K, 2K)`.
    Binary,
    /// Nanoseconds, written in microseconds: `[1.02, 2.05)`.
    ///
    /// The rows stay the powers of two of nanoseconds, which lose nothing, so their bounds are
    /// 1.024, 2.048, … us. Rows of 1, 2, 4, … us could not be told from the counts: each such
    /// bound falls inside a bucket, since 1000 is no power of two.
    Micro,
}

impl Labels {
    /// The bound `2^power`.
    fn bound(self, power: u32) -> String {
        match self {
            Self::Binary => {
                let suffix = ["", "K", "M", "G", "T", "P", "E"][(power / 10) as usize];
                format!("{}{suffix}", 1u64 << (power % 10))
            }
            Self::Micro => number::micro((1u64 << power) as f64),
        }
    }

    fn label(self, row: Row, top: u32) -> String {
        match row {
            Row::Zero => "[0]".into(),
            Row::Log2(0) if self == Self::Binary => "[1]".into(),
            Row::Log2(power) => format!("[{}, {})", self.bound(power), self.bound(power + 1)),
            Row::Overflow => format!("[{}, ...)", self.bound(top)),
        }
    }
}

/// One row, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarRow {
    /// `[16, 32)`.
    pub label: String,
    /// Values in the row.
    pub count: u64,
    /// Length of the bar, in characters.
    pub filled: usize,
    /// Length of the longest bar possible, in characters.
    pub width: usize,
}

/// The rows of a histogram's log2 view, from the first to the last that is not empty, with bars
/// of at most `width` characters.
pub fn rows(histogram: &Histogram, labels: Labels, width: usize) -> Vec<BarRow> {
    let rows = histogram.log2_rows();
    let greatest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let top = histogram.scheme().top();
    rows.into_iter()
        .map(|(row, count)| BarRow {
            label: labels.label(row, top),
            count,
            filled: filled(count, greatest, width),
            width,
        })
        .collect()
}

fn filled(count: u64, greatest: u64, width: usize) -> usize {
    // The quotient is at most `width`.
    (u128::from(count) * width as u128 / u128::from(greatest.max(1))) as usize
}

impl BarRow {
    /// Label and count, in 24 columns together, with the count's digits at the end; longer
    /// only where the two need more.
    pub fn head(&self) -> String {
        // A label that is longer than its column takes from the padding of the count.
        let count = (LABEL + COUNT).saturating_sub(self.label.len().max(LABEL));
        format!("{:<LABEL$}{:>count$}", self.label, self.count)
    }

    /// The bar without its edges.
    pub fn bar(&self) -> String {
        format!("{:<1$}", "@".repeat(self.filled), self.width)
    }
}

impl fmt::Display for BarRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} |{}|", self.head(), self.bar())
    }
}

#[cfg(test)]
mod tests {
    use sisprobe_common::bucket::{self, Scheme};

    use super::*;

    fn lines(scheme: Scheme, labels: Labels, values: &[(u64, u64)]) -> Vec<String> {
        let mut histogram = Histogram::new(scheme);
        for &(value, times) in values {
            histogram.record(value, times);
        }
        let rows = rows(&histogram, labels, 4);
        rows.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_has_no_rows() {
        assert_eq!(lines(bucket::COUNT, Labels::Binary, &[]).len(), 0);
    }

    #[test]
    fn zero_one_and_the_empty_rows_between() {
        let lines = lines(bucket::COUNT, Labels::Binary, &[(0, 4), (1, 3), (4, 1)]);
        assert_eq!(
            lines,
            [
                "[0]                    4 |@@@@|",
                "[1]                    3 |@@@ |",
                "[2, 4)                 0 |    |",
                "[4, 8)                 1 |@   |",
            ]
        );
    }

    #[test]
    fn the_overflow_row_is_open() {
        let counts = lines(bucket::COUNT, Labels::Binary, &[(8191, 1), (8192, 2)]);
        assert_eq!(
            counts,
            [
                "[4K, 8K)               1 |@@  |",
                "[8K, ...)              2 |@@@@|",
            ]
        );
        let durations = lines(bucket::DURATION, Labels::Binary, &[(1 << 32, 1)]);
        assert_eq!(durations, ["[4G, ...)              1 |@@@@|"]);
        let micro = lines(bucket::DURATION, Labels::Micro, &[(1 << 32, 1)]);
        assert_eq!(micro, ["[4294967, ...)         1 |@@@@|"]);
    }

    #[test]
    fn microseconds_are_the_true_bounds() {
        let values = [(1, 1), (512, 1), (1024, 1), (65536, 1), (1 << 30, 1)];
        let lines = lines(bucket::DURATION, Labels::Micro, &values);
        let of = |label: &str| lines.iter().find(|line| line.starts_with(label)).cloned();
        assert_eq!(lines[0], "[0.001, 0.002)         1 |@@@@|");
        for (label, line) in [
            ("[0.512", "[0.512, 1.02)          1 |@@@@|"),
            ("[1.02", "[1.02, 2.05)           1 |@@@@|"),
            ("[65.5", "[65.5, 131)            1 |@@@@|"),
            // Longer than bpftrace's column for labels.
            ("[1073", "[1073742, 2147484)     1 |@@@@|"),
        ] {
            assert_eq!(of(label).as_deref(), Some(line));
        }
    }

    #[test]
    fn suffixes_change_at_powers_of_1024() {
        let label = |power| Labels::Binary.label(Row::Log2(power), 63);
        assert_eq!(label(9), "[512, 1K)");
        assert_eq!(label(10), "[1K, 2K)");
        assert_eq!(label(19), "[512K, 1M)");
        assert_eq!(label(20), "[1M, 2M)");
        assert_eq!(label(29), "[512M, 1G)");
        assert_eq!(label(30), "[1G, 2G)");
        assert_eq!(label(39), "[512G, 1T)");
        assert_eq!(label(62), "[4E, 8E)");
    }

    #[test]
    fn great_counts_do_not_overflow_the_bar() {
        assert_eq!(filled(u64::MAX, u64::MAX, BAR), BAR);
        assert_eq!(filled(u64::MAX - 1, u64::MAX, BAR), BAR - 1);
        let lines = lines(bucket::COUNT, Labels::Binary, &[(1, 1_234_567_890)]);
        assert_eq!(lines, ["[1]             1234567890 |@@@@|"]);
    }
}
