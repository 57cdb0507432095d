//! Percentiles of bucketed values.

use hdrhistogram::Histogram as Hdr;

use super::Histogram;

/// What can be said of a percentile of values whose buckets alone are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Percentile {
    /// The value's bucket is finite and this is the greatest value in it. The true value is
    /// never greater, and never less by more than 1/8 of itself; below 16 it is exact.
    AtMost(u64),
    /// The value lies in the overflow bucket, which begins here.
    AtLeast(u64),
}

impl Histogram {
    /// The value that a share `q` (0 to 1) of all values does not exceed, by nearest rank; none
    /// where nothing was counted. `q` = 1 gives the greatest value.
    pub fn percentile(&self, q: f64) -> Option<Percentile> {
        self.percentiles([q]).map(|[percentile]| percentile)
    }

    /// Several at once, see [`Histogram::percentile`].
    pub fn percentiles<const N: usize>(&self, qs: [f64; N]) -> Option<[Percentile; N]> {
        let hdr = self.to_hdr()?;
        let overflow = self.overflow_low();
        Some(qs.map(|q| match hdr.value_at_quantile(q.clamp(0.0, 1.0)) {
            value if value < overflow => Percentile::AtMost(value),
            _ => Percentile::AtLeast(overflow),
        }))
    }

    fn overflow_low(&self) -> u64 {
        self.scheme().low(self.scheme().overflow())
    }

    /// Each value recorded as the greatest of its bucket; none where nothing was counted.
    ///
    /// One significant digit makes hdrhistogram divide each power of two in 16, so every bucket
    /// here ends where one of its own ends, and recording loses nothing.
    fn to_hdr(&self) -> Option<Hdr<u64>> {
        let scheme = self.scheme();
        let mut hdr = Hdr::new_with_bounds(1, self.overflow_low(), 1).ok()?;
        let shift = self.too_many();
        for (index, &count) in self.counts().iter().enumerate() {
            if count > 0 {
                let value = scheme
                    .high(index)
                    .map_or(scheme.low(index), |high| high - 1);
                hdr.record_n(value, (count >> shift).max(1)).ok()?;
            }
        }
        (!hdr.is_empty()).then_some(hdr)
    }

    /// By how many powers of two counts must be made less, so that hdrhistogram can add them up:
    /// none, unless a file holds what no machine counts.
    fn too_many(&self) -> u32 {
        let total: u128 = self.counts().iter().map(|&count| u128::from(count)).sum();
        let bits = u128::BITS - total.leading_zeros();
        // It goes by floating point, which counts every one up to there.
        bits.saturating_sub(f64::MANTISSA_DIGITS - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sisprobe_common::bucket::{self, Scheme};

    use super::*;

    fn histogram(scheme: Scheme, values: &[u64]) -> Histogram {
        let mut histogram = Histogram::new(scheme);
        for &value in values {
            histogram.record(value, 1);
        }
        histogram
    }

    #[test]
    fn nothing_counted_has_no_percentile() {
        assert_eq!(Histogram::new(bucket::COUNT).percentile(0.5), None);
    }

    #[test]
    fn whole_numbers_below_sixteen_are_exact() {
        let histogram = histogram(bucket::COUNT, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 15]);
        let at = |q| histogram.percentile(q).unwrap();
        assert_eq!(at(0.0), Percentile::AtMost(0));
        assert_eq!(at(0.1), Percentile::AtMost(0));
        assert_eq!(at(0.5), Percentile::AtMost(4));
        assert_eq!(at(0.9), Percentile::AtMost(8));
        assert_eq!(at(1.0), Percentile::AtMost(15));
    }

    #[test]
    fn an_overflowing_value_is_told_as_a_lower_bound() {
        let histogram = histogram(bucket::COUNT, &[1, 8191, 8192, 1 << 40]);
        let overflow = Percentile::AtLeast(8192);
        let expected = [Percentile::AtMost(8191), overflow, overflow];
        assert_eq!(histogram.percentiles([0.5, 0.75, 1.0]), Some(expected));
        assert!(Percentile::AtMost(u64::MAX) < overflow);
    }

    #[test]
    fn the_greatest_top_has_percentiles() {
        let histogram = histogram(Scheme::new(63), &[5, (1 << 63) - 1, u64::MAX]);
        let expected = [
            Percentile::AtMost(5),
            Percentile::AtMost((1 << 63) - 1),
            Percentile::AtLeast(1 << 63),
        ];
        assert_eq!(histogram.percentiles([0.1, 0.5, 1.0]), Some(expected));
    }

    #[test]
    fn more_than_can_be_added_up_has_percentiles() {
        let mut histogram = Histogram::new(bucket::COUNT);
        for value in [1, 2, 3, 9] {
            histogram.record(value, u64::MAX);
        }
        histogram.record(15, 1);
        let expected = [1, 2, 9, 15].map(Percentile::AtMost);
        assert_eq!(histogram.percentiles([0.2, 0.45, 0.9, 1.0]), Some(expected));
    }

    proptest! {
        /// Against the sorted values themselves.
        #[test]
        fn never_below_the_true_value_and_at_most_an_eighth_above(
            values in prop::collection::vec((any::<u64>(), 33u32..64), 1..200),
            q in 0.001f64..=1.0,
        ) {
            let mut values: Vec<u64> = values.into_iter().map(|(v, by)| v >> by).collect();
            let histogram = histogram(bucket::DURATION, &values);
            values.sort_unstable();
            let rank = (q * values.len() as f64).ceil() as usize;
            let truth = values[rank.clamp(1, values.len()) - 1];
            let Some(Percentile::AtMost(told)) = histogram.percentile(q) else {
                return Err(TestCaseError::fail("no finite percentile"));
            };
            prop_assert!(told >= truth, "{} < {}", told, truth);
            prop_assert!((told - truth) * 8 <= truth, "{} for {}", told, truth);
        }
    }
}
