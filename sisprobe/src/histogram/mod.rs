//! Histograms of [`sisprobe_common::bucket`] on the user side: differences, percentiles, JSON.

mod percentile;
mod since;
mod wire;

use serde::{Deserialize, Serialize};
use sisprobe_common::{
    bucket::{Row, Scheme},
    slot::Buckets,
};

use self::wire::Wire;

pub use percentile::Percentile;
pub use since::Shrunk;
pub(crate) use since::grown;
pub(crate) use wire::{counts, durations};

/// Bucket counts and the exact sum of what they count.
///
/// In JSON the empty buckets are left out and each other one stands under its least value:
/// `{"top": 13, "sum": 9, "counts": {"0": 5, "4": 1, "5": 1}}`. The overflow bucket stands under
/// `2^top`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(into = "Wire", try_from = "Wire")]
pub struct Histogram {
    scheme: Scheme,
    sum: u64,
    /// One for each bucket of the scheme; the last is the overflow bucket.
    counts: Vec<u64>,
}

impl Histogram {
    /// A histogram of `scheme` that has counted nothing.
    pub fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            sum: 0,
            counts: vec![0; scheme.len()],
        }
    }

    /// `counts` has one for each bucket of `scheme`.
    pub(super) const fn from_parts(scheme: Scheme, sum: u64, counts: Vec<u64>) -> Self {
        Self {
            scheme,
            sum,
            counts,
        }
    }

    /// A copy of what the kernel side counted by `scheme`.
    ///
    /// # Panics
    ///
    /// If `N` is not the number of buckets in `scheme`.
    pub fn from_buckets<const N: usize>(buckets: &Buckets<N>, scheme: Scheme) -> Self {
        let mut histogram = Self::new(scheme);
        histogram.add_buckets(buckets);
        histogram
    }

    /// The scheme that divides the values into buckets.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The exact sum of all values counted.
    pub const fn sum(&self) -> u64 {
        self.sum
    }

    /// Values by bucket, in the order of [`Scheme::index`]; the last is the overflow bucket.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many values were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().copied().fold(0, u64::saturating_add)
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// The exact mean; none where nothing was counted.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// Counts `value` as seen `times` times.
    pub fn record(&mut self, value: u64, times: u64) {
        let count = &mut self.counts[self.scheme.index(value)];
        *count = count.saturating_add(times);
        self.sum = self.sum.saturating_add(value.saturating_mul(times));
    }

    /// Adds what another histogram of the same scheme counted.
    ///
    /// # Panics
    ///
    /// If the schemes differ.
    pub fn add(&mut self, other: &Self) {
        self.add_parts(other.sum, &other.counts);
    }

    /// Adds what the kernel side counted by this histogram's scheme.
    ///
    /// # Panics
    ///
    /// If `N` is not the number of buckets in the scheme.
    pub fn add_buckets<const N: usize>(&mut self, buckets: &Buckets<N>) {
        self.add_parts(buckets.sum, &buckets.counts);
    }

    fn add_parts(&mut self, sum: u64, counts: &[u64]) {
        assert_eq!(self.counts.len(), counts.len(), "bucket schemes differ");
        self.sum = self.sum.saturating_add(sum);
        for (mine, theirs) in self.counts.iter_mut().zip(counts) {
            *mine = mine.saturating_add(*theirs);
        }
    }

    /// What was counted after `earlier`, a former state of this histogram.
    ///
    /// # Errors
    ///
    /// [`Shrunk`] where `earlier` has a greater count, or another scheme: then it is not a former
    /// state of this histogram.
    pub fn since(&self, earlier: &Self) -> Result<Self, Shrunk> {
        if self.scheme != earlier.scheme {
            return Err(Shrunk);
        }
        let counts = self.counts.iter().zip(&earlier.counts);
        Ok(Self {
            scheme: self.scheme,
            sum: grown(self.sum, earlier.sum)?,
            counts: counts
                .map(|(now, before)| grown(*now, *before))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The log2 view, from the first to the last row that is not empty; without loss, since each
    /// bucket lies within one row.
    pub fn log2_rows(&self) -> Vec<(Row, u64)> {
        let mut rows: Vec<(Row, u64)> = Vec::new();
        for (index, &count) in self.counts.iter().enumerate() {
            let row = self.scheme.row(index);
            match rows.last_mut() {
                Some((last, sum)) if *last == row => *sum = sum.saturating_add(count),
                _ => rows.push((row, count)),
            }
        }
        let Some(last) = rows.iter().rposition(|(_, count)| *count > 0) else {
            return Vec::new();
        };
        rows.truncate(last + 1);
        let first = rows.iter().position(|(_, count)| *count > 0);
        rows.split_off(first.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests;
