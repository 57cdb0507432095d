//! Charts of captures: histograms and cumulative distributions of several over each other, and one
//! run over time.

mod distribution;
mod over_time;

use thiserror::Error;

pub use self::{
    distribution::{cumulative, cumulative_in_words, histogram, histogram_in_words},
    over_time::{OverTime, busiest},
};
use super::{metric::Metric, words::clean};
use crate::{
    capture::{Capture, NoRun},
    plan::Fidelity,
    report::{Figures, Report},
};

/// Columns of a chart over time at most.
pub const COLUMNS: usize = 240;

/// What a distribution is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The time of a search.
    Duration,
    /// The CPUs that a search looked at.
    Scanned,
}

impl Of {
    const fn metric(self) -> Metric {
        match self {
            Self::Duration => Metric::Duration,
            Self::Scanned => Metric::Scanned,
        }
    }
}

/// Why there is no such figure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoFigure {
    /// No run of that number.
    #[error(transparent)]
    Run(#[from] NoRun),
    /// No group of that name.
    #[error("there is no group {name:?}: it has {there}")]
    Group {
        /// The name asked for.
        name: String,
        /// Those that there are.
        there: String,
    },
    /// No run at all.
    #[error("no run of it came to its end, so there is nothing to draw")]
    Empty,
}

/// What a capture counted, with its name.
#[derive(Clone, Debug)]
pub struct Counted {
    /// As in the legend.
    pub name: String,
    /// What was counted.
    pub figures: Figures,
    /// Of what the figures are.
    pub fidelity: Fidelity,
}

impl Counted {
    /// All runs that count added up, or `run` alone; all groups, or `group` alone.
    ///
    /// # Errors
    ///
    /// [`NoFigure`].
    pub fn of(
        name: String,
        capture: &Capture,
        run: Option<usize>,
        group: Option<&str>,
    ) -> Result<Self, NoFigure> {
        let report = match run {
            Some(number) => capture.run(number)?.report.clone(),
            None => capture.joined().ok_or(NoFigure::Empty)?,
        };
        let figures = match group {
            Some(group) => find(&report, group)?.clone(),
            None => report.total(),
        };
        Ok(Self {
            name,
            figures,
            fidelity: report.source.fidelity,
        })
    }
}

/// The longest name of a capture or a group, in characters.
const NAME: usize = 60;
/// Group names at most that are told where another was asked for.
const MOST_NAMES: usize = 12;

fn find<'a>(report: &'a Report, name: &str) -> Result<&'a Figures, NoFigure> {
    let mut groups = report.groups.iter();
    if let Some(group) = groups.find(|group| group.name == name) {
        return Ok(&group.figures);
    }
    let shown = report.groups.iter().take(MOST_NAMES);
    let shown: Vec<String> = shown.map(|group| clean(&group.name, NAME)).collect();
    let mut there = shown.join(", ");
    match report.groups.len() - shown.len() {
        0 => {}
        more => there += &format!(" and {more} more"),
    }
    Err(NoFigure::Group {
        name: name.into(),
        there,
    })
}

#[cfg(test)]
mod tests;
