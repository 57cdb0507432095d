//! The last minutes of each group, as far as charts need them.

use std::collections::BTreeMap;

use crate::{
    report::{Column, Group, Report, Totals},
    sink::page::RECENT,
};

/// How many seconds a column spans; more where the interval is longer.
const COLUMN: f64 = 3.0;
/// How far back it goes, in seconds.
const SPAN: f64 = 600.0;
/// Columns of a group at most, the one under way among them.
const COLUMNS: usize = (SPAN / COLUMN) as usize + 1;
/// Groups at most that have a history; those that count something first. A machine has fewer LLCs
/// and NUMA nodes, but may have more CPUs.
const GROUPS: usize = 192;

/// The most memory that all columns take, in bytes.
const MEMORY: usize = GROUPS * COLUMNS * size_of::<Column>();
const _: () = assert!(MEMORY < 10_000_000, "docs/web-page.md says 10 MB");

/// The last [`SPAN`] seconds.
#[derive(Debug, Default)]
pub(super) struct History {
    groups: BTreeMap<String, Series>,
    /// When the last report was pushed, in seconds since the probes were enabled.
    last: f64,
}

#[derive(Debug)]
struct Series {
    totals: Totals,
    columns: Vec<Column>,
}

impl History {
    /// Adds what happened since the last report.
    pub(super) fn push(&mut self, report: &Report) {
        if report.elapsed < self.last {
            // Of another run.
            *self = Self::default();
        }
        let oldest = report.elapsed - SPAN;
        self.groups.retain(|name, series| {
            let last = series.columns.last();
            last.is_some_and(|last| last.to() >= oldest)
                || report.groups.iter().any(|group| group.name == *name)
        });
        let from = self.last;
        self.last = report.elapsed;
        for group in &report.groups {
            if let Some(series) = self.series(group) {
                series.push(group, report, from);
            }
        }
    }

    /// Of a group that has never counted anything, and of which nothing is predicted, there is
    /// nothing to be kept.
    fn series(&mut self, group: &Group) -> Option<&mut Series> {
        let is_known = self.groups.contains_key(&group.name);
        let is_nothing = group.figures.is_empty() && group.predictions.is_empty();
        if !is_known && (is_nothing || self.groups.len() >= GROUPS) {
            return None;
        }
        let series = self.groups.entry(group.name.clone());
        Some(series.or_insert_with(|| Series {
            totals: Totals::default(),
            columns: Vec::with_capacity(COLUMNS),
        }))
    }

    /// What happened in a group, in the order of time; nothing where nothing is kept of it.
    pub(super) fn columns(&self, group: &str) -> Vec<Column> {
        let series = self.groups.get(group);
        series.map_or_else(Vec::new, |series| series.columns.clone())
    }

    /// The last seconds of each group, [`RECENT`] at least, if there are.
    pub(super) fn recent(&self) -> BTreeMap<String, Vec<Column>> {
        let recent = |series: &Series| {
            let columns = &series.columns;
            let begun = |column: &Column| self.last - column.from() >= RECENT;
            columns[columns.iter().rposition(begun).unwrap_or(0)..].to_vec()
        };
        let groups = self.groups.iter();
        groups
            .map(|(name, series)| (name.clone(), recent(series)))
            .collect()
    }
}

