//! Numbers of comparison tables.

use crate::compare::statistics::Summary;

/// Characters of a compared cell, `+177.77 ( 3.78)`, unless the number is longer than that.
const CELL: usize = 15;
/// Characters of a baseline cell, ` 1.00 (  0.30)`.
const BASE_CELL: usize = 14;

/// The base in the A/B form: 1.00 and its deviation.
pub(super) fn baseline(summary: &Summary) -> String {
    with_deviation(" 1.00", summary.std_percent(), BASE_CELL)
}

/// Another side in the A/B form: the difference and its deviation.
pub(super) fn compared(percent: Option<f64>, side: &Summary) -> String {
    let percent = format!("{:>6}", signed(percent));
    with_deviation(&percent, side.std_percent(), CELL)
}

/// What stands in the parentheses takes what room is left.
fn with_deviation(number: &str, std: Option<f64>, cell: usize) -> String {
    let std = std.map_or("-".into(), |std| format!("{std:.2}"));
    let room = cell.saturating_sub(number.len() + " ()".len());
    format!("{number} ({std:>room$})")
}

/// `+1.26`; `-` where there is none.
pub(super) fn signed(percent: Option<f64>) -> String {
    match percent {
        None => "-".into(),
        // Not -0.00.
        Some(percent) if percent.abs() < 0.005 => "+0.00".into(),
        Some(percent) => format!("{percent:+.2}"),
    }
}

/// `[-3.16, +1.46]`; `-` where there is none.
pub(super) fn interval(percent: Option<(f64, f64)>) -> String {
    percent.map_or("-".into(), |(low, high)| {
        format!("[{}, {}]", signed(Some(low)), signed(Some(high)))
    })
}

/// A p-value, with four digits behind the point.
pub(super) fn p(p: Option<f64>) -> String {
    match p {
        None => "-".into(),
        Some(p) if p < 0.0001 => "<0.0001".into(),
        Some(p) => format!("{p:.4}"),
    }
}

/// A value in its own unit: two digits behind the point, more where it is small, fewer where it is
/// great.
pub(super) fn value(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        v if v >= 1e15 => format!("{value:.3e}"),
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 1.0 => format!("{value:.2}"),
        v if v >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.3e}"),
    }
}
