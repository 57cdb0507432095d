//! Slots and topology → figures by group, differences, percentiles. Pure.

mod histogram;

pub use histogram::Histogram;
