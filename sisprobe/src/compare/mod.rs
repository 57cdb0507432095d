//! Captures → rows of a table, each with a verdict. Pure.

mod differences;
mod error;
mod measured;
mod metric;
mod search;
mod sides;
pub mod statistics;
mod table;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::{
    measured::Measured,
    sides::Side,
    statistics::{Summary, Test},
};
use crate::capture::Capture;

pub use self::{
    error::CompareError,
    metric::{Direction, Metric, Origin},
};

/// A capture under the name that the reader is to see: that of its file.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// Another one than those of all others.
    pub name: String,
    /// The capture.
    pub capture: &'a Capture,
}

/// What the reader chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Metrics by name; none for those that are shown without being asked for.
    pub metrics: Option<Vec<String>>,
    /// Groups by name, whose figures are put together; all where there is none.
    pub groups: Vec<String>,
}

/// Captures held against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The name of what the others are held against: a file, or a setting of an A/B matrix.
    pub base: String,
    /// The names of the others.
    pub new: Vec<String>,
    /// What stands in the way of a comparison, or of trust in it.
    pub warnings: Vec<String>,
    /// What the reader must know besides.
    pub notes: Vec<String>,
    /// A table for each metric.
    pub tables: Vec<Table>,
    /// The same of all percentiles of the search time, for the percentile form.
    pub percentiles: Vec<Table>,
}

/// One metric, over all cases and loads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The metric.
    pub metric: Metric,
    /// In the order of the captures; those of a matrix by load.
    pub rows: Vec<Row>,
}

/// One metric of one case under one load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What ran: the label `case`, else the command's name, else `duration`.
    pub case: String,
    /// Under which load: that of a cell, else the label `load`, else the command's arguments.
    pub load: String,
    /// The base.
    pub base: Summary,
    /// The others, in their order; none for one that has no such case, load or metric.
    pub new: Vec<Option<Compared>>,
}

/// One side against the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Its runs.
    pub side: Summary,
    /// The difference of the means in percent of the base's: more is better, whatever the metric's
    /// direction; where neither is better, more is more. None where the base's mean is 0.
    pub percent: Option<f64>,
    /// Whether that is more than noise.
    pub verdict: Verdict,
    /// By which test; none with one run on a side.
    pub test: Option<Test>,
    /// How often chance alone gives a difference like this, 0 to 1; none without a test, and
    /// where the difference is no more than the width of a bucket, of which ranks cannot tell.
    pub p: Option<f64>,
    /// Where the difference lies with 99 %, in the same percent: of Welch's test only. The base's
    /// mean that it is divided by is taken as exact.
    pub interval_percent: Option<(f64, f64)>,
}

/// Whether a difference is more than noise, at 1 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better than the base.
    Better,
    /// Worse than the base.
    Worse,
    /// Another than the base, where neither direction is better.
    Differs,
    /// No more than noise; not that the two are the same.
    NoDifference,
    /// One run on a side: nothing can be said.
    OneRun,
}

impl Verdict {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Differs => "differs",
            Self::NoDifference => "no difference",
            Self::OneRun => "one run",
        }
    }

    /// Whether it tells a difference.
    pub const fn is_told(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Differs)
    }
}

impl Comparison {
    /// Holds captures against the first of them. Where all are cells of an A/B matrix with more
    /// than one setting, they are put together by setting, the first setting is the base, and
    /// cells of the same case and load are paired.
    ///
    /// # Errors
    ///
    /// [`CompareError`]: what was asked for is not there, or cannot be compared.
    pub fn of(captures: &[Named<'_>], choice: &Choice) -> Result<Self, CompareError> {
        let measured: Vec<Measured<'_>> = captures
            .iter()
            .map(|named| Measured::of(named, &choice.groups))
            .collect::<Result<_, _>>()?;
        let sides = sides::of(measured)?;
        let (base, new) = sides.split_first().ok_or(CompareError::One)?;
        let offered = table::offered(&sides)?;
        let chosen = table::chosen(&offered, choice)?;
        let tables = |metrics: &[&Metric]| -> Vec<Table> {
            let tables = metrics.iter();
            tables
                .map(|&metric| table::of(metric, base, new))
                .filter(|table| !table.rows.is_empty())
                .collect()
        };
        let (shown, percentiles) = (tables(&chosen), tables(&table::percentiles(&offered)));
        if shown.is_empty() {
            return Err(nothing(base, new));
        }
        let names = |sides: &[Side<'_>]| sides.iter().map(|side| side.name.clone()).collect();
        Ok(Self {
            base: base.name.clone(),
            new: names(new),
            warnings: differences::warnings(base, new),
            notes: differences::notes(base, new, &chosen),
            tables: shown,
            percentiles,
        })
    }
}

/// Why there is no row at all.
fn nothing(base: &Side<'_>, new: &[Side<'_>]) -> CompareError {
    let has_runs = |side: &&Side<'_>| {
        let mut runs = side.captures.iter().flat_map(Measured::runs);
        runs.next().is_some()
    };
    let mut sides = std::iter::once(base).chain(new);
    match sides.find(|side| !has_runs(side)) {
        Some(side) => CompareError::Nothing(side.name.clone()),
        None => CompareError::Apart,
    }
}
