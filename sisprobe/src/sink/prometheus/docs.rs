//! docs/metrics.md is made from the declared metrics; this holds it to them.

use std::{env, fmt::Write as _, fs, path::Path};

use super::tests::most_series;
use crate::report::metrics::{Kind, LABELS, Metric, OF_GROUPS, OF_SISPROBE, REQUEST_BOUNDS, Unit};

/// Set to write the file in place of comparing it.
const BLESS: &str = "SISPROBE_BLESS";

#[test]
fn the_documentation_is_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/metrics.md");
    let expected = markdown();
    if env::var_os(BLESS).is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == expected,
        "docs/metrics.md is not what the metrics are; {BLESS}=1 cargo test writes it. \
         It would be:\n{expected}"
    );
}

fn markdown() -> String {
    let (by_llc, by_cpu) = most_series();
    let bounds = REQUEST_BOUNDS.map(|bound| bound.to_string()).join(", ");
    format!(
        "# Metrics\n\
         \n\
         What `sisprobe serve` tells at `/metrics`, in Prometheus's text format 0.0.4. This file \
         is made\nfrom `sisprobe/src/report/metrics.rs`; a test compares the two.\n\
         \n\
         All figures of one scrape are of one moment, `sisprobe_snapshot_timestamp_seconds`, and \
         all scrapes\nof one `--interval` see the same ones. Counters begin at 0 with the \
         measurement and never go back\nwhile it lasts. What is not known has no series: no NaN, \
         and no 0 in its place. `/metrics` answers\n503 until there are figures.\n\
         \n\
         ## Of each group\n\
         \n\
         A group is what `--group-by` makes one, an LLC without it.\n\
         \n\
         {}\n\
         ## Of sisprobe itself\n\
         \n\
         {}\n\
         Besides these `process_cpu_seconds_total`, `process_resident_memory_bytes` and the others \
         of the\nusual process metrics.\n\
         \n\
         ## Labels\n\
         \n\
         | label | values |\n| --- | --- |\n{}\n\
         ## Buckets\n\
         \n\
         Durations are counted in whole ns, and have one bucket for each power of 2: `le` is \
         2^(k+1) ns in\nseconds, and a duration of just that many ns is in the next one, since a \
         clock is read too low and\nnever too high. `--duration-buckets` says which is the first \
         and the last. What is shorter is in the\nfirst, what is longer in `+Inf` only.\n\
         \n\
         CPUs have `le` = 2^(k+1) - 1: 0, 1, 3, 7, … up to the first that is not less than the \
         machine's\npossible CPUs. `le=\"0\"` has the searches that looked at none.\n\
         \n\
         Both are whole rows of the histograms of `/api/v1/report`, which has eight buckets for \
         each of\nthese; sums are exact up to 2^53. The bounds of `sisprobe_scrape_duration_seconds` \
         are\n{bounds} s; it has the scrapes before the first one of the\nsnapshot.\n\
         \n\
         ## How many series\n\
         \n\
         A machine with 1,024 CPUs in 64 LLCs has at most {by_llc} series by LLC, with the default \
         buckets, every\npolicy and every optional figure. By CPU it has up to {by_cpu}, which is \
         more than one scrape should\nbring: use `--llc` there, or a coarser grouping. The groups \
         are fixed by the machine's topology, so\nno series comes and goes with the load.\n",
        table(&OF_GROUPS),
        table(&OF_SISPROBE),
        LABELS
            .map(|(name, meaning)| format!("| `{name}` | {meaning} |\n"))
            .concat(),
    )
}

fn table(metrics: &[&Metric]) -> String {
    let mut table = String::from(
        "| metric | type | unit | labels | meaning |\n| --- | --- | --- | --- | --- |\n",
    );
    for metric in metrics {
        let labels: Vec<_> = metric
            .labels
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let absent = metric.absent.map(|when| format!(" Absent {when}."));
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} | {}.{} |",
            metric.name,
            kind(metric.kind),
            unit(metric.unit),
            labels.join(", "),
            metric.help,
            absent.unwrap_or_default(),
        );
    }
    table
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::DurationHistogram | Kind::CpuHistogram | Kind::RequestHistogram => "histogram",
    }
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "seconds",
        Unit::Ratio => "0 to 1",
        Unit::Cpus => "CPUs",
        Unit::Count => "",
        Unit::Info => "always 1",
    }
}

/// Every label that is used has a meaning, and the other way round.
#[test]
fn labels_are_explained() {
    let used: Vec<_> = OF_GROUPS
        .into_iter()
        .chain(OF_SISPROBE)
        .flat_map(|metric| metric.labels)
        .collect();
    for label in &used {
        assert!(LABELS.iter().any(|(name, _)| name == *label), "{label}");
    }
    for (name, _) in LABELS {
        assert!(used.contains(&&name), "{name}");
    }
}
