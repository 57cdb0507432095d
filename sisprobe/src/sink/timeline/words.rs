//! The charts in words, for who does not see them.

use std::collections::BTreeMap;

use super::Span;
use crate::{
    report::Column,
    sink::{number, rows},
};

/// How long the columns span, to be read.
fn told(columns: &[Column], span: Span) -> String {
    let seconds = |first: &Column, last: &Column| number::seconds(last.to() - first.from());
    match (span, columns) {
        (Span::UntilNow, [first, .., last]) => format!("Last {}", seconds(first, last)),
        (Span::UntilNow, _) => "So far".into(),
        (Span::Run, [first, .., last]) => format!("In {}", seconds(first, last)),
        (Span::Run, _) => "In the run".into(),
    }
}

/// Least, greatest and last of what there is.
fn spread(values: impl Iterator<Item = f64>, span: Span) -> Option<String> {
    let mut spread: Option<(f64, f64, f64)> = None;
    for value in values {
        let (least, most, _) = spread.unwrap_or((value, value, value));
        spread = Some((least.min(value), most.max(value), value));
    }
    let (least, most, last) = spread?;
    let [least, most, last] = [least, most, last].map(number::mean);
    Some(if least == most {
        format!("{last} all the time")
    } else {
        let when = match span {
            Span::UntilNow => "now",
            Span::Run => "at the end",
        };
        format!("{last} {when}, {least} to {most}")
    })
}

/// What the chart of the depth shows.
pub fn depth_in_words(columns: &[Column], span: Span) -> String {
    let scanned = spread(columns.iter().filter_map(Column::scanned), span);
    let predicted = spread(columns.iter().filter_map(Column::predicted), span);
    let (told, none) = (told(columns, span), || "none".to_owned());
    format!(
        "{told}: CPUs scanned, mean: {}. Predicted depth: {}.",
        scanned.unwrap_or_else(none),
        predicted.unwrap_or_else(none),
    )
}

/// What the heatmap shows.
pub fn heatmap_in_words(columns: &[Column], span: Span) -> String {
    let mut all = BTreeMap::<usize, u64>::new();
    for (row, count) in columns.iter().flat_map(Column::durations) {
        let sum = all.entry(row).or_default();
        *sum = sum.saturating_add(count);
    }
    let told = told(columns, span);
    let total = all.values().copied().fold(0, u64::saturating_add);
    let most = all.iter().max_by_key(|(_, count)| **count);
    let (Some((&row, &count)), Some(slowest)) = (most, all.keys().last()) else {
        return format!("{told}: none.");
    };
    let label = |row: usize| rows::duration_label(row);
    format!(
        "{told}: {total} in all, most ({}) in {} ns, the longest in {} ns.",
        number::share(count, total),
        label(row),
        label(*slowest),
    )
}
