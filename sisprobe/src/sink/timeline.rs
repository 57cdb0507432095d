//! A group over time: what was looked at against what was predicted, and a heatmap of the time that
//! searches took. Of the last minutes, or of a whole run.

mod chart;
mod words;

pub use self::{
    chart::{depth, heatmap},
    words::{depth_in_words, heatmap_in_words},
};

/// Which time is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// That before the last reading of a measurement which goes on.
    UntilNow,
    /// That since a run began, to its end.
    Run,
}
