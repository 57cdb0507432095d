//! Guests, and what sisprobe and its witness left in them.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;
use xtask::lab::{End, Kernel, Lab, Outcome};

/// Counts by value, as a histogram of whole numbers has them.
pub type Counts = BTreeMap<u64, u64>;

/// A guest with this kernel (a series) and the scripts of this folder.
pub fn lab(kernel: &str) -> Lab {
    with_scripts(Lab::new(Kernel::series(kernel)))
}

/// Puts the scripts of this folder into the guest.
pub fn with_scripts(lab: Lab) -> Lab {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the tests' folder")
        .map(|entry| entry.expect("its entries").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|suffix| suffix == "sh" || suffix == "bt")
        })
        .collect();
    files.sort();
    files.into_iter().fold(lab, Lab::with)
}

/// Runs `command` and holds that it succeeds.
pub fn run(lab: &Lab, command: &str) -> Outcome {
    let outcome = lab.run(command).expect("the lab works");
    assert_eq!(
        outcome.end,
        End::Exited(0),
        "{command}\n{}\nconsole:\n{}",
        outcome.stdout,
        outcome.console
    );
    outcome
}

/// A file that the command left in /out.
pub fn left(outcome: &Outcome, name: &str) -> String {
    let path = outcome.out_dir.path().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All reports that `sisprobe --json` wrote to /out, in order.
pub fn reports(outcome: &Outcome, name: &str) -> Vec<Value> {
    left(outcome, name)
        .lines()
        .map(|line| {
            let document: Value = serde_json::from_str(line).expect("a line of JSON");
            document["report"].clone()
        })
        .collect()
}

/// The last of them: everything that was counted.
pub fn total(outcome: &Outcome, name: &str) -> Value {
    let report = reports(outcome, name).pop().expect("a report");
    nothing_unmatched(&report);
    report
}

/// Holds that every entry had its return and every search its wake-up.
pub fn nothing_unmatched(report: &Value) {
    for counter in [
        "unmatched_entries",
        "unmatched_exits",
        "searches_outside",
        "core_calls_dropped",
    ] {
        assert_eq!(report["health"][counter], 0, "{counter}");
    }
}

/// LLC `id`.
pub fn group(report: &Value, id: u64) -> &Value {
    let groups = report["groups"].as_array().expect("groups");
    let group = groups.iter().find(|group| group["llc"] == id);
    group.unwrap_or_else(|| panic!("no LLC {id} in {groups:?}"))
}

/// The figures of LLC `id`.
pub fn figures(report: &Value, id: u64) -> &Value {
    &group(report, id)["figures"]
}

/// `(number, CPU list)` of each LLC that is known; wake-ups of a CPU that has just come up are
/// counted apart until sisprobe has looked whose it is.
pub fn llcs(report: &Value) -> Vec<(u64, &str)> {
    let groups = report["groups"].as_array().expect("groups");
    groups
        .iter()
        .filter_map(|group| Some((group["llc"].as_u64()?, group["cpus"].as_str()?)))
        .collect()
}

/// A counter.
pub fn number(figures: &Value, name: &str) -> u64 {
    figures[name].as_u64().unwrap_or_else(|| panic!("{name}"))
}

/// Holds that searches kept to the limit: what sisprobe reads of the LLC it reads a moment before
/// the kernel does, so that one in a thousand may seem to have gone beyond it in a guest whose
/// CPUs take turns. A policy taken for another one shows in most of the searches.
pub fn keeps_to_the_limit(figures: &Value) {
    let (over, searches) = (number(figures, "over_limit"), searches(figures));
    assert!(
        over <= 1 + searches / 1000,
        "{over} of {searches} searches looked too far: {figures}"
    );
}

/// All searches, by however they ended.
pub fn searches(figures: &Value) -> u64 {
    let outcomes = figures["outcomes"].as_object().expect("outcomes");
    outcomes.values().filter_map(Value::as_u64).sum()
}

/// A histogram's counts by least value of the bucket, which is the value itself below 16.
pub fn counts(figures: &Value, histogram: &str) -> Counts {
    let counts = figures[histogram]["counts"].as_object().expect("counts");
    counts
        .iter()
        .map(|(value, count)| {
            let value = value.parse().expect("a whole number");
            (value, count.as_u64().expect("a count"))
        })
        .collect()
}
