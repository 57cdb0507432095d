//! The upper bounds of buckets, and how counts are put into them.

use std::{fmt, str::FromStr, time::Duration};

use prometheus::proto;
use sisprobe_common::bucket::{self, Row, Scheme};
use thiserror::Error;

use crate::histogram::Histogram;

/// The exponents of 2 that bound durations in ns, the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationBounds {
    first: u32,
    last: u32,
}

/// What is wrong with a range of buckets.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MalformedBounds {
    /// Not two times.
    #[error("it is two times as in 256ns..16ms: {0}")]
    Form(String),
    /// The other way round, or nothing in between.
    #[error("the first time must be less than the last")]
    Empty,
    /// What is counted has no such buckets.
    #[error("times are 1ns to 4s")]
    Range,
}

impl Default for DurationBounds {
    /// 256 ns to 16 ms (2^24 ns).
    fn default() -> Self {
        Self { first: 8, last: 24 }
    }
}

impl FromStr for DurationBounds {
    type Err = MalformedBounds;

    /// `256ns..16ms`, widened to powers of 2.
    fn from_str(text: &str) -> Result<Self, MalformedBounds> {
        let form = |error: &dyn fmt::Display| MalformedBounds::Form(error.to_string());
        let (from, to) = text
            .split_once("..")
            .ok_or_else(|| form(&"there is no '..'"))?;
        let time = |text: &str| humantime::parse_duration(text).map_err(|error| form(&error));
        Self::new(time(from)?, time(to)?)
    }
}

impl DurationBounds {
    /// The powers of 2 that enclose `from` and `to`.
    fn new(from: Duration, to: Duration) -> Result<Self, MalformedBounds> {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let (from, to) = (nanoseconds(from), nanoseconds(to));
        if from >= to {
            return Err(MalformedBounds::Empty);
        }
        if from == 0 || to > 1 << bucket::DURATION.top() {
            return Err(MalformedBounds::Range);
        }
        let first = from.ilog2();
        let last = to.next_power_of_two().ilog2().max(first + 1);
        Ok(Self { first, last })
    }

    /// The upper bounds in ns, which no duration counted below reaches.
    pub(super) fn nanoseconds(self) -> impl Iterator<Item = u64> {
        (self.first..=self.last).map(|exponent| 1 << exponent)
    }
}

/// The least value above the bucket of `le` = 2^k - 1, for each bucket up to the first that has
/// `most`.
pub(super) fn cpus(most: u32) -> impl Iterator<Item = u64> {
    let top = u64::from(most) + 1;
    (0..=bucket::COUNT.top().min(top.next_power_of_two().ilog2())).map(|exponent| 1 << exponent)
}

/// `histogram` with a bucket for each of `bounds`, powers of 2 in rising order that no value of
/// the bucket reaches. `le` makes the upper bound that is shown of one, `unit` is what the sum is
/// divided by. Values that reach the last bound are in `+Inf` only.
pub(super) fn cumulative(
    histogram: &Histogram,
    bounds: impl Iterator<Item = u64>,
    le: impl Fn(u64) -> f64,
    unit: f64,
) -> proto::Histogram {
    let mut buckets = Vec::new();
    let mut below = 0;
    let mut counts = histogram.counts().iter().enumerate().peekable();
    let scheme = histogram.scheme();
    for bound in bounds {
        while let Some((_, count)) = counts.next_if(|(index, _)| is_below(scheme, *index, bound)) {
            below += count;
        }
        let mut bucket = proto::Bucket::default();
        bucket.set_upper_bound(le(bound));
        bucket.set_cumulative_count(below);
        buckets.push(bucket);
    }
    let mut made = proto::Histogram::default();
    made.set_bucket(buckets);
    made.set_sample_count(histogram.count());
    made.set_sample_sum(histogram.sum() as f64 / unit);
    made
}

/// Whether every value of the bucket is below `bound`, a power of 2.
fn is_below(scheme: Scheme, index: usize, bound: u64) -> bool {
    match scheme.row(index) {
        Row::Zero => true,
        Row::Log2(exponent) => 1 << exponent < bound,
        Row::Overflow => false,
    }
}
