//! One run over time.

use super::{COLUMNS, NoFigure, find};
use crate::{
    capture::{Capture, Run},
    report::{Column, Report},
    sink::{
        chart::Chart,
        timeline::{self, Span},
    },
};

/// A run, or a group of it, over time.
#[derive(Clone, Debug)]
pub struct OverTime<'a> {
    /// The run's number, counted from 1.
    pub number: usize,
    /// The run.
    pub run: &'a Run,
    /// The group; none for all together.
    pub group: Option<String>,
    columns: Vec<Column>,
}

impl<'a> OverTime<'a> {
    /// `run`, or the one whose wall time is in the middle; `group`, or all together; in at most
    /// `most` columns.
    ///
    /// # Errors
    ///
    /// [`NoFigure`].
    pub fn of(
        capture: &'a Capture,
        run: Option<usize>,
        group: Option<&str>,
        most: usize,
    ) -> Result<Self, NoFigure> {
        let (number, run) = match run {
            Some(number) => (number, capture.run(number)?),
            None => capture.typical().ok_or(NoFigure::Empty)?,
        };
        if let Some(group) = group {
            find(&run.report, group)?;
        }
        Ok(Self {
            number,
            run,
            group: group.map(Into::into),
            columns: run.columns(group, most.min(COLUMNS)),
        })
    }

    /// How many searches took how long.
    pub fn heatmap(&self) -> Chart {
        timeline::heatmap(&self.columns, &self.run.report.source, Span::Run)
    }

    /// How many CPUs searches looked at, and how many the policy let them.
    pub fn depth(&self) -> Chart {
        let groups = self.run.report.groups.iter();
        let of = |name: &str| self.group.as_deref().is_none_or(|group| group == name);
        let sizes = groups
            .filter(|group| of(&group.name))
            .map(|group| group.size);
        let size = sizes.max().unwrap_or(1).max(1);
        timeline::depth(&self.columns, &self.run.report.source, size, Span::Run)
    }

    /// What [`OverTime::heatmap`] shows, for who does not see it.
    pub fn heatmap_in_words(&self) -> String {
        timeline::heatmap_in_words(&self.columns, Span::Run)
    }

    /// What [`OverTime::depth`] shows, for who does not see it.
    pub fn depth_in_words(&self) -> String {
        timeline::depth_in_words(&self.columns, Span::Run)
    }

    /// Of what it is: `run 2, LLC 0`.
    pub fn title(&self) -> String {
        let group = self.group.as_deref().unwrap_or("all groups together");
        format!("run {}, {group}", self.number)
    }
}

/// The group with the most searches, or where none are told with the most wake-ups; none where
/// there is no group.
pub fn busiest(report: &Report) -> Option<&str> {
    // The first of several that are alike.
    let groups = report.groups.iter().rev();
    let busiest = groups.max_by_key(|group| (group.figures.searches(), group.figures.wakeups));
    busiest.map(|group| &*group.name)
}
