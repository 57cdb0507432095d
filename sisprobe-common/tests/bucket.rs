//! Properties of the bucket scheme. The kernel side counts with this very code: it calls
//! `Scheme::index` of the schemes tested here.

use proptest::prelude::*;
use sisprobe_common::bucket::{self, Row, SUB, Scheme};

/// From the least top to the greatest, with the two that are in use.
const TOPS: [u32; 8] = [4, 5, 8, 13, 31, 32, 62, 63];

fn schemes() -> impl Iterator<Item = Scheme> {
    TOPS.into_iter().map(Scheme::new)
}

fn any_scheme() -> impl Strategy<Value = Scheme> {
    (4u32..=63).prop_map(Scheme::new)
}

/// Any value, every magnitude equally likely.
fn any_value() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64).prop_map(|(bits, shift)| bits >> shift)
}

/// The log2 row of a value by the definition of log2, not by way of a bucket.
fn log2_directly(scheme: Scheme, value: u64) -> Row {
    if value >= 1 << scheme.top() {
        return Row::Overflow;
    }
    (0..scheme.top())
        .find(|&k| (1 << k..1u64 << (k + 1)).contains(&value))
        .map_or(Row::Zero, Row::Log2)
}

#[test]
fn buckets_follow_each_other_without_gap_or_overlap() {
    for scheme in schemes() {
        assert_eq!(scheme.low(0), 0);
        for index in 0..scheme.overflow() {
            let high = scheme.high(index).expect("a finite bucket has an end");
            assert!(scheme.low(index) < high, "{scheme:?} {index}");
            assert_eq!(scheme.low(index + 1), high, "{scheme:?} {index}");
        }
        assert_eq!(scheme.low(scheme.overflow()), 1 << scheme.top());
        assert_eq!(scheme.high(scheme.overflow()), None);
        assert_eq!(scheme.len(), scheme.overflow() + 1);
        assert!(!scheme.is_empty());
    }
}

#[test]
fn both_ends_of_a_bucket_are_in_it() {
    for scheme in schemes() {
        for index in 0..scheme.overflow() {
            let (low, high) = (scheme.low(index), scheme.high(index).unwrap());
            assert_eq!(scheme.index(low), index);
            assert_eq!(scheme.index(high - 1), index);
            assert_eq!(scheme.index(high), index + 1);
        }
    }
}

#[test]
fn around_powers_of_two() {
    for scheme in schemes() {
        for k in 0..scheme.top() {
            let power = 1u64 << k;
            let at = scheme.index(power);
            assert_eq!(scheme.row(at), Row::Log2(k), "{scheme:?} 2^{k}");
            assert_eq!(scheme.low(at), power, "{scheme:?}: 2^{k} begins a bucket");
            assert_eq!(
                scheme.index(power - 1),
                at - 1,
                "{scheme:?}: 2^{k} - 1 is in the bucket before"
            );
            let above = if k == 0 || power + 1 == 1 << scheme.top() {
                log2_directly(scheme, power + 1)
            } else {
                Row::Log2(k)
            };
            assert_eq!(scheme.row(scheme.index(power + 1)), above, "2^{k} + 1");
        }
    }
}

#[test]
fn values_below_sixteen_have_a_bucket_each() {
    for scheme in schemes() {
        for value in 0..16 {
            assert_eq!(scheme.low(scheme.index(value)), value);
            assert_eq!(scheme.high(scheme.index(value)), Some(value + 1));
        }
    }
}

#[test]
fn zero_is_alone_in_its_bucket_and_row() {
    for scheme in schemes() {
        assert_eq!(scheme.index(0), 0);
        assert_eq!(scheme.high(0), Some(1));
        let zero_rows = (0..scheme.len()).filter(|&i| scheme.row(i) == Row::Zero);
        assert_eq!(zero_rows.collect::<Vec<_>>(), [0]);
    }
}

#[test]
fn only_values_at_or_above_the_top_overflow() {
    for scheme in schemes() {
        let top = 1u64 << scheme.top();
        assert_eq!(scheme.index(top - 1), scheme.overflow() - 1);
        assert_eq!(
            scheme.row(scheme.index(top - 1)),
            Row::Log2(scheme.top() - 1)
        );
        for value in [top, top + 1, u64::MAX] {
            assert_eq!(scheme.index(value), scheme.overflow());
            assert_eq!(scheme.row(scheme.index(value)), Row::Overflow);
        }
    }
}

#[test]
fn an_index_out_of_range_is_the_overflow_bucket() {
    for scheme in schemes() {
        for index in [scheme.len(), scheme.len() + 1, usize::MAX] {
            assert_eq!(scheme.low(index), 1 << scheme.top());
            assert_eq!(scheme.high(index), None);
            assert_eq!(scheme.row(index), Row::Overflow);
        }
    }
}

#[test]
fn every_power_of_two_from_eight_has_eight_buckets() {
    for scheme in schemes() {
        for k in 3..scheme.top() {
            let buckets = (0..scheme.len()).filter(|&i| scheme.row(i) == Row::Log2(k));
            assert_eq!(buckets.count(), SUB as usize, "{scheme:?} 2^{k}");
        }
    }
}

#[test]
fn the_schemes_in_use() {
    assert_eq!(bucket::DURATION.len(), 241);
    assert_eq!(bucket::DURATION.low(bucket::DURATION.overflow()), 1 << 32);
    assert_eq!(bucket::COUNT.len(), 89);
    assert_eq!(bucket::COUNT.low(bucket::COUNT.overflow()), 8192);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_value_lies_in_its_bucket(scheme in any_scheme(), value in any_value()) {
        let index = scheme.index(value);
        prop_assert!(index < scheme.len());
        prop_assert!(scheme.low(index) <= value);
        match scheme.high(index) {
            Some(high) => prop_assert!(value < high),
            None => prop_assert!(value >= 1 << scheme.top()),
        }
    }

    #[test]
    fn greater_values_never_have_lesser_buckets(
        scheme in any_scheme(),
        a in any_value(),
        b in any_value(),
    ) {
        let (a, b) = (a.min(b), a.max(b));
        prop_assert!(scheme.index(a) <= scheme.index(b));
        prop_assert!(scheme.row(scheme.index(a)) <= scheme.row(scheme.index(b)));
    }

    #[test]
    fn collapsing_to_log2_equals_direct_log2(scheme in any_scheme(), value in any_value()) {
        prop_assert_eq!(scheme.row(scheme.index(value)), log2_directly(scheme, value));
    }

    #[test]
    fn a_bucket_is_at_most_an_eighth_of_its_low_bound(
        scheme in any_scheme(),
        value in any_value(),
    ) {
        let index = scheme.index(value);
        if let Some(high) = scheme.high(index) {
            let (low, width) = (scheme.low(index), high - scheme.low(index));
            prop_assert!(width == 1 || width * 8 <= low, "[{}, {})", low, high);
        }
    }

    /// Which top is chosen decides only where the overflow begins.
    #[test]
    fn finite_buckets_do_not_depend_on_the_top(
        a in any_scheme(),
        b in any_scheme(),
        value in any_value(),
    ) {
        if value >> a.top().min(b.top()) == 0 {
            prop_assert_eq!(a.index(value), b.index(value));
        }
    }
}
