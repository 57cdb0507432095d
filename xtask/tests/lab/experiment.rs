//! Three policies on one stock kernel, told apart by how far they let the search look: SIS_UTIL
//! not at all in an overloaded LLC, SIS_PROP one less than its floor of 4, neither of them the
//! whole LLC (select_idle_cpu in 6.1's kernel/sched/fair.c).

use std::time::Duration;

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
    for (setting, features, scanned) in [
        ("SIS_UTIL-NO_SIS_PROP", &["SIS_UTIL"][..], 0),
        ("NO_SIS_UTIL-SIS_PROP", &["SIS_PROP"], 3),
        ("NO_SIS_UTIL-NO_SIS_PROP", &[], LLC_SIZE),
    ] {
        let report = guest::total(&outcome, &format!("{setting}.json"));
        assert_eq!(
            report["source"]["sis_features"],
            serde_json::json!(features)
        );
        let (mut as_said, mut all) = (0, 0);
        for llc in [0, 1] {
            let counts = guest::counts(guest::figures(&report, llc), "scanned");
            as_said += counts.get(&scanned).copied().unwrap_or(0);
            all += counts.values().sum::<u64>();
        }
        assert!(all > 1000, "{setting}: {all} searches only");
        let share = as_said as f64 / all as f64;
        assert!(
            share >= SHARE,
            "{setting}: {as_said} of {all} searches looked at {scanned} CPUs"
        );
    }
}
