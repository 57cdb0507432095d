//! The last minutes of one group: what was looked at against what was predicted, and a heatmap of
//! the time that searches took.

mod chart;

pub use self::chart::{depth, heatmap};
