//! The last minutes of one group: what was looked at against what was predicted, and a heatmap of
//! the time that searches took.

mod chart;
mod column;

pub use self::{
    chart::{depth, heatmap},
    column::{Column, Totals},
};
