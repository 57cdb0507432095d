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

use sisprobe_common::bucket::{self, Row};

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
    pub(super) fn bound(self, power: u32) -> String {
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

/// The label of the row at `place` among all of a histogram of durations: 0 for that of zero.
pub(super) fn duration_label(place: usize) -> String {
    let scheme = bucket::DURATION;
    let row = match u32::try_from(place).unwrap_or(u32::MAX) {
        0 => Row::Zero,
        place if place > scheme.top() => Row::Overflow,
        place => Row::Log2(place - 1),
    };
    Labels::Binary.label(row, scheme.top())
}

/// A value that is pointed at beside the row that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The value.
    pub value: u64,
    /// What it is.
    pub name: String,
    /// The value in the form to be shown.
    pub number: String,
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
    /// What is pointed at in this row.
    pub marks: Vec<Mark>,
}

/// The rows of a histogram's log2 view, from the first to the last that is not empty, with bars
/// of at most `width` characters.
pub fn rows(histogram: &Histogram, labels: Labels, width: usize) -> Vec<BarRow> {
    marked(histogram, labels, width, &[])
}

/// The same with `marks`: rows that hold one of them are there even if they are empty, unless
/// nothing was counted at all.
pub fn marked(histogram: &Histogram, labels: Labels, width: usize, marks: &[Mark]) -> Vec<BarRow> {
    let scheme = histogram.scheme();
    let row_of = |mark: &Mark| scheme.row(scheme.index(mark.value));
    let rows = spread(histogram, &marks.iter().map(row_of).collect::<Vec<_>>());
    let greatest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    rows.into_iter()
        .map(|(row, count)| BarRow {
            label: labels.label(row, scheme.top()),
            count,
            filled: filled(count, greatest, width),
            width,
            marks: (marks.iter())
                .filter(|mark| row_of(mark) == row)
                .cloned()
                .collect(),
        })
        .collect()
}

/// The log2 view, with empty rows on either side as far as those of `also`.
fn spread(histogram: &Histogram, also: &[Row]) -> Vec<(Row, u64)> {
    let counted = histogram.log2_rows();
    let there = || counted.iter().map(|(row, _)| *row);
    let (Some(first), Some(last)) = (
        there().chain(also.iter().copied()).min(),
        there().chain(also.iter().copied()).max(),
    ) else {
        return Vec::new();
    };
    if counted.is_empty() {
        return Vec::new();
    }
    let scheme = histogram.scheme();
    let mut all: Vec<Row> = (0..scheme.len()).map(|index| scheme.row(index)).collect();
    all.dedup();
    all.retain(|row| (first..=last).contains(row));
    let count = |row| {
        let found = counted.iter().find(|(counted, _)| *counted == row);
        found.map_or(0, |(_, count)| *count)
    };
    all.into_iter().map(|row| (row, count(row))).collect()
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

    /// What stands behind the bar: ` <- sis_util 5, full 8`, with `arrow` as the arrow. The first
    /// mark always, of the others as many as `room` characters have; `+2` where two have none.
    /// Empty without a mark.
    pub fn pointer(&self, arrow: &str, room: usize) -> String {
        let mut pointer = String::new();
        for (index, Mark { name, number, .. }) in self.marks.iter().enumerate() {
            let rest = self.marks.len() - index;
            let (piece, more) = if index == 0 {
                (format!(" {arrow} {name} {number}"), rest - 1)
            } else {
                (format!(", {name} {number}"), rest - 1)
            };
            let more = if more == 0 { 0 } else { " +99".len() };
            let length = pointer.chars().count() + piece.chars().count() + more;
            if index > 0 && length > room {
                pointer += &format!(" +{rest}");
                break;
            }
            pointer += &piece;
        }
        pointer
    }
}

impl fmt::Display for BarRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} |{}|", self.head(), self.bar())
    }
}

#[cfg(test)]
mod tests {
    use sisprobe_common::bucket::Scheme;

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

    fn mark(value: u64, name: &str) -> Mark {
        Mark {
            value,
            name: name.into(),
            number: value.to_string(),
        }
    }

    #[test]
    fn a_mark_stands_behind_the_bar_of_its_row() {
        let mut histogram = Histogram::new(bucket::COUNT);
        histogram.record(2, 1);
        let lines = |marks: &[Mark], room| -> Vec<String> {
            let rows = marked(&histogram, Labels::Binary, 4, marks);
            let line = |row: &BarRow| format!("{row}{}", row.pointer("<-", room));
            rows.iter().map(line).collect()
        };
        let two = "[2, 4)                 1 |@@@@|";
        assert_eq!(lines(&[mark(3, "a")], 9), [format!("{two} <- a 3")]);
        assert_eq!(
            lines(&[mark(9, "a"), mark(0, "b")], 9),
            [
                "[0]                    0 |    | <- b 0",
                "[1]                    0 |    |",
                two,
                "[4, 8)                 0 |    |",
                "[8, 16)                0 |    | <- a 9",
            ],
            "rows that hold a mark are there"
        );
        let many = [mark(2, "aa"), mark(3, "bb"), mark(2, "cc")];
        assert_eq!(lines(&many, 22), [format!("{two} <- aa 2, bb 3, cc 2")]);
        assert_eq!(lines(&many, 18), [format!("{two} <- aa 2, bb 3 +1")]);
        assert_eq!(lines(&many, 3), [format!("{two} <- aa 2 +2")]);
        assert!(marked(&Histogram::new(bucket::COUNT), Labels::Binary, 4, &many).is_empty());
    }

    #[test]
    fn great_counts_do_not_overflow_the_bar() {
        assert_eq!(filled(u64::MAX, u64::MAX, BAR), BAR);
        assert_eq!(filled(u64::MAX - 1, u64::MAX, BAR), BAR - 1);
        let lines = lines(bucket::COUNT, Labels::Binary, &[(1, 1_234_567_890)]);
        assert_eq!(lines, ["[1]             1234567890 |@@@@|"]);
    }
}
