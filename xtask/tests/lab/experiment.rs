//! Three policies on one stock kernel, told apart by how far they let the search look: SIS_UTIL
//! not at all in an overloaded LLC, SIS_PROP one less than its floor of 4, neither of them the
//! whole LLC (select_idle_cpu in 6.1's kernel/sched/fair.c).

use std::time::Duration;

use serde_json::Value;

use crate::guest;

/// CPUs of each LLC of the guest.
const LLC_SIZE: u64 = 16;

/// Searches that must look at what the policy says.
const SHARE: f64 = 0.95;

#[test]
fn three_policies_on_6_1() {
    let lab = guest::lab("6.1")
        .topology(2, 8, 2)
        .debuginfo(true)
        .timeout(Duration::from_secs(500));
    let outcome = guest::run(&lab, ". /with/guest.sh; . /with/experiment.sh");
    for (setting, features, policy, scanned) in [
        ("SIS_UTIL-NO_SIS_PROP", &["SIS_UTIL"][..], "sis_util", 0),
        ("NO_SIS_UTIL-SIS_PROP", &["SIS_PROP"], "sis_prop", 3),
        ("NO_SIS_UTIL-NO_SIS_PROP", &[], "full", LLC_SIZE),
    ] {
        let name = format!("{setting}.json");
        let last = guest::total(&outcome, &name);
        assert_eq!(last["source"]["sis_features"], serde_json::json!(features));
        assert_eq!(last["source"]["policy"]["policy"], policy);
        for llc in [0, 1] {
            let figures = guest::figures(&last, llc);
            let at = guest::number(figures, "at_limit");
            guest::keeps_to_the_limit(figures);
            assert!(scanned == 0 || at > 1000, "{setting}: {at} at the limit");
        }
        let first = half_way(&guest::reports(&outcome, &name));
        let (mut as_said, mut all) = (0, 0);
        for llc in [0, 1] {
            let before = guest::counts(guest::figures(&first, llc), "scanned");
            for (cpus, count) in guest::counts(guest::figures(&last, llc), "scanned") {
                let count = count - before.get(&cpus).copied().unwrap_or(0);
                all += count;
                if cpus == scanned {
                    as_said += count;
                }
            }
        }
        assert!(all > 1000, "{setting}: {all} searches only");
        let share = as_said as f64 / all as f64;
        assert!(
            share >= SHARE,
            "{setting}: {as_said} of {all} searches looked at {scanned} CPUs"
        );
    }
}

/// The first report of the second half of the time. In the first half the load builds up, and the
/// kernel has not yet told the LLCs overloaded (update_idle_cpu_scan runs with load balancing).
fn half_way(reports: &[Value]) -> Value {
    let elapsed = |report: &Value| report["elapsed"].as_f64().expect("a time");
    let half = reports.last().map(elapsed).expect("reports") / 2.0;
    let first = reports.iter().find(|report| elapsed(report) >= half);
    first.expect("a later report").clone()
}
