//! Which runs of a capture stand for it, and what they have in common.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{Capture, Run};
use crate::{
    bench::Better,
    report::{Column, Report},
    summary::Summary,
};

/// There is no such run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no run {number}: it has {runs}, counted from 1")]
pub struct NoRun {
    /// The number asked for.
    pub number: usize,
    /// How many there are.
    pub runs: usize,
}

/// A figure that each run tells once.
#[derive(Clone, Debug, PartialEq)]
pub struct OfRuns {
    /// Its name.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// What is better.
    pub better: Better,
    /// One value a run, those of runs that did not tell it left out.
    pub values: Vec<f64>,
}

impl OfRuns {
    /// The mean; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| Summary::of(&self.values).mean)
    }

    /// The standard deviation of the sample; none of less than two values.
    pub fn deviation(&self) -> Option<f64> {
        Summary::of(&self.values).std
    }

    /// The least and the greatest; none of nothing.
    pub fn range(&self) -> Option<(f64, f64)> {
        let least = self.values.iter().copied().reduce(f64::min)?;
        let most = self.values.iter().copied().reduce(f64::max)?;
        Some((least, most))
    }
}

impl Capture {
    /// The runs whose figures stand for the command, with their numbers, counted from 1: those that
    /// ended well, or all where none did.
    pub fn counted(&self) -> Vec<(usize, &Run)> {
        let all = || {
            self.runs
                .iter()
                .enumerate()
                .map(|(index, run)| (index + 1, run))
        };
        let well: Vec<_> = all().filter(|(_, run)| run.counts()).collect();
        if well.is_empty() {
            all().collect()
        } else {
            well
        }
    }

    /// Run `number`, counted from 1.
    ///
    /// # Errors
    ///
    /// [`NoRun`].
    pub fn run(&self, number: usize) -> Result<&Run, NoRun> {
        let run = number.checked_sub(1).and_then(|place| self.runs.get(place));
        let runs = self.runs.len();
        run.ok_or(NoRun { number, runs })
    }

    /// The runs that count added up; none where there is no run.
    pub fn joined(&self) -> Option<Report> {
        let counted = self.counted();
        let (first, rest) = counted.split_first()?;
        let whole = rest.iter();
        Some(whole.fold(first.1.report.clone(), |whole, (_, run)| {
            whole.joined(&run.report)
        }))
    }

    /// Of the runs that count the one whose wall time is in the middle, with its number: what is
    /// shown where there is room for one. None where there is no run.
    pub fn typical(&self) -> Option<(usize, &Run)> {
        let mut counted = self.counted();
        counted.sort_by(|(_, one), (_, other)| one.wall_time.total_cmp(&other.wall_time));
        let middle = counted.len().checked_sub(1)? / 2;
        counted.get(middle).copied()
    }

    /// What the runs that count tell: the benchmark's figures, and the wall time at the end.
    pub fn metrics(&self) -> Vec<OfRuns> {
        self.metrics_of(&self.counted())
    }

    /// What these of its runs tell.
    pub fn metrics_of(&self, runs: &[(usize, &Run)]) -> Vec<OfRuns> {
        let mut all: Vec<OfRuns> = Vec::new();
        let mut places = BTreeMap::new();
        for metric in runs.iter().flat_map(|(_, run)| &run.metrics) {
            let key = (&metric.name, &metric.unit);
            let place = *places.entry(key).or_insert(all.len());
            if place == all.len() {
                all.push(OfRuns {
                    name: metric.name.clone(),
                    unit: metric.unit.clone(),
                    better: metric.better,
                    values: Vec::new(),
                });
            }
            all[place].values.push(metric.value);
        }
        if !self.command.is_empty() {
            all.push(OfRuns {
                name: "wall time".into(),
                unit: "s".into(),
                better: Better::Lower,
                values: runs.iter().map(|(_, run)| run.wall_time).collect(),
            });
        }
        all
    }
}

