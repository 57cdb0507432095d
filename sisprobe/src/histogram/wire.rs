//! The form that a [`Histogram`] has in JSON: sparse, and readable without the bucket scheme.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sisprobe_common::bucket::{COUNT, DURATION, Scheme};
use thiserror::Error;

use super::Histogram;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Wire {
    /// Finite buckets for the values below `2^top`.
    top: u32,
    sum: u64,
    /// Counts that are not 0, by the least value of the bucket.
    counts: BTreeMap<u64, u64>,
}

/// What is wrong with a histogram that was read.
#[derive(Debug, Error)]
pub(super) enum Malformed {
    #[error("histogram top is {0}, must be 4 to 63")]
    Top(u32),
    #[error("no bucket of a histogram with top {top} begins at {low}")]
    Bound { top: u32, low: u64 },
}

impl From<Histogram> for Wire {
    fn from(histogram: Histogram) -> Self {
        let scheme = histogram.scheme();
        let counts = histogram.counts().iter().enumerate();
        Self {
            top: scheme.top(),
            sum: histogram.sum(),
            counts: counts
                .filter(|(_, count)| **count > 0)
                .map(|(index, count)| (scheme.low(index), *count))
                .collect(),
        }
    }
}

impl TryFrom<Wire> for Histogram {
    type Error = Malformed;

    fn try_from(wire: Wire) -> Result<Self, Malformed> {
        let top = wire.top;
        if !(4..=63).contains(&top) {
            return Err(Malformed::Top(top));
        }
        let scheme = Scheme::new(top);
        let mut counts = vec![0; scheme.len()];
        for (low, count) in wire.counts {
            let index = scheme.index(low);
            if scheme.low(index) != low {
                return Err(Malformed::Bound { top, low });
            }
            counts[index] = count;
        }
        Ok(Self::from_parts(scheme, wire.sum, counts))
    }
}

/// Reads a histogram of times.
pub(crate) fn durations<'de, D: Deserializer<'de>>(reader: D) -> Result<Histogram, D::Error> {
    of(reader, DURATION)
}

/// Reads a histogram of CPUs.
pub(crate) fn counts<'de, D: Deserializer<'de>>(reader: D) -> Result<Histogram, D::Error> {
    of(reader, COUNT)
}

/// Histograms of two schemes cannot be added, so another one than the figure's is refused.
fn of<'de, D: Deserializer<'de>>(reader: D, scheme: Scheme) -> Result<Histogram, D::Error> {
    let histogram = Histogram::deserialize(reader)?;
    if histogram.scheme() == scheme {
        return Ok(histogram);
    }
    let (found, top) = (histogram.scheme().top(), scheme.top());
    Err(D::Error::custom(format!(
        "histogram top is {found}, that of this figure is {top}"
    )))
}
