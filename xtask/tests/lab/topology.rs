//! Groups follow the machine, whatever it looks like, and nothing that was counted is lost.

use serde_json::Value;
use xtask::lab::{Lab, Outcome};

use crate::guest;

/// Runs sisprobe beside hackbench, with `change` in between, after `before`.
fn measured(lab: &Lab, before: &str, change: &str) -> Outcome {
    guest::run(
        lab,
        &format!("{before}\n. /with/guest.sh; CHANGE='{change}'; . /with/topology.sh"),
    )
}

/// Holds that no group's counters ever shrink, and returns the last report.
fn grown(outcome: &Outcome) -> Value {
    let reports = guest::reports(outcome, "report.json");
    let wakeups = |report: &Value| {
        let groups = report["groups"].as_array().expect("groups");
        let all = groups
            .iter()
            .map(|g| guest::number(&g["figures"], "wakeups"));
        all.sum::<u64>()
    };
    for pair in reports.windows(2) {
        for group in pair[0]["groups"].as_array().expect("groups") {
            let name = group["name"].as_str().expect("a name");
            let of = |report| guest::number(&named(report, name)["figures"], "wakeups");
            assert!(of(&pair[0]) <= of(&pair[1]), "{name} lost wake-ups");
        }
        assert!(wakeups(&pair[0]) <= wakeups(&pair[1]));
    }
    guest::total(outcome, "report.json")
}

/// The group of this name.
fn named<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut groups = report["groups"].as_array().expect("groups").iter();
    let group = groups.find(|group| group["name"] == name);
    group.unwrap_or_else(|| panic!("no {name} in {report}"))
}

#[test]
fn work_pinned_to_one_llc_is_searched_for_there() {
    let lab = guest::lab("6.12").debuginfo(true);
    let before = ". /with/guest.sh; quiet 8-15";
    let report = grown(&measured(&lab, before, "true"));
    assert_eq!(guest::llcs(&report), [(0, "0-7"), (1, "8-15")]);
    assert!(guest::searches(guest::figures(&report, 1)) > 100);
    assert_eq!(guest::searches(guest::figures(&report, 0)), 0);
}

#[test]
fn one_cpu() {
    let lab = guest::lab("6.12").topology(1, 1, 1).debuginfo(true);
    let report = grown(&measured(&lab, "", "true"));
    assert_eq!(guest::llcs(&report), [(0, "0")]);
    assert_eq!(guest::searches(guest::figures(&report, 0)), 0);
}

#[test]
fn three_cores_without_smt() {
    let lab = guest::lab("6.1").topology(1, 3, 1).debuginfo(true);
    let report = grown(&measured(&lab, "", "true"));
    assert_eq!(guest::llcs(&report), [(0, "0-2")]);
    let figures = guest::figures(&report, 0);
    assert!(guest::searches(figures) > 0);
    assert_eq!(guest::number(figures, "idle_cores_claimed"), 0);
    let most = guest::counts(figures, "scanned").keys().last().copied();
    assert!(
        most.is_some_and(|most| most <= 3),
        "{most:?} CPUs scanned of 3"
    );
}

#[test]
fn cpus_go_and_come_back() {
    let lab = guest::lab("6.12").debuginfo(true);
    let online = |cpu, on| format!("echo {on} > /sys/devices/system/cpu/cpu{cpu}/online");
    let before = format!("{}; {}", online(3, 0), online(10, 0));
    let change = format!("{}; {}", online(3, 1), online(12, 0));
    let outcome = measured(&lab, &before, &change);
    let first = &guest::reports(&outcome, "report.json")[0];
    assert_eq!(guest::llcs(first), [(0, "0-2,4-7"), (1, "8-9,11-15")]);
    let report = grown(&outcome);
    assert_eq!(guest::llcs(&report), [(0, "0-7"), (1, "8-9,11,13-15")]);
    assert_eq!(report["groups"][0]["size"], 8);
    assert_eq!(report["groups"][1]["size"], 6);
}

#[test]
fn cores_keep_what_they_counted() {
    let lab = guest::lab("6.12").debuginfo(true);
    let online = |cpu, on| format!("echo {on} > /sys/devices/system/cpu/cpu{cpu}/online");
    let before = format!(
        "OPTIONS='--group-by smt --llc 0'; {}; . /with/guest.sh; quiet 0-7",
        online(3, 0)
    );
    let change = format!("{}; {}", online(3, 1), online(4, 0));
    let report = grown(&measured(&lab, &before, &change));
    assert_eq!(report["source"]["group_by"], "smt");
    let cpus = |core: u32| &named(&report, &format!("core {core}"))["cpus"];
    assert_eq!([0, 1, 2, 3].map(cpus), ["0-1", "2-3", "5", "6-7"]);
    let wakeups = |core: u32| {
        let core = named(&report, &format!("core {core}"));
        assert_eq!(core["llc"], 0);
        guest::number(&core["figures"], "wakeups")
    };
    // Which of them has how many is up to the kernel.
    assert!((0..4).map(wakeups).sum::<u64>() > 100);
    // Nothing of LLC 1, and nothing whose LLC is not known.
    let groups = report["groups"].as_array().expect("groups");
    assert!(groups.iter().all(|group| group["llc"] == 0), "{groups:?}");
}

#[test]
fn an_llc_that_comes_up_later() {
    let lab = guest::lab("6.1").topology(2, 2, 1).debuginfo(true);
    let online =
        |on| format!("for c in 2 3; do echo {on} > /sys/devices/system/cpu/cpu$c/online; done");
    let outcome = measured(&lab, &online(0), &online(1));
    let first = &guest::reports(&outcome, "report.json")[0];
    assert_eq!(guest::llcs(first), [(0, "0-1")]);
    let report = grown(&outcome);
    assert_eq!(guest::llcs(&report), [(0, "0-1"), (1, "2-3")]);
    assert!(guest::number(guest::figures(&report, 1), "wakeups") > 0);
}
