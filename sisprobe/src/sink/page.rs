//! What the web page shows, with every number in the form in which it is shown: the page itself
//! computes nothing.

mod group;
mod health;

use std::collections::BTreeMap;

use serde::Serialize;

pub use self::group::GroupView;
use self::health::warning;
pub(super) use self::{
    group::{outcomes, times},
    health::HealthView,
};
use super::{Unit, number, words};
use crate::{
    plan::Fidelity,
    policy::Policy,
    report::{Column, Figures, Group, Observation, Report},
};

/// The page at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Seconds since the probes were enabled, as in the report.
    pub elapsed: f64,
    /// The same to be read.
    pub measured: String,
    /// The fidelity by name, and what it means.
    pub fidelity: [String; 2],
    /// How and on what it was measured.
    pub source: Vec<Fact>,
    /// What a reader must know before trusting the figures.
    pub warnings: Vec<String>,
    /// What was missed or lost.
    pub health: HealthView,
    /// One row for each group.
    pub groups: Table,
    /// Why these figures are not of now; none where they are.
    pub stale: Option<String>,
    /// The one that was asked for.
    pub group: Option<GroupView>,
}

/// A name and a value.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// Few words.
    pub name: String,
    /// With its unit.
    pub value: String,
}

/// A table. The first column heads its row.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// As many cells each as there are columns; where there are fewer, the last one is over all
    /// that are left.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(columns: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self {
            columns: columns.iter().map(|&name| name.into()).collect(),
            rows,
        }
    }
}

/// What was before the report.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The last seconds of each group, by its name; [`RECENT`] of them at least, if there are.
    pub recent: BTreeMap<String, Vec<Column>>,
    /// The last minutes of the group that is shown.
    pub group: Vec<Column>,
}

/// The group to be shown: the one of that name, or without a name the first that counted
/// something.
pub fn group<'a>(report: &'a Report, name: Option<&str>) -> Option<&'a Group> {
    let mut groups = report.groups.iter();
    match name {
        Some(name) => groups.find(|group| group.name == name),
        None => (groups.find(|group| !group.figures.is_empty())).or_else(|| report.groups.first()),
    }
}

/// What the page shows of an observation: of all groups in short, and all of `group`, one of them.
/// `chosen` are the policies told besides the active one.
pub fn view(
    observation: &Observation,
    chosen: &[Policy],
    group: Option<&Group>,
    past: &Past,
) -> View {
    let (report, disarmed) = (&observation.report, &observation.disarmed);
    let source = &report.source;
    View {
        elapsed: report.elapsed,
        measured: number::seconds(report.elapsed),
        fidelity: [
            source.fidelity.to_string(),
            words::fidelity(source.fidelity).into(),
        ],
        source: how(report),
        warnings: (warning(disarmed).into_iter())
            .chain(source.warnings.iter().cloned())
            .collect(),
        health: HealthView::of(&report.health, Some(disarmed)),
        groups: groups(report, past),
        stale: None,
        group: group.map(|group| GroupView::of(group, report, chosen, &past.group)),
    }
}

fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact {
        name: name.into(),
        value: value.into(),
    }
}

/// The fidelity by name, and what it means.
pub(super) fn fidelity(report: &Report) -> String {
    let fidelity = report.source.fidelity;
    format!("{fidelity}: {}", words::fidelity(fidelity))
}

/// How and on what it was measured, but for the fidelity.
pub(super) fn how(report: &Report) -> Vec<Fact> {
    let source = &report.source;
    let features = match &source.sis_features {
        None => "unknown".into(),
        Some(features) if features.is_empty() => "none".into(),
        Some(features) => features.join(", "),
    };
    let mut facts = vec![
        fact("policy", source.policy.to_string()),
        fact("features on", features),
        fact("kernel", &source.release),
        fact("attached by", words::attach(source.attach)),
        fact("core searches", words::core_timing(source.core_timing)),
    ];
    if let Some(from) = &source.inlined_from {
        facts.push(fact("inlined search found in", from));
    }
    if let Some(group_by) = words::group_by(source) {
        facts.push(fact("a group is a", group_by));
    }
    facts
}

/// The columns of the overview.
const OVERVIEW: [&str; 8] = [
    "group",
    "wake-ups/s",
    "searches/s",
    "p50, us",
    "p99, us",
    "scanned, mean",
    "predicted",
    "utilisation",
];