impl Series {
    fn push(&mut self, group: &Group, report: &Report, from: f64) {
        let to = report.elapsed;
        // On a grid, so that the columns of all groups are those of the same spans.
        let is_other = |last: &Column| (last.from() / COLUMN).floor() != (from / COLUMN).floor();
        if self.columns.last().is_none_or(is_other) {
            let oldest = to - SPAN;
            self.columns.retain(|column| column.from() >= oldest);
            if self.columns.len() == COLUMNS {
                self.columns.remove(0);
            }
            self.columns.push(Column::new(from));
        }
        let totals = Totals::of(&group.figures);
        if let Some(column) = self.columns.last_mut() {
            column.extend(to, &self.totals, &totals);
            column.look(group, report.source.policy.policy);
        }
        self.totals = totals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{report::Figures, sink::sample};

    fn report(elapsed: f64, groups: Vec<Group>) -> Report {
        Report {
            elapsed,
            groups,
            ..sample::report(0, 0)
        }
    }

    #[test]
    fn columns_have_what_happened_between_reports() {
        let mut history = History::default();
        for second in 1..=7 {
            history.push(&sample::report(1, second));
        }
        let columns = history.columns("LLC 0");
        let spans: Vec<_> = columns.iter().map(|one| (one.from(), one.to())).collect();
        assert_eq!(spans, [(0.0, 3.0), (3.0, 6.0), (6.0, 7.0)]);
        let wakeups: Vec<_> = columns.iter().map(Column::wakeups).collect();
        let one = sample::figures(1);
        assert_eq!(wakeups, [3, 3, 1].map(|times| times * one.wakeups));
        assert_eq!(columns[1].searches(), 3 * one.searches());
        assert_eq!(columns[1].scanned(), one.scanned.mean());
        assert!(history.columns("LLC 1").is_empty());
    }

    #[test]
    fn it_goes_back_for_so_long_and_no_further() {
        for interval in [0.01, 1.0, 2.9, 7.0, 500.0, 4000.0] {
            let mut history = History::default();
            let mut elapsed = 0.0;
            let mut times = 0;
            while elapsed < 3.0 * SPAN || times < 3 {
                elapsed += interval;
                times += 1;
                let figures = Figures {
                    wakeups: times,
                    ..Figures::default()
                };
                history.push(&report(elapsed, vec![sample::group(0, figures)]));
            }
            let columns = history.columns("LLC 0");
            assert!(columns.len() <= COLUMNS, "{interval}: {}", columns.len());
            assert_eq!(history.groups["LLC 0"].columns.capacity(), COLUMNS);
            let first = &columns[0];
            let kept = elapsed - first.from();
            assert!(kept <= SPAN + COLUMN.max(interval), "{interval}: {kept}");
            assert!(
                kept >= (SPAN - COLUMN - interval).max(interval),
                "{interval}: {kept}"
            );
            for pair in columns.windows(2) {
                assert_eq!(pair[0].to(), pair[1].from());
            }
            assert_eq!(columns.last().unwrap().to(), elapsed);
        }
    }

    #[test]
    fn so_many_groups_and_no_more_and_none_of_nothing() {
        let mut history = History::default();
        let mut groups: Vec<Group> = (0..400)
            .map(|id| sample::group(id, sample::figures(u64::from(id % 2))))
            .collect();
        for group in &mut groups {
            group.predictions.clear();
            if group.figures.wakeups == 0 {
                group.figures = Figures::default();
            }
        }
        history.push(&report(1.0, groups));
        assert_eq!(history.groups.len(), GROUPS);
        assert!(history.columns("LLC 0").is_empty());
        assert!(!history.columns("LLC 1").is_empty());
        // Those that are gone for long make room.
        history.push(&report(
            2.0 * SPAN,
            vec![sample::group(999, sample::figures(1))],
        ));
        assert_eq!(history.groups.keys().collect::<Vec<_>>(), ["LLC 999"]);
    }

    #[test]
    fn rates_are_of_the_last_seconds() {
        let mut history = History::default();
        for second in 1..=100 {
            history.push(&sample::report(1, second));
        }
        let recent = &history.recent()["LLC 0"];
        let seconds = recent.last().unwrap().to() - recent[0].from();
        assert!(
            (RECENT..RECENT + 2.0 * COLUMN).contains(&seconds),
            "{seconds}"
        );
    }

    #[test]
    fn another_run_begins_anew() {
        let mut history = History::default();
        history.push(&sample::report(2, 50));
        history.push(&sample::report(1, 3));
        assert_eq!(history.columns("LLC 0").len(), 1);
        assert!(history.columns("LLC 1").is_empty());
    }
}
