//! Slots and topology → figures by group, differences, percentiles. Pure.

mod figures;
mod group;
mod histogram;
mod percentile;
mod since;
mod wire;

pub use group::{Llc, LlcMap, aggregate};
pub use histogram::Histogram;
pub use percentile::Percentile;
pub use since::Shrunk;
pub(crate) use since::grown;

#[cfg(test)]
mod tests;
