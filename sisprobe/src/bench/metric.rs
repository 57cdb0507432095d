//! One figure of one run.

use serde::{Deserialize, Serialize};

/// How many metrics one output can give. `stress-ng --seq` has some 350 stressors.
pub const MAX_METRICS: usize = 512;

/// A figure that a benchmark printed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Metric {
    /// Letters, digits and `_`, no digit first.
    pub name: String,
    /// As in "s", "us", "ops/s", "MB/s"; empty where it is not known.
    pub unit: String,
    /// Which direction is the better one.
    pub better: Better,
    /// The figure, finite.
    pub value: f64,
}

/// Whether a lower or a higher figure is the better one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Times, latencies.
    #[default]
    Lower,
    /// Throughput, rates.
    Higher,
}

impl Better {
    /// As on the command line and in files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
        }
    }
}

impl Metric {
    /// A time or latency.
    pub(super) fn lower(name: impl Into<String>, unit: &str, value: f64) -> Self {
        Self::new(name, unit, Better::Lower, value)
    }

    /// A throughput or rate.
    pub(super) fn higher(name: impl Into<String>, unit: &str, value: f64) -> Self {
        Self::new(name, unit, Better::Higher, value)
    }

    fn new(name: impl Into<String>, unit: &str, better: Better, value: f64) -> Self {
        Self {
            name: name.into(),
            unit: unit.to_owned(),
            better,
            value,
        }
    }
}

/// Adds a metric, or replaces the one of its name. Beyond [`MAX_METRICS`] names, it is dropped.
pub fn put(metrics: &mut Vec<Metric>, metric: Metric) {
    if let Some(known) = metrics.iter_mut().find(|known| known.name == metric.name) {
        *known = metric;
    } else if metrics.len() < MAX_METRICS {
        metrics.push(metric);
    }
}

/// Whether this may be a metric's name: letters, digits and `_`, no digit first, at most 64.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= 64
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
