//! Bytes → a benchmark's output → figures. No reader may panic or take long, and what it finds are
//! figures. Run by the fuzz target, and by the tests over the stored corpus.

use sisprobe::bench::{Bench, MAX_METRICS, Wanted};

/// The bytes as output. Their first line is also taken for what stands behind `--metric`.
pub fn run(bytes: &[u8]) {
    let output = String::from_utf8_lossy(bytes);
    for bench in Bench::all() {
        for command in [&[] as &[&str], &["sh", "-c", "hackbench"]] {
            // That nothing is found is an answer.
            let metrics = bench.read(command, &output).unwrap_or_default();
            assert!(metrics.len() <= MAX_METRICS, "{bench}: {}", metrics.len());
            for metric in &metrics {
                assert!(metric.value.is_finite(), "{bench}: {metric:?}");
                assert!(!metric.name.is_empty(), "{bench}: {metric:?}");
            }
        }
    }
    let (pattern, rest) = output.split_once('\n').unwrap_or((&output, ""));
    if let Ok(wanted) = pattern.parse::<Wanted>()
        && let Ok(metric) = wanted.read(rest)
    {
        assert!(metric.value.is_finite(), "{metric:?}");
    }
}
