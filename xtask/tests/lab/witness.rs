//! Every way to attach counts what bpftrace counts at the same places: wake-ups, searches, and
//! how many CPUs each search looked at, to the last event.

use std::time::Duration;

use xtask::lab::{Lab, Outcome};

use crate::guest::{self, Counts};

#[test]
fn on_6_1() {
    stock("6.1");
}

#[test]
fn on_6_12() {
    stock("6.12");
}

fn stock(kernel: &str) {
    agree(&guest::lab(kernel), &["inlined", "bracketed"]);
}

/// Counts with both at each of `fidelities`, by fentry and by kprobe.
pub fn agree(lab: &Lab, fidelities: &[&str]) {
    let lab = lab
        .clone()
        .debuginfo(true)
        .timeout(Duration::from_secs(400));
    let outcome = guest::run(
        &lab,
        &format!("FIDELITIES='{}'; . /with/witness.sh", fidelities.join(" ")),
    );
    for fidelity in fidelities {
        for attach in ["fentry", "kprobe"] {
            compare(&outcome, fidelity, attach);
        }
    }
}

/// Compares LLC 1, which saw the workload alone.
fn compare(outcome: &Outcome, fidelity: &str, attach: &str) {
    let name = format!("{fidelity}-{attach}");
    let report = guest::total(outcome, &format!("{name}.json"));
    assert_eq!(report["source"]["fidelity"], fidelity);
    assert_eq!(report["source"]["attach"], attach);
    let figures = guest::figures(&report, 1);
    let witness = guest::left(outcome, &format!("{name}.bt"));

    let wakeups = Counts::from_iter(
        witness
            .lines()
            .filter_map(|line| counted(line, "@wakeups[")),
    );
    assert!(wakeups[&1] > 100, "too few wake-ups:\n{witness}");
    assert_eq!(
        guest::number(figures, "wakeups"),
        wakeups[&1],
        "{name}: wake-ups"
    );

    let scanned = Counts::from_iter(
        witness
            .lines()
            .filter_map(|line| counted(line, "@scanned[1, ")),
    );
    assert_eq!(
        guest::counts(figures, "scanned"),
        scanned,
        "{name}: CPUs scanned"
    );
    let searches = scanned.values().sum::<u64>();
    assert_eq!(
        guest::counts(figures, "duration").values().sum::<u64>(),
        searches
    );
    if fidelity == "bracketed" {
        assert_eq!(guest::searches(figures), 0, "{name}: no search can be told");
    } else {
        assert_eq!(guest::searches(figures), searches, "{name}: searches");
    }
}

/// Key and count of a line `@map[key]: count` of bpftrace's output.
fn counted(line: &str, map: &str) -> Option<(u64, u64)> {
    let (key, count) = line.strip_prefix(map)?.split_once("]: ")?;
    Some((key.parse().ok()?, count.parse().ok()?))
}
