//! The four things that have a histogram.

use super::{Unit, number, rows::Labels};
use crate::{histogram::Histogram, plan::Fidelity, report::Figures};

/// One of a group's histograms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// [`Figures::duration`].
    Duration,
    /// [`Figures::scanned`].
    Scanned,
    /// [`Figures::limit`].
    Limit,
    /// [`Figures::core_duration`].
    Core,
}

impl Metric {
    pub(super) const ALL: [Self; 4] = [Self::Duration, Self::Scanned, Self::Limit, Self::Core];

    pub(super) const fn histogram(self, figures: &Figures) -> &Histogram {
        match self {
            Self::Duration => &figures.duration,
            Self::Scanned => &figures.scanned,
            Self::Limit => &figures.limit,
            Self::Core => &figures.core_duration,
        }
    }

    /// The field of the figures, as in JSON.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Scanned => "scanned",
            Self::Limit => "limit",
            Self::Core => "core_duration",
        }
    }

    const fn is_duration(self) -> bool {
        matches!(self, Self::Duration | Self::Core)
    }

    /// A few words for the first column of a table.
    pub(super) fn short(self, fidelity: Fidelity, unit: Unit) -> String {
        match (self, fidelity) {
            (Self::Duration, Fidelity::Bracketed) => format!("wake-up, {}", unit.name()),
            (Self::Duration, _) => format!("search, {}", unit.name()),
            (Self::Scanned, Fidelity::Bracketed) => "CPUs looked at".into(),
            (Self::Scanned, _) => "CPUs scanned".into(),
            (Self::Limit, _) => "limit by policy".into(),
            (Self::Core, _) => format!("core search, {}", unit.name()),
        }
    }

    /// The heading of the histogram.
    pub(super) fn title(self, fidelity: Fidelity, unit: Unit) -> String {
        let unit = unit.name();
        match (self, fidelity) {
            (Self::Duration, Fidelity::Bracketed) => {
                format!("time of select_task_rq_fair, {unit}")
            }
            (Self::Duration, _) => format!("duration of a search, {unit}"),
            (Self::Scanned, Fidelity::Bracketed) => "CPUs looked at in select_task_rq_fair".into(),
            (Self::Scanned, _) => "CPUs scanned by a search".into(),
            (Self::Limit, _) => "limit by the policy as a search began, CPUs".into(),
            (Self::Core, _) => format!("time of a select_idle_core call, {unit}"),
        }
    }

    pub(super) const fn labels(self, unit: Unit) -> Labels {
        match unit {
            Unit::Us if self.is_duration() => Labels::Micro,
            _ => Labels::Binary,
        }
    }

    /// A value as it is counted, in the form to be shown.
    pub(super) fn number(self, value: f64, unit: Unit) -> String {
        if self.is_duration() {
            unit.number(value)
        } else {
            format!("{value:.0}")
        }
    }

    pub(super) fn mean(self, histogram: &Histogram, unit: Unit) -> String {
        match histogram.mean() {
            None => "-".into(),
            Some(mean) if self.is_duration() => unit.number(mean),
            Some(mean) => number::mean(mean),
        }
    }
}
