//! The policies that were never merged, at work on one kernel that has them all.

use std::{fmt::Write as _, time::Duration};

use serde_json::Value;
use sisprobe::{
    histogram::Percentile,
    policy::Policy,
    report::{OutcomeName, Report},
    sink::json,
};
use xtask::lab::{Kernel, Lab, Outcome};

use crate::{guest, model};

/// The scheduler features, the stock one first, and the policies that they stand for.
const POLICIES: [(&str, Policy); 7] = [
    ("SIS_UTIL", Policy::SisUtil),
    ("SIS_UTIL_LINEAR", Policy::SisUtilLinear),
    ("SIS_UTIL_85", Policy::SisUtil85),
    ("SIS_UTIL_QUAD", Policy::SisUtilQuad),
    ("SIS_UTIL_EXP", Policy::SisUtilExp),
    ("SIS_CORE_WINDOW", Policy::SisCoreWindow),
    ("SIS_NO_CORE", Policy::NoCore),
];

/// Groups of 20 tasks that hackbench runs on the guest's 16 CPUs.
const GROUPS: [u32; 3] = [1, 2, 4];

fn lab() -> Lab {
    guest::with_scripts(Lab::new(Kernel::own("6.12-policies")))
        .topology(2, 4, 2)
        .timeout(Duration::from_secs(900))
}

/// The kernel stores the numbers of the models.
#[test]
fn store_what_their_models_say() {
    let by_utilisation = &POLICIES[1..5];
    let features: Vec<&str> = by_utilisation.iter().map(|&(feature, _)| feature).collect();
    let loads = [2, 8, 15];
    let outcome = model::watch(&lab(), &features, &loads);
    for &(feature, policy) in by_utilisation {
        for load in loads {
            model::agree(&outcome, feature, load, policy);
        }
    }
}

/// sisprobe names each, and no search looks further than it allows. Prints the table of
/// docs/policies.md.
#[test]
fn keep_within_their_limits() {
    let features = POLICIES.map(|(feature, _)| feature).join(" ");
    let groups = GROUPS.map(|groups| groups.to_string()).join(" ");
    let outcome = guest::run(
        &lab(),
        &format!("FEATURES='{features}'; GROUPS_OF_20='{groups}'; . /with/own-policies.sh"),
    );
    let mut table = String::new();
    for (feature, policy) in POLICIES {
        for groups in GROUPS {
            let name = format!("{feature}-{groups}");
            let report = guest::total(&outcome, &format!("{name}.json"));
            check(&report, policy, &name);
            let seconds = guest::left(&outcome, &format!("{name}.time"));
            row(&mut table, policy, groups, &read(&outcome, &name), &seconds);
        }
    }
    println!(
        "| policy | groups | hackbench, s | searches | skipped, % | CPUs scanned, mean | search \
         p50, ns | search p99, ns |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n{table}"
    );
}

fn check(report: &Value, policy: Policy, name: &str) {
    assert_eq!(report["source"]["fidelity"], "exact");
    assert_eq!(
        report["source"]["policy"]["policy"],
        policy.name(),
        "{name}"
    );
    let mut searches = 0;
    for llc in [0, 1] {
        let figures = guest::figures(report, llc);
        guest::keeps_to_the_limit(figures);
        // Each was held against a limit.
        let judged: u64 = guest::counts(figures, "limit").values().sum();
        assert_eq!(judged, guest::searches(figures), "{name}, LLC {llc}");
        searches += judged;
    }
    assert!(searches > 100, "{name}: {searches} searches only");
}

fn read(outcome: &Outcome, name: &str) -> Report {
    let text = guest::left(outcome, &format!("{name}.json"));
    let last = text.lines().last().expect("a report");
    json::read(last).expect("a report of this version")
}

/// Both LLCs together.
fn row(table: &mut String, policy: Policy, groups: u32, report: &Report, seconds: &str) {
    let [first, second] = [0, 1].map(|llc| &report.groups[llc].figures);
    let mut duration = first.duration.clone();
    duration.add(&second.duration);
    let mut scanned = first.scanned.clone();
    scanned.add(&second.scanned);
    let skipped = [first, second].map(|figures| figures.outcome(OutcomeName::Skipped));
    let searches = first.searches() + second.searches();
    let [p50, p99] = duration.percentiles([0.5, 0.99]).expect("searches");
    let ns = |percentile| match percentile {
        Percentile::AtMost(ns) => ns.to_string(),
        Percentile::AtLeast(ns) => format!(">= {ns}"),
    };
    let _ = writeln!(
        table,
        "| `{policy}` | {groups} | {} | {searches} | {:.1} | {:.2} | {} | {} |",
        seconds.trim(),
        100.0 * skipped.iter().sum::<u64>() as f64 / searches as f64,
        scanned.mean().expect("searches"),
        ns(p50),
        ns(p99),
    );
}