fn groups(report: &Report, past: &Past) -> Table {
    let bracketed = report.source.fidelity == Fidelity::Bracketed;
    let row = |group: &Group| {
        let columns = past.recent.get(&group.name);
        let recent = recent(columns.map_or(&[], Vec::as_slice));
        let searches = if bracketed {
            "-".into()
        } else {
            rate(recent.map(|(_, searches, seconds)| (searches, seconds)))
        };
        let [p50, p99] = percentiles(&group.figures);
        let mean = group.figures.scanned.mean();
        vec![
            group.name.clone(),
            rate(recent.map(|(wakeups, _, seconds)| (wakeups, seconds))),
            searches,
            p50,
            p99,
            mean.map_or_else(|| "-".into(), number::mean),
            predicted(group, report),
            group.state.as_ref().map_or_else(
                || "-".into(),
                |state| number::share(state.sum_util, state.capacity),
            ),
        ]
    };
    let mut table = Table::new(&OVERVIEW, report.groups.iter().map(row).collect());
    if bracketed {
        table.columns[5] = "looked at, mean".into();
    }
    table
}

/// Seconds over which a rate is told, at least.
pub const RECENT: f64 = 9.0;

/// Wake-ups and searches of the last seconds, and how many seconds those are.
fn recent(columns: &[Column]) -> Option<(u64, u64, f64)> {
    let end = columns.last()?.to();
    let first = columns
        .iter()
        .rposition(|column| end - column.from() >= RECENT);
    let recent = &columns[first.unwrap_or(0)..];
    let sum = |of: fn(&Column) -> u64| recent.iter().map(of).sum();
    Some((
        sum(Column::wakeups),
        sum(Column::searches),
        end - recent[0].from(),
    ))
}

/// Without its unit, which is in the head.
fn rate(recent: Option<(u64, f64)>) -> String {
    let (count, seconds) = recent.unwrap_or_default();
    number::rate(count, seconds).trim_end_matches("/s").into()
}

fn percentiles(figures: &Figures) -> [String; 2] {
    let told = figures.duration.percentiles([0.5, 0.99]);
    told.map_or(["-".into(), "-".into()], |told| {
        told.map(|value| number::percentile(value, |ns| Unit::Us.number(ns)))
    })
}

/// Of the active policy; for a group that has no prediction, none.
fn predicted(group: &Group, report: &Report) -> String {
    let active = report.source.policy.policy;
    let mut said = group.predictions.iter();
    said.find(|said| Some(said.policy) == active)
        .and_then(|said| said.predicted.cpus())
        .map_or_else(|| "-".into(), number::mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{prometheus::tests::observation, sample};

    #[test]
    fn bracketed_tells_no_searches() {
        let seen = observation(sample::bracketed(1, 5));
        let view = view(&seen, &[], group(&seen.report, None), &Past::default());
        assert_eq!(view.fidelity[0], "bracketed");
        assert_eq!(view.groups.rows[0][2], "-");
        let group = view.group.unwrap();
        assert!(group.no_outcomes.unwrap().contains("bracketed"));
        assert!(group.outcomes.rows.is_empty());
        let keys: Vec<_> = group.histograms.iter().map(|one| one.key).collect();
        assert_eq!(keys, ["duration", "scanned"]);
    }

    #[test]
    fn what_is_lost_is_not_good() {
        let mut seen = observation(sample::report(1, 5));
        let told = |seen: &Observation| view(seen, &[], None, &Past::default()).health;
        assert!(told(&seen).is_good);
        seen.report.health.unmatched_exits = 3;
        let health = told(&seen);
        assert!(!health.is_good);
        assert_eq!(health.verdict, "missed 0, some unknown; lost 3");
    }

    #[test]
    fn a_probe_that_sees_nothing_is_not_good() {
        let mut seen = observation(sample::report(1, 5));
        let probes = &seen.report.health.probes;
        let (name, all) = (probes[0].name.clone(), probes.len());
        let armed = |seen: &Observation| {
            let view = view(seen, &[], None, &Past::default());
            let rows = view.health.probes.rows.into_iter();
            let armed: Vec<String> = rows.map(|row| row[1].clone()).collect();
            (
                armed,
                view.health.is_good,
                view.health.verdict,
                view.warnings,
            )
        };
        let (before, is_good, ..) = armed(&seen);
        assert!(is_good && before.iter().all(|armed| armed == "yes"));
        seen.disarmed = vec![name.clone()];
        let (after, is_good, verdict, warnings) = armed(&seen);
        assert!(!is_good);
        assert_eq!(
            (after[0].as_str(), after[1..].concat()),
            ("no", before[1..].concat())
        );
        let words = format!("1 of {all} probes disarmed; ");
        assert!(verdict.starts_with(&words), "{verdict}");
        assert!(warnings[0].contains(&name), "{warnings:?}");
    }
}
