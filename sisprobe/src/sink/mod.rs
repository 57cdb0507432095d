//! A report in, bytes or widgets out. Nothing here touches the kernel.

pub mod chart;
pub mod compare;
pub mod curve;
mod done;
pub mod figure;
pub mod html;
pub mod json;
mod metric;
mod number;
pub mod page;
mod paragraph;
mod policies;
pub mod prometheus;
pub mod rows;
#[cfg(test)]
pub(crate) mod sample;
pub mod show;
pub mod text;
pub mod timeline;
pub mod tui;
pub mod whatif;
mod words;

pub use number::Unit;

#[cfg(test)]
mod tests;
