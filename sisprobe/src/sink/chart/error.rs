//! Why there is no chart.

use std::fmt;

use thiserror::Error;

use super::Size;

/// Why a chart could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChartError {
    /// Texts and legend leave no room.
    #[error(
        "a chart of {width}x{height} pixels has no room beside its texts; make it larger",
        width = .0.width, height = .0.height
    )]
    TooSmall(Size),
    /// An axis that ends where it begins, or before.
    #[error("the axis {label:?} goes from {from} to {to}: it must go upwards")]
    Axis {
        /// The axis.
        label: String,
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// What the drawing library answered.
    #[error("tried to draw the chart; the answer was: {0}")]
    Draw(String),
}

impl ChartError {
    /// An answer of plotters, whose error types differ by backend.
    pub(super) fn draw(error: impl fmt::Display) -> Self {
        Self::Draw(error.to_string())
    }
}
