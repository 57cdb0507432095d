//! All captures beside each other.

use maud::{Markup, html};

use super::{NAME, Part, table};
use crate::{
    plan::Fidelity,
    report::{Figures, OutcomeName, Report},
    sink::{Unit, done, number, page::Table, words::clean},
};

/// Figures of a benchmark at most; the most talkative has a dozen.
const METRICS: usize = 48;

/// The columns of [`figures`].
pub(super) const FIGURES: [&str; 7] = [
    "wake-ups/s",
    "searches",
    "of wake-ups",
    "search p50, us",
    "p99, us",
    "scanned, mean",
    "skipped",
];

/// Captures and what they counted, then what their benchmarks told.
pub(super) fn section(parts: &[Part<'_>]) -> Markup {
    html! {
        section aria-labelledby="overview" {
            h2 #overview tabindex="-1" { "Overview" }
            (table("captures", "What each capture counted, all runs and groups together", &counted(parts)))
            @let metrics = metrics(parts);
            @if !metrics.rows.is_empty() {
                h3 { "Benchmark" }
                (table("metrics", "What the benchmark told, over the runs that count", &metrics))
            }
        }
    }
}

fn counted(parts: &[Part<'_>]) -> Table {
    let rows = parts.iter().map(|part| {
        let runs = match &part.report {
            Some(_) => part.capture.counted().len().to_string(),
            None => "0".into(),
        };
        let figures = part
            .report
            .as_ref()
            .map(|report| figures(&report.total(), report));
        let figures = figures.unwrap_or_else(|| FIGURES.map(|_| "-".into()));
        let command = clean(&done::command(part.capture), NAME);
        [part.name.clone(), command, runs]
            .into_iter()
            .chain(figures)
            .collect()
    });
    let columns: Vec<&str> = ["capture", "command", "runs"]
        .into_iter()
        .chain(FIGURES)
        .collect();
    Table::new(&columns, rows.collect())
}

/// In the order of [`FIGURES`].
pub(super) fn figures(figures: &Figures, report: &Report) -> [String; 7] {
    let is_told = report.source.fidelity != Fidelity::Bracketed;
    let told = |text: String| if is_told { text } else { "-".into() };
    let searches = figures.searches();
    let percentiles = figures.duration.percentiles([0.5, 0.99]);
    let [p50, p99] = percentiles.map_or(["-".into(), "-".into()], |both| {
        both.map(|value| number::percentile(value, |ns| Unit::Us.number(ns)))
    });
    let rate = number::rate(figures.wakeups, report.elapsed);
    [
        rate.trim_end_matches("/s").into(),
        told(searches.to_string()),
        told(number::share(searches, figures.wakeups)),
        p50,
        p99,
        figures
            .scanned
            .mean()
            .map_or_else(|| "-".into(), number::mean),
        told(number::share(
            figures.outcome(OutcomeName::Skipped),
            searches,
        )),
    ]
}

/// Those of the same name below each other.
fn metrics(parts: &[Part<'_>]) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for part in parts {
        for metric in part.capture.metrics().into_iter().take(METRICS) {
            let (name, cells) = done::metric(&metric);
            rows.push([name, part.name.clone()].into_iter().chain(cells).collect());
        }
    }
    let order: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
    rows.sort_by_key(|row| order.iter().position(|name| *name == row[0]));
    let columns: Vec<&str> = ["figure", "capture"]
        .into_iter()
        .chain(done::METRIC)
        .collect();
    Table::new(&columns, rows)
}
