//! What is compared.

use serde::Serialize;

use super::{CompareError, statistics::Sample};
use crate::{
    bench::{self, Better},
    capture::Run,
};

/// Something that each run has one value of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Metric {
    /// Who told it.
    pub origin: Origin,
    /// As `--metric` takes it.
    pub name: String,
    /// In a few words.
    pub title: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// What is better.
    pub better: Direction,
}

/// Who told a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The benchmark.
    Benchmark,
    /// sisprobe.
    Sisprobe,
}

/// What is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Less.
    Lower,
    /// More.
    Higher,
    /// Neither: it depends on what else changed.
    Neither,
}

impl From<Better> for Direction {
    fn from(better: Better) -> Self {
        match better {
            Better::Lower => Self::Lower,
            Better::Higher => Self::Higher,
        }
    }
}

impl Direction {
    /// What a difference (new less base) is multiplied by so that more is better. Where neither is,
    /// it keeps its sign.
    pub(super) const fn sign(self) -> f64 {
        match self {
            Self::Lower => -1.0,
            Self::Higher | Self::Neither => 1.0,
        }
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lower => "lower is better",
            Self::Higher => "higher is better",
            Self::Neither => "neither is better",
        }
    }
}

impl Metric {
    /// Whether both are the same to the reader.
    pub(super) fn is_named_as(&self, other: &Self) -> bool {
        self.origin == other.origin && self.name == other.name
    }

    /// Of a benchmark.
    fn of(metric: &bench::Metric) -> Self {
        Self {
            origin: Origin::Benchmark,
            name: metric.name.clone(),
            title: metric.name.clone(),
            unit: metric.unit.clone(),
            better: metric.better.into(),
        }
    }

    /// The command's time from start to end, for commands that tell nothing themselves.
    pub(super) fn wall_time() -> Self {
        Self {
            origin: Origin::Sisprobe,
            name: "wall_time".into(),
            title: "wall time".into(),
            unit: "s".into(),
            better: Direction::Lower,
        }
    }

    /// Where two metrics of one name must be alike.
    ///
    /// # Errors
    ///
    /// [`CompareError::Unlike`] where their units differ, or what is better.
    pub(super) fn must_be_like(&self, other: &Self) -> Result<(), CompareError> {
        if self.unit == other.unit && self.better == other.better {
            return Ok(());
        }
        let told = |metric: &Self| match metric.unit.as_str() {
            "" => format!("no unit ({})", metric.better.words()),
            unit => format!("{unit} ({})", metric.better.words()),
        };
        Err(CompareError::Unlike {
            name: self.name.clone(),
            here: told(self),
            there: told(other),
        })
    }
}

/// What the benchmark told in these runs, in the order in which it first did. A run that does not
/// tell a metric has no value of it.
///
/// # Errors
///
/// [`CompareError::Unlike`] where one of them changes its unit from run to run.
pub(super) fn of_benchmark(runs: &[&Run]) -> Result<Vec<(Metric, Sample)>, CompareError> {
    let mut found: Vec<(Metric, Sample)> = Vec::new();
    for run in runs {
        for (place, told) in run.metrics.iter().enumerate() {
            let earlier = &run.metrics[..place];
            if !told.value.is_finite() || earlier.iter().any(|one| one.name == told.name) {
                continue;
            }
            let metric = Metric::of(told);
            let place = found
                .iter()
                .position(|(known, _)| known.is_named_as(&metric));
            match place.and_then(|place| found.get_mut(place)) {
                Some((known, sample)) => {
                    known.must_be_like(&metric)?;
                    sample.values.push(told.value);
                }
                None => found.push((
                    metric,
                    Sample {
                        values: vec![told.value],
                        resolution: 0.0,
                    },
                )),
            }
        }
    }
    Ok(found)
}
