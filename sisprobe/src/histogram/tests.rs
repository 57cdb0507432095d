//! Rows, differences and JSON.

use proptest::prelude::*;
use sisprobe_common::bucket::{self, Row, Scheme};

use super::*;

#[test]
fn another_scheme_is_not_a_former_state() {
    let duration = Histogram::new(bucket::DURATION);
    assert_eq!(duration.since(&Histogram::new(bucket::COUNT)), Err(Shrunk));
}

#[test]
fn log2_rows_reach_from_the_first_to_the_last_value() {
    let mut histogram = Histogram::new(bucket::COUNT);
    assert!(histogram.log2_rows().is_empty());
    histogram.record(2, 1);
    histogram.record(17, 2);
    histogram.record(31, 4);
    let rows = [2, 0, 0, 6].into_iter().zip(1..);
    let rows: Vec<(Row, u64)> = rows.map(|(count, k)| (Row::Log2(k), count)).collect();
    assert_eq!(histogram.log2_rows()[1..], rows[1..]);
    assert_eq!(histogram.log2_rows()[0], (Row::Log2(1), 1));
    histogram.record(0, 5);
    histogram.record(8192, 9);
    let rows = histogram.log2_rows();
    assert_eq!(rows.first(), Some(&(Row::Zero, 5)));
    assert_eq!(rows.last(), Some(&(Row::Overflow, 9)));
    assert_eq!(rows.len(), 15);
}

#[test]
fn json_names_buckets_by_their_least_value() {
    let mut histogram = Histogram::new(bucket::COUNT);
    for (value, times) in [(0, 5), (4, 1), (17, 1), (9000, 2)] {
        histogram.record(value, times);
    }
    let json = serde_json::to_string(&histogram).unwrap();
    assert_eq!(
        json,
        r#"{"top":13,"sum":18021,"counts":{"0":5,"4":1,"16":1,"8192":2}}"#
    );
    assert_eq!(serde_json::from_str::<Histogram>(&json).unwrap(), histogram);
}

#[test]
fn malformed_json_is_refused() {
    for (json, complaint) in [
        (r#"{"top":64,"sum":0,"counts":{}}"#, "top is 64"),
        (r#"{"top":3,"sum":0,"counts":{}}"#, "top is 3"),
        (r#"{"top":13,"sum":0,"counts":{"17":1}}"#, "begins at 17"),
        (
            r#"{"top":13,"sum":0,"counts":{"16384":1}}"#,
            "begins at 16384",
        ),
    ] {
        let error = serde_json::from_str::<Histogram>(json).unwrap_err();
        assert!(error.to_string().contains(complaint), "{error}");
    }
}

fn histogram(scheme: Scheme, values: &[u64]) -> Histogram {
    let mut histogram = Histogram::new(scheme);
    values.iter().for_each(|&value| histogram.record(value, 1));
    histogram
}

proptest! {
    #[test]
    fn adding_and_subtracting_undo_each_other(
        before in prop::collection::vec(0u64..20_000, 0..50),
        after in prop::collection::vec(0u64..20_000, 0..50),
    ) {
        let earlier = histogram(bucket::COUNT, &before);
        let delta = histogram(bucket::COUNT, &after);
        let mut now = earlier.clone();
        now.add(&delta);
        prop_assert_eq!(now.count(), (before.len() + after.len()) as u64);
        prop_assert_eq!(now.sum(), before.iter().chain(&after).sum::<u64>());
        prop_assert_eq!(now.since(&earlier), Ok(delta));
    }

    #[test]
    fn log2_rows_lose_nothing(values in prop::collection::vec(any::<u64>(), 0..50)) {
        let values: Vec<u64> = values.iter().map(|value| value >> (value % 64)).collect();
        let histogram = histogram(bucket::DURATION, &values);
        let total: u64 = histogram.log2_rows().iter().map(|(_, count)| count).sum();
        prop_assert_eq!(total, values.len() as u64);
        for (row, count) in histogram.log2_rows() {
            let expected = values.iter().filter(|&&value| match row {
                Row::Zero => value == 0,
                Row::Log2(k) => value >> k == 1,
                Row::Overflow => value >= 1 << 32,
            });
            prop_assert_eq!(count, expected.count() as u64, "{:?}", row);
        }
    }
}