impl Run {
    /// What happened over time in `group`, or in all groups together, in at most `most` columns.
    /// What is not in the order of time is left out.
    pub fn columns(&self, group: Option<&str>, most: usize) -> Vec<Column> {
        let wanted = |name: &str| group.is_none_or(|group| group == name);
        let series = self.series.iter().filter(|series| wanted(&series.group));
        let mut columns: Vec<&Column> = series.flat_map(|series| &series.columns).collect();
        columns.sort_by(|one, other| one.to().total_cmp(&other.to()));
        let mut spans: Vec<Column> = Vec::new();
        for column in columns {
            match spans.last_mut() {
                Some(last) if last.to() == column.to() => *last = last.clone().beside(column),
                Some(last) if column.from() < last.to() => {}
                _ if column.from() > column.to() => {}
                _ => spans.push(column.clone()),
            }
        }
        let each = spans.len().div_ceil(most.max(1)).max(1);
        let joined = spans.chunks(each).filter_map(|chunk| {
            let (first, rest) = chunk.split_first()?;
            Some(rest.iter().fold(first.clone(), Column::joined))
        });
        joined.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Exit, sample};

    #[test]
    fn runs_that_ended_well_are_added_up() {
        let mut capture = sample::capture(3);
        capture.runs[1].exit = Some(Exit::Status(1));
        let numbers: Vec<usize> = capture
            .counted()
            .iter()
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(numbers, [1, 3]);
        let joined = capture.joined().unwrap();
        // Runs have 1, 2 and 3 times 5 × 120000 wake-ups.
        assert_eq!(joined.groups[0].figures.wakeups, (5 + 15) * 120_000);
        for run in &mut capture.runs {
            run.exit = Some(Exit::Signal(9));
        }
        assert_eq!(capture.counted().len(), 3);
        capture.runs.clear();
        assert_eq!(capture.joined(), None);
        assert_eq!(capture.typical(), None);
        assert_eq!(
            capture.run(1).unwrap_err().to_string(),
            "there is no run 1: it has 0, counted from 1"
        );
    }

    #[test]
    fn the_typical_run_is_that_of_the_middle() {
        let mut capture = sample::capture(3);
        for (run, seconds) in capture.runs.iter_mut().zip([9.0, 5.0, 7.0]) {
            run.wall_time = seconds;
        }
        assert_eq!(capture.typical().unwrap().0, 3);
        capture.runs.pop();
        assert_eq!(capture.typical().unwrap().0, 2);
    }

    #[test]
    fn figures_of_runs_have_mean_and_deviation() {
        let metrics = sample::capture(3).metrics();
        let [time, wall] = &metrics[..] else {
            panic!("{metrics:?}")
        };
        assert_eq!((&*time.name, &*wall.name), ("time", "wall time"));
        assert!((time.mean().unwrap() - 5.01).abs() < 1e-12);
        assert!((time.deviation().unwrap() - 0.01).abs() < 1e-12);
        assert_eq!(time.range(), Some((5.0, 5.02)));
        assert_eq!(wall.deviation(), Some(0.0));
    }

    #[test]
    fn figures_beyond_all_measure_stay_figures() {
        let of = |values: &[f64]| OfRuns {
            name: String::new(),
            unit: String::new(),
            better: Better::Higher,
            values: values.into(),
        };
        let great = of(&[1.7e308, 1.6e308, 1.7e308]);
        assert!(great.mean().unwrap().is_finite());
        assert!(great.deviation().unwrap().is_finite());
        assert_eq!(of(&[1.0]).deviation(), None);
        assert_eq!(of(&[]).mean(), None);
    }

    #[test]
    fn columns_of_all_groups_are_in_the_order_of_time() {
        let capture = sample::capture(1);
        let run = &capture.runs[0];
        let one = run.columns(Some("LLC 0"), 240);
        assert_eq!(one, run.series[0].columns);
        let all = run.columns(None, 240);
        assert_eq!(all.len(), 5);
        let wakeups = |columns: &[Column]| columns.iter().map(Column::wakeups).sum::<u64>();
        assert_eq!(wakeups(&all), run.report.total().wakeups);
        let few = run.columns(None, 2);
        assert_eq!(few.len(), 2);
        assert_eq!(wakeups(&few), wakeups(&all));
        assert_eq!(few[1].to(), 5.0);
        assert_eq!(run.columns(Some("none"), 2), []);
    }

    #[test]
    fn columns_out_of_order_are_left_out() {
        let mut capture = sample::capture(1);
        let columns = &mut capture.runs[0].series[0].columns;
        let mut wild = Column::new(1e308);
        wild = Column::new(-1e308).joined(&wild);
        columns.insert(2, wild);
        columns.swap(0, 4);
        let columns = capture.runs[0].columns(Some("LLC 0"), 240);
        for pair in columns.windows(2) {
            assert!(pair[0].to() <= pair[1].from(), "{columns:?}");
        }
    }
}
