//! What every policy says of a real machine, and which of them is active.

use std::time::Duration;

use serde_json::Value;

use crate::guest;

/// How far the part of wake-ups that is searched may be from what the active policy's model says:
/// the load at the end of 50 ms stands for each search in them, and where the emulating machine is
/// busy the 50 ms become many more.
const NEAR: f64 = 0.15;

#[test]
fn all_have_a_number_on_6_1() {
    let what_if = ask("6.1");
    for policy in policies(&what_if) {
        assert!(policy["not_available"].is_null(), "{policy}");
        check_numbers(policy);
    }
}

#[test]
fn what_6_12_lacks_is_named() {
    let what_if = ask("6.12");
    let lacking = "this kernel has no sched_domain::avg_scan_cost";
    let both = "this kernel has no rq::wake_avg_idle and no sched_domain::avg_scan_cost";
    for policy in policies(&what_if) {
        let why = match policy["policy"].as_str().expect("a name") {
            "sis_prop" => both,
            "sis_prop_avg_idle" | "sis_avg_cpu" | "sis_core_window" => lacking,
            _ => {
                check_numbers(policy);
                continue;
            }
        };
        assert_eq!(policy["not_available"], why);
        assert!(policy["searched"].is_null(), "{policy}");
    }
}

/// Loads a guest of two LLCs of 8 CPUs and asks.
fn ask(kernel: &str) -> Value {
    let lab = guest::lab(kernel)
        .debuginfo(true)
        .timeout(Duration::from_secs(300));
    let outcome = guest::run(&lab, ". /with/policies.sh");
    switched(&guest::reports(&outcome, "switched.json"));
    let text = guest::left(&outcome, "whatif.txt");
    assert!(
        text.contains("active policy  sis_util: SIS_UTIL is on"),
        "{text}"
    );
    let what_if = serde_json::from_str(&guest::left(&outcome, "whatif.json"));
    what_if.expect("one document")
}

/// The policy is told as it is switched, and what looks too far is not told for it.
fn switched(reports: &[Value]) {
    let mut told: Vec<&str> = reports
        .iter()
        .map(|report| {
            report["source"]["policy"]["policy"]
                .as_str()
                .expect("known")
        })
        .collect();
    told.dedup();
    assert_eq!(told[..3], ["sis_util", "full", "sis_util"]);
    let last = reports.last().expect("reports");
    for llc in [0, 1] {
        let figures = guest::figures(last, llc);
        assert!(guest::searches(figures) > 20, "{figures}");
        guest::keeps_to_the_limit(figures);
    }
}

/// What was answered for the LLC with the most searches.
fn policies(what_if: &Value) -> &[Value] {
    let llcs = what_if["llcs"].as_array().expect("LLCs");
    let searches = |llc: &&Value| llc["searches"].as_u64();
    let llc = llcs.iter().max_by_key(searches).expect("an LLC");
    assert!(searches(&llc) > Some(100), "{llc}");
    let policies = llc["policies"].as_array().expect("policies");
    assert_eq!(policies.len(), 12);
    let of = |name: &str| {
        let policy = policies.iter().find(|policy| policy["policy"] == name);
        policy.expect("a policy")
    };
    assert_eq!(of("full")["missed"], 0.0);
    assert_eq!(of("full")["budget"], 8.0);
    let measured = llc["measured"]["searched"].as_f64().expect("a part");
    let active = of("sis_util")["searched"].as_f64().expect("a part");
    assert!(
        (measured - active).abs() < NEAR,
        "{measured} of the wake-ups were searched, the model has {active}"
    );
    policies
}

fn check_numbers(policy: &Value) {
    let number = |name: &str| {
        let number = policy[name].as_f64();
        number.unwrap_or_else(|| panic!("{name} of {policy}"))
    };
    for part in ["searched", "missed"] {
        assert!((0.0..=1.0).contains(&number(part)), "{policy}");
    }
    assert!((0.0..=8.0).contains(&number("budget")), "{policy}");
}
