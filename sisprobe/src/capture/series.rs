//! A group over the time of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    policy::Policy,
    report::{Column, Group, Report, State, Totals},
};

/// Columns of a group at most. Where there would be more, two are made one, and from then on
/// columns are twice as long.
const COLUMNS: usize = 100;
/// Groups at most that are followed; those that count something first.
const GROUPS: usize = 192;

/// One group over the time of a run; times are in seconds since the run began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Series {
    /// The group's name, as in the report.
    pub group: String,
    /// What happened in each span of time, in their order.
    pub columns: Vec<Column>,
    /// Its CPUs, and what policies made of them, at the ends of these spans.
    pub looks: Vec<Look>,
}

/// A group's CPUs at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Look {
    /// Seconds since the run began.
    pub at: f64,
    /// The CPUs.
    pub state: State,
    /// The number of CPUs that each policy lets a linear scan look at, as the mean over the CPUs
    /// that it may run on; without those that cannot be told here.
    pub predicted: BTreeMap<Policy, f64>,
}

/// Makes the series of a run out of its reports.
#[derive(Debug)]
pub struct Recorder {
    /// When the run began, in seconds since the probes were enabled.
    began: f64,
    /// When the last report was pushed.
    last: f64,
    /// How many reports make a column.
    each: usize,
    /// How many reports the last column has.
    filled: usize,
    groups: Vec<Followed>,
    before: BTreeMap<String, Totals>,
}

#[derive(Debug)]
struct Followed {
    series: Series,
    totals: Totals,
}

impl Recorder {
    /// A run that begins with `report`.
    pub fn new(report: &Report) -> Self {
        let groups = report.groups.iter();
        Self {
            began: report.elapsed,
            last: report.elapsed,
            each: 1,
            filled: 1,
            groups: Vec::new(),
            before: groups
                .map(|group| (group.name.clone(), Totals::of(&group.figures)))
                .collect(),
        }
    }

    /// Adds what happened since the last report of the same measurement.
    pub fn push(&mut self, report: &Report) {
        let full = self.filled >= self.each;
        if full && self.columns() >= COLUMNS {
            self.halve();
        }
        let begins = self.filled >= self.each;
        self.filled = if begins { 1 } else { self.filled + 1 };
        let (from, to) = (self.last - self.began, report.elapsed - self.began);
        self.last = report.elapsed;
        for group in &report.groups {
            let Some(followed) = self.followed(group) else {
                continue;
            };
            let totals = Totals::of(&group.figures);
            let columns = &mut followed.series.columns;
            if begins || columns.is_empty() {
                columns.push(Column::new(from));
            } else {
                followed.series.looks.pop();
            }
            if let Some(column) = columns.last_mut() {
                column.extend(to, &followed.totals, &totals);
                column.look(group, report.source.policy.policy);
            }
            followed.totals = totals;
            followed.series.looks.extend(look(group, to));
        }
    }

    /// The series, those of groups in which nothing happened left out.
    pub fn finish(self) -> Vec<Series> {
        let all = self.groups.into_iter().map(|followed| followed.series);
        all.collect()
    }

    fn columns(&self) -> usize {
        let lengths = self.groups.iter();
        lengths
            .map(|followed| followed.series.columns.len())
            .max()
            .unwrap_or(0)
    }

    fn followed(&mut self, group: &Group) -> Option<&mut Followed> {
        let place = self
            .groups
            .iter()
            .position(|followed| followed.series.group == group.name);
        if let Some(place) = place {
            return self.groups.get_mut(place);
        }
        let before = self.before.get(&group.name).cloned().unwrap_or_default();
        let is_nothing = Totals::of(&group.figures) == before && group.predictions.is_empty();
        if is_nothing || self.groups.len() >= GROUPS {
            return None;
        }
        self.groups.push(Followed {
            series: Series {
                group: group.name.clone(),
                columns: Vec::new(),
                looks: Vec::new(),
            },
            totals: before,
        });
        self.groups.last_mut()
    }

    /// Makes one column out of each two; the look is that at its end.
    fn halve(&mut self) {
        self.each *= 2;
        self.filled = self.each;
        for followed in &mut self.groups {
            let Series { columns, looks, .. } = &mut followed.series;
            *columns = columns
                .chunks(2)
                .map(|pair| match pair {
                    [first, second] => first.clone().joined(second),
                    _ => pair[0].clone(),
                })
                .collect();
            let ends: Vec<f64> = columns.iter().map(Column::to).collect();
            looks.retain(|look| ends.contains(&look.at));
        }
    }
}

fn look(group: &Group, at: f64) -> Option<Look> {
    let state = group.state.clone()?;
    let predictions = group.predictions.iter();
    Some(Look {
        at,
        state,
        predicted: predictions
            .filter_map(|said| Some((said.policy, said.predicted.cpus()?)))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::sample;

    fn at(elapsed: u32) -> Report {
        sample::report(1, elapsed)
    }

    #[test]
    fn columns_have_what_happened_since_the_run_began() {
        let mut recorder = Recorder::new(&at(5));
        for second in 6..=8 {
            recorder.push(&at(second));
        }
        let series = recorder.finish();
        let first = &series[0];
        assert_eq!(first.group, "LLC 0");
        let spans: Vec<_> = first.columns.iter().map(|c| (c.from(), c.to())).collect();
        assert_eq!(spans, [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]);
        for column in &first.columns {
            assert_eq!(column.wakeups(), sample::figures(1).wakeups);
        }
        let looks: Vec<f64> = first.looks.iter().map(|look| look.at).collect();
        assert_eq!(looks, [1.0, 2.0, 3.0]);
        assert!(first.looks[0].predicted[&Policy::SisUtil] > 0.0);
    }

    #[test]
    fn a_long_run_has_longer_columns_and_loses_nothing() {
        let mut recorder = Recorder::new(&at(0));
        for second in 1..=1_000 {
            recorder.push(&at(second));
        }
        let series = recorder.finish();
        let columns = &series[0].columns;
        assert!((COLUMNS / 2..=COLUMNS).contains(&columns.len()));
        assert_eq!(columns[0].from(), 0.0);
        for pair in columns.windows(2) {
            assert_eq!(pair[0].to(), pair[1].from());
        }
        assert_eq!(columns.last().unwrap().to(), 1_000.0);
        let wakeups: u64 = columns.iter().map(Column::wakeups).sum();
        assert_eq!(wakeups, 1_000 * sample::figures(1).wakeups);
        let ends: Vec<f64> = columns.iter().map(Column::to).collect();
        let looks: Vec<f64> = series[0].looks.iter().map(|look| look.at).collect();
        assert_eq!(looks, ends);
    }
}
