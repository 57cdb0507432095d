//! Every way to attach counts what bpftrace counts at the same places: wake-ups, searches, and
//! how many CPUs each search looked at, to the last event.

use std::time::Duration;

use serde_json::Value;
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
        let name = format!("{fidelity}-capture");
        let capture = guest::left(&outcome, &format!("{name}.json"));
        let capture: Value = serde_json::from_str(&capture).expect("a capture");
        let report = &capture["capture"]["runs"][0]["report"];
        agrees(report, &guest::left(&outcome, &format!("{name}.bt")), &name);
    }
}

/// Compares LLC 1, which saw the workload alone.
fn compare(outcome: &Outcome, fidelity: &str, attach: &str) {
    let name = format!("{fidelity}-{attach}");
    let report = guest::total(outcome, &format!("{name}.json"));
    assert_eq!(report["source"]["fidelity"], fidelity);
    assert_eq!(report["source"]["attach"], attach);
    agrees(&report, &guest::left(outcome, &format!("{name}.bt")), &name);
}

/// Holds the figures of LLC 1 in a report, which is `name`'s, against what bpftrace counted.
pub fn agrees(report: &Value, witness: &str, name: &str) {
    let figures = guest::figures(report, 1);
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
    if report["source"]["fidelity"] == "bracketed" {
        assert_eq!(guest::searches(figures), 0, "{name}: no search can be told");
        assert!(guest::group(report, 1)["efficiency"].is_null());
        return;
    }
    assert_eq!(guest::searches(figures), searches, "{name}: searches");
    guest::keeps_to_the_limit(figures);
    let failed = Counts::from_iter(witness.lines().filter_map(|line| counted(line, "@failed[")));
    let by_hand = ByHand {
        search: wakeups[&1],
        domain_search: searches,
        looks: scanned.iter().map(|(cpus, count)| cpus * count).sum(),
        failed: failed[&1],
    };
    // A capture file leaves out what follows from its figures.
    if let Some(told) = guest::group(report, 1).get("efficiency") {
        by_hand.compare(told, name);
    }
}

/// What the search-efficiency figures are made of, as the witness counted it.
struct ByHand {
    search: u64,
    domain_search: u64,
    /// CPUs looked at in domain searches.
    looks: u64,
    failed: u64,
}

impl ByHand {
    fn compare(&self, told: &Value, name: &str) {
        assert!(self.failed > 0, "{name}: no search failed");
        let fast = self.search - self.domain_search;
        for (figure, count) in [
            ("search", self.search),
            ("domain_search", self.domain_search),
            ("scanned", self.search + self.looks),
            ("failed", self.failed),
        ] {
            assert_eq!(told[figure], count, "{name}: {figure}");
        }
        let found = |of: u64| (of - self.failed) as f64;
        for (figure, part) in [
            (
                "search_efficiency",
                found(self.search) / (self.search + self.looks) as f64,
            ),
            (
                "domain_search_efficiency",
                found(self.domain_search) / (self.domain_search + self.looks) as f64,
            ),
            ("fast_success_rate", fast as f64 / self.search as f64),
            ("success_rate", found(self.search) / self.search as f64),
            (
                "domain_success_rate",
                found(self.domain_search) / self.domain_search as f64,
            ),
        ] {
            let told = told[figure].as_f64().expect("a percentage");
            assert!(
                (told - 100.0 * part).abs() < 1e-9,
                "{name}: {figure} is {told}, by hand {}",
                100.0 * part
            );
        }
    }
}

/// Key and count of a line `@map[key]: count` of bpftrace's output.
fn counted(line: &str, map: &str) -> Option<(u64, u64)> {
    let (key, count) = line.strip_prefix(map)?.split_once("]: ")?;
    Some((key.parse().ok()?, count.parse().ok()?))
}
