//! The published histogram of time in select_idle_cpu, in the form that bpftrace gives it.
//!
//! The expected text was written by bpftrace 0.17's own `TextOutput::hist_to_str`, taken out of
//! src/output.cpp, compiled alone and given the published counts. It is not derived from the code
//! under test.

use sisprobe::{
    histogram::Histogram,
    sink::rows::{BAR, Labels, rows},
};
use sisprobe_common::bucket::Scheme;

const PUBLISHED: &str = include_str!("fixtures/published-select_idle_cpu-112.tsv");
const BY_BPFTRACE: &str = include_str!("fixtures/published-select_idle_cpu-112.txt");

/// (least value, values) of each published row, in microseconds.
fn published() -> Vec<(u64, u64)> {
    let lines = PUBLISHED
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let rows = lines.map(|line| {
        let fields: Vec<u64> = line
            .split('\t')
            .map(|field| field.parse().unwrap())
            .collect();
        (fields[0], fields[2])
    });
    rows.collect()
}

#[test]
fn rows_labels_and_bars_are_those_of_bpftrace() {
    let published = published();
    assert_eq!(published.len(), 18, "the fixture is whole");
    let mut histogram = Histogram::new(Scheme::new(32));
    for (low, count) in published {
        histogram.record(low, count);
    }
    let rendered: Vec<String> = rows(&histogram, Labels::Binary, BAR)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(rendered, BY_BPFTRACE.lines().collect::<Vec<_>>());
}
