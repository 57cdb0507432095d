//! Every metric that the dashboards and rules name is one that sisprobe has.

use std::{collections::BTreeSet, fs, path::Path};

use sisprobe::report::metrics::{Kind, Metric, OF_GROUPS, OF_SISPROBE};

/// The text of each file of dashboards/ that names metrics, by its name.
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dashboards");
    let mut files = Vec::new();
    for below in ["grafana", "prometheus"] {
        for entry in fs::read_dir(folder.join(below)).expect("a folder") {
            let path = entry.expect("its entries").path();
            let text = fs::read_to_string(&path).expect("text");
            files.push((path.display().to_string(), text));
        }
    }
    files
}

/// The names under which Prometheus stores the series of a metric; a native histogram has the
/// metric's own.
fn series(metric: &Metric) -> Vec<String> {
    let mut names = vec![metric.name.to_owned()];
    match metric.kind {
        Kind::Counter | Kind::Gauge => {}
        Kind::DurationHistogram | Kind::CpuHistogram | Kind::RequestHistogram => {
            names.extend(["bucket", "sum", "count"].map(|part| format!("{}_{part}", metric.name)));
        }
    }
    names
}

/// The words of `text` that can only be the name of a metric or of what a rule records; groups of
/// rules have names of the same form.
fn names(text: &str) -> BTreeSet<&str> {
    let lines = text.lines();
    lines
        .filter(|line| !line.trim_start().starts_with("- name: "))
        .flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c))))
        .map(|word| word.trim_end_matches(':'))
        .filter(|word| word.contains("sisprobe_"))
        .collect()
}

/// What the rules record.
fn recorded(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines();
    lines.filter_map(|line| line.trim_start().strip_prefix("- record: "))
}

#[test]
fn every_name_is_that_of_a_metric() {
    let files = files();
    let metrics = OF_GROUPS.iter().chain(&OF_SISPROBE);
    let mut known: BTreeSet<String> = metrics.flat_map(|metric| series(metric)).collect();
    known.extend(
        (files.iter())
            .flat_map(|(_, text)| recorded(text))
            .map(String::from),
    );
    let mut used = 0;
    for (file, text) in &files {
        for name in names(text) {
            assert!(known.contains(name), "{file}: there is no {name}");
            used += 1;
        }
    }
    assert!(used > 60, "only {used} names were found");
}

#[test]
fn a_name_is_a_whole_word() {
    let text = "  - name: sisprobe_rules\n  - record: instance:sisprobe_a:rate5m\n    \
                expr: rate(sisprobe_a_total{job=~\"$job\"}[5m])\nsisprobe: sisprobe_b:\n";
    let found = [
        "instance:sisprobe_a:rate5m",
        "sisprobe_a_total",
        "sisprobe_b",
    ];
    assert_eq!(names(text), BTreeSet::from(found));
    assert_eq!(recorded(text).collect::<Vec<_>>(), found[..1]);
}
