//! What sisprobe itself tells of a run's searches.

use sisprobe_common::bucket;

use super::{
    metric::{Direction, Metric, Origin},
    statistics::Sample,
};
use crate::{
    histogram::{Histogram, Percentile},
    plan::Fidelity,
    report::{Group, OutcomeName},
};

/// The percentiles of the search time: those of the percentile form.
pub const PERCENTILES: [(&str, f64); 6] = [
    ("50", 0.5),
    ("90", 0.9),
    ("95", 0.95),
    ("99", 0.99),
    ("99.5", 0.995),
    ("99.9", 0.999),
];
/// Those of them that have tables of their own without being asked for.
const SHOWN: [&str; 2] = ["50", "99"];

/// The figures of a run's groups together. No wake-up is in two groups.
pub(super) struct Searches {
    wakeups: u64,
    searches: u64,
    skipped: u64,
    duration: Histogram,
    scanned: Histogram,
}

impl Searches {
    pub(super) fn of<'a>(groups: impl Iterator<Item = &'a Group>) -> Self {
        let mut all = Self {
            wakeups: 0,
            searches: 0,
            skipped: 0,
            duration: Histogram::new(bucket::DURATION),
            scanned: Histogram::new(bucket::COUNT),
        };
        for Group { figures, .. } in groups {
            let skipped = figures.outcome(OutcomeName::Skipped);
            all.wakeups = all.wakeups.saturating_add(figures.wakeups);
            all.searches = all.searches.saturating_add(figures.searches());
            all.skipped = all.skipped.saturating_add(skipped);
            all.duration.add(&figures.duration);
            all.scanned.add(&figures.scanned);
        }
        all
    }
}

/// A metric with what each run gave, and whether it is shown without being asked for.
pub(super) type Told = (Metric, Sample, bool);

/// What the runs tell. A run in which nothing was counted has no value. With fidelity `bracketed`
/// times and CPUs are those of whole wake-ups, under names of their own, and what needs searches
/// cannot be told.
pub(super) fn of_runs(runs: &[Searches], fidelity: Fidelity) -> Vec<Told> {
    let whole = fidelity == Fidelity::Bracketed;
    let mut told = times(runs, whole);
    let scanned = exact(runs, |run| run.scanned.mean());
    told.push(if whole {
        let title = "looked at by a wake-up, mean";
        (lower("looked_at_mean", title, "CPUs"), scanned, true)
    } else {
        let title = "scanned mean";
        (lower("scanned_mean", title, "CPUs"), scanned, true)
    });
    if !whole {
        let per_wakeup = exact(runs, |run| ratio(run.searches, run.wakeups));
        let skipped = exact(runs, |run| Some(100.0 * ratio(run.skipped, run.searches)?));
        let title = "searches per wake-up";
        told.push((lower("searches_per_wakeup", title, ""), per_wakeup, true));
        let share = Metric {
            better: Direction::Neither,
            ..lower("share_skipped", "searches that were skipped", "%")
        };
        told.push((share, skipped, true));
    }
    told
}

/// The name of a percentile of time, as `--metric` takes it.
pub(super) fn time_name(percentile: &str, whole: bool) -> String {
    let what = if whole { "wakeup" } else { "search" };
    format!("{what}_time_p{percentile}")
}

fn times(runs: &[Searches], whole: bool) -> Vec<Told> {
    let mut samples = PERCENTILES.map(|_| Sample::default());
    for run in runs {
        let values = run.duration.percentiles(PERCENTILES.map(|(_, q)| q));
        for (sample, value) in samples.iter_mut().zip(values.into_iter().flatten()) {
            // Of a time beyond the last bucket, 4.29 s, no more is known than that.
            if let Percentile::AtMost(value) = value {
                sample.values.push(value as f64);
                sample.resolution = sample.resolution.max(width(value));
            }
        }
    }
    let what = if whole { "wake-up" } else { "search" };
    let told = PERCENTILES.iter().zip(samples);
    told.map(|((name, _), sample)| {
        let title = format!("{what} time p{name}");
        let metric = lower(&time_name(name, whole), &title, "ns");
        (metric, sample, SHOWN.contains(name))
    })
    .collect()
}

/// The width of the bucket of times that `value` lies in, 0 where it has one of its own.
fn width(value: u64) -> f64 {
    let scheme = bucket::DURATION;
    let index = scheme.index(value);
    match scheme.high(index).map(|high| high - scheme.low(index)) {
        None | Some(1) => 0.0,
        Some(width) => width as f64,
    }
}

fn exact(runs: &[Searches], value: impl Fn(&Searches) -> Option<f64>) -> Sample {
    Sample {
        values: runs.iter().filter_map(value).collect(),
        resolution: 0.0,
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn lower(name: &str, title: &str, unit: &str) -> Metric {
    Metric {
        origin: Origin::Sisprobe,
        name: name.into(),
        title: title.into(),
        unit: unit.into(),
        better: Direction::Lower,
    }
}
