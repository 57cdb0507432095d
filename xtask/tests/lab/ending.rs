//! However sisprobe ends, nothing of it stays in the kernel, a stop in order tells the total, and a
//! daemon that is begun again counts from nothing.

use std::collections::BTreeMap;

use xtask::lab::Outcome;

use crate::guest;

/// A stop may take so long, in ms. This machine may be busy with other guests, so that the better of
/// two counts.
const AT_MOST: u64 = 1000;
/// The daemons, in order, by how they are attached and ended.
const DAEMONS: [&str; 4] = ["fentry-TERM", "fentry-KILL", "kprobe-TERM", "kprobe-KILL"];
/// What can be left in the kernel.
const PARTS: [&str; 4] = ["kprobes", "programs", "links", "functions"];

#[test]
fn leaves_nothing_on_6_1() {
    nothing_stays_behind("6.1");
}

#[test]
fn leaves_nothing_on_6_12() {
    nothing_stays_behind("6.12");
}

fn nothing_stays_behind(kernel: &str) {
    let lab = guest::lab(kernel).debuginfo(true);
    let outcome = guest::run(&lab, ". /with/ending.sh");
    let said = |what: &str, name: &str| figures(&outcome, what, name);
    for (what, status) in [
        ("INT", 0),
        ("TERM", 0),
        ("KILL", 137),
        ("fentry-TERM", 0),
        ("fentry-KILL", 137),
        ("kprobe-TERM", 0),
        ("kprobe-KILL", 137),
    ] {
        let statuses = said(what, "status");
        assert!(
            statuses.iter().all(|&one| one == status),
            "{what}: {statuses:?}"
        );
    }
    for what in ["fentry-TERM", "kprobe-TERM"] {
        let took = said(what, "ms");
        eprintln!("{kernel}: {what} took {took:?} ms");
        assert!(took.iter().any(|&ms| ms < AT_MOST), "{what}: {took:?} ms");
    }
    for what in ["INT", "TERM"] {
        assert_eq!(said(what, "summaries"), [1], "{what}");
    }
    for part in PARTS {
        for what in ["INT", "TERM", "KILL", "pipe"].iter().chain(&DAEMONS) {
            let left = said(what, part);
            assert!(
                left.iter().all(|&count| count == 0),
                "{what}: {part} {left:?}"
            );
        }
        // What is counted here is there while sisprobe is; kprobes need no function of ftrace's.
        for what in ["running", "running by fentry", "running by kprobe"] {
            let counts = said(what, part);
            let is_there = counts.iter().all(|&count| count > 0);
            assert!(
                is_there || part == "functions" && what == "running by kprobe",
                "{what}: {part} {counts:?}"
            );
        }
    }
    let mut before: Option<Series> = None;
    for daemon in DAEMONS {
        let [first, last] = ["first", "last"].map(|when| series(&outcome, daemon, when));
        grows(&first, &last);
        if let Some(before) = before {
            begins_anew(&before, &first);
        }
        before = Some(last);
    }
}

/// The figures that the script told of `what`, in order.
fn figures(outcome: &Outcome, what: &str, name: &str) -> Vec<u64> {
    let lines = outcome.stdout.lines();
    let told: Vec<u64> = lines
        .filter_map(|line| line.strip_prefix(what)?.strip_prefix(": ")?.split_once(' '))
        .filter(|(_, of)| *of == name)
        .map(|(figure, _)| figure.parse().expect("a number"))
        .collect();
    assert!(!told.is_empty(), "no {name} of {what}:\n{}", outcome.stdout);
    told
}

/// Every series of a scrape by name and labels; a counter's begins with `+`.
type Series = BTreeMap<String, f64>;

fn series(outcome: &Outcome, daemon: &str, when: &str) -> Series {
    let text = guest::left(outcome, &format!("{daemon}.{when}"));
    let mut counters = Vec::new();
    let mut series = Series::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a type");
            if ["counter", "histogram"].contains(&kind) {
                counters.push(name.to_owned());
            }
        } else if !line.starts_with('#') {
            let (name, value) = line.rsplit_once(' ').expect("a value");
            let value: f64 = value.parse().expect("a number");
            assert!(value.is_finite() && value >= 0.0, "{daemon}.{when}: {line}");
            let is_counter = counters.iter().any(|counter| name.starts_with(&**counter));
            series.insert(
                format!("{}{name}", if is_counter { "+" } else { "" }),
                value,
            );
        }
    }
    assert!(series.len() > 100, "{daemon}.{when}: {}", series.len());
    series
}

/// Counters of one daemon only grow, and no series goes away.
fn grows(first: &Series, last: &Series) {
    for (name, &value) in first.iter().filter(|(name, _)| name.starts_with('+')) {
        let later = last.get(name).unwrap_or_else(|| panic!("no {name} later"));
        assert!(*later >= value, "{name} went from {value} to {later}");
    }
    assert!(
        wakeups(last) > wakeups(first) + 100.0,
        "nothing was counted"
    );
    assert_eq!(began(first), began(last));
}

/// The next daemon has counted less than the one before it had, and says that it began later: so
/// Prometheus sees a reset of every counter.
fn begins_anew(before: &Series, first: &Series) {
    assert!(wakeups(first) < wakeups(before));
    for (former, next) in began(before).into_iter().zip(began(first)) {
        assert!(next > former, "{next} after {former}");
    }
}

fn wakeups(series: &Series) -> f64 {
    let of = |name: &str| name.starts_with("+sisprobe_wakeups_total");
    let counts = series.iter().filter(|(name, _)| of(name));
    counts.map(|(_, count)| count).sum()
}

/// When the process and its measurement began.
fn began(series: &Series) -> [f64; 2] {
    ["process_start_time_seconds", "sisprobe_start_time_seconds"].map(|name| series[name])
}
