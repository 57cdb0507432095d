//! What the doctor says of captured machines.

use serde_json::Value;

use super::*;
use crate::kernel::{
    InlineSource,
    fixture::{Machine, inlined, kernel, machine_with_btf},
};

fn diagnose(facts: Facts) -> (Diagnosis, String) {
    let diagnosis = examine(facts, Request::default());
    let text = text(&diagnosis);
    (diagnosis, text)
}

/// The answer in the line of `label`.
fn answer<'a>(text: &'a str, label: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    line.unwrap_or_else(|| panic!("no line {label}:\n{text}"))
        .trim_start()
}

#[test]
fn a_stock_kernel_without_debug_info() {
    let (diagnosis, text) = diagnose(machine_with_btf("6.12-2llc").facts());
    assert_eq!(diagnosis.exit_status, 0);
    assert_eq!(diagnosis.obstacles, [""; 0]);
    for (label, words) in [
        ("kernel", "6.12.117+deb12-cloud-amd64"),
        ("build id", "7f76f39faf07f34cfa9fadd801e131bfa8cb6dc3"),
        (
            "topology",
            "16 of 16 possible CPUs online; LLC 0 is CPUs 0-7, LLC 1 is CPUs 8-15",
        ),
        ("select_task_rq_fair", "symbol select_task_rq_fair, in BTF"),
        ("select_idle_cpu", "no symbol of its own, and no debug info"),
        ("select_idle_core", "symbol select_idle_core.constprop.0"),
        ("BTF", "there"),
        ("kprobes", "there"),
        ("fentry", "unknown: the kernel's configuration"),
        ("inlined search", "no: no debug info and no profile"),
        ("features", "SIS_UTIL"),
        ("policy", "sis_util: SIS_UTIL is on"),
        ("lockdown", "none"),
        ("sched_ext", "no: /sys/kernel/sched_ext is not there"),
        ("privileges", "sufficient"),
    ] {
        let answer = answer(&text, label);
        assert!(answer.starts_with(words), "{label}: {answer}");
    }
    for words in [
        "Plan: fidelity bracketed, attach fentry\n  fexit:select_task_rq_fair\n",
        "Why not better:\n  - fidelity exact: ",
        "apt install linux-image-6.12.117+deb12-cloud-amd64-dbg",
        "Ready: ",
    ] {
        assert!(text.contains(words), "{words:?} is not in:\n{text}");
    }
    assert!(!text.contains("Not ready"), "{text}");
}

#[test]
fn with_debug_info_the_copies_are_told() {
    let mut facts = kernel("6.1-2llc").facts();
    facts.inlined = inlined(&[
        (SEARCH, WAKEUP, 0x7e9),
        (CORE, WAKEUP, 0x8c5),
        (CORE, WAKEUP, 0x9c5),
    ]);
    let (diagnosis, text) = diagnose(facts);
    assert_eq!(answer(&text, "select_idle_cpu"), "1 inlined copy");
    assert_eq!(answer(&text, "select_idle_core"), "2 inlined copies");
    assert_eq!(
        answer(&text, "inlined search"),
        "debug info /usr/lib/debug/vmlinux"
    );
    assert!(text.contains("Plan: fidelity inlined"), "{text}");
    assert!(text.contains("kprobe:select_task_rq_fair+0x7e9"), "{text}");
    let source = diagnosis.inlined.found().map(|known| &known.source);
    assert!(matches!(source, Some(InlineSource::Debuginfo(_))));
}

/// Each obstacle with the status that a measurement would end with.
#[test]
fn obstacles_have_their_status() {
    let check = |machine: &Machine, status: u8, words: &str| {
        let (diagnosis, text) = diagnose(machine.facts());
        assert_eq!(diagnosis.exit_status, status, "{text}");
        let (_, obstacles) = text.split_once("Not ready:\n  - ").expect("an obstacle");
        assert!(obstacles.contains(words), "{text}");
    };
    check(&machine_with_btf("6.12-lockdown"), 3, "locked down");

    let machine = machine_with_btf("6.12-1cpu");
    machine.hide_addresses();
    check(&machine, 3, "the address of __per_cpu_offset");

    let machine = machine_with_btf("6.12-1cpu");
    machine.remove("/sys/kernel/btf");
    check(&machine, 4, "the kernel's BTF is needed");

    let machine = machine_with_btf("6.12-1cpu");
    machine.write("/sys/kernel/sched_ext/state", b"enabled\n");
    machine.write("/sys/kernel/sched_ext/root/ops", b"central\n");
    check(&machine, 6, "central is enabled");

    // No CPUs: a measurement could not say what it counts for.
    check(&kernel("6.12-1cpu"), 4, "tried to read the CPU topology");
    check(&Machine::from_files(&[]), 3, "CAP_BPF and CAP_PERFMON");
}

#[test]
fn the_first_obstacle_gives_the_status_and_all_are_told() {
    let machine = machine_with_btf("6.12-1cpu");
    machine.write("/proc/self/status", b"Uid:\t1\t1\t1\t1\nCapEff:\t0\n");
    machine.hide_addresses();
    let (diagnosis, text) = diagnose(machine.facts());
    assert_eq!(diagnosis.exit_status, 3);
    assert_eq!(diagnosis.obstacles.len(), 2, "{text}");
    assert_eq!(
        answer(&text, "privileges"),
        "CAP_BPF and CAP_PERFMON missing; root would see kernel addresses and debugfs, and could \
         attach"
    );
    assert!(answer(&text, "addresses").contains("kptr_restrict"));
    // What a process that may could do is told all the same.
    assert!(text.contains("Plan: fidelity bracketed"), "{text}");
}

#[test]
fn a_request_is_taken_into_account() {
    let request = Request {
        attach: Some(plan::AttachMethod::Kprobe),
        fidelity: None,
    };
    let facts = machine_with_btf("6.12-1cpu").facts();
    let plan = examine(facts, request).plan.unwrap();
    assert_eq!(plan.attach, plan::AttachMethod::Kprobe);
    let request = Request {
        attach: None,
        fidelity: Some(plan::Fidelity::Exact),
    };
    let diagnosis = examine(machine_with_btf("6.12-1cpu").facts(), request);
    assert_eq!(diagnosis.exit_status, 4);
    assert!(diagnosis.plan.is_none());
    assert!(text(&diagnosis).contains("No plan."));
}

#[test]
fn json_has_the_documented_fields() {
    let (diagnosis, _) = diagnose(machine_with_btf("6.12-2llc").facts());
    let json = serde_json::to_value(&diagnosis).unwrap();
    let mut fields: Vec<_> = json.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "addresses_hidden",
            "btf",
            "build_id",
            "exit_status",
            "features",
            "functions",
            "inlined",
            "lockdown",
            "machine",
            "obstacles",
            "plan",
            "policy",
            "privileges",
            "release",
            "sched_ext",
            "topology",
            "tracing",
        ]
    );
    let cli = include_str!("../../../docs/cli.md");
    for field in fields {
        assert!(cli.contains(&format!("`{field}`")), "docs/cli.md: {field}");
    }
    assert_eq!(json["release"]["found"], "6.12.117+deb12-cloud-amd64");
    assert!(json["inlined"]["absent"].is_string());
    assert!(json["tracing"]["fentry"]["unknown"].is_string());
    assert_eq!(json["topology"]["found"]["llcs"][1]["cpus"], "8-15");
    assert_eq!(json["plan"]["fidelity"], "bracketed");
    assert_eq!(json["plan"]["attach"], "fentry");
    assert_eq!(
        json["plan"]["probes"][0],
        serde_json::json!({"program": "left_fexit", "kind": "fexit",
                           "symbol": "select_task_rq_fair", "offset": 0})
    );
    assert_eq!(json["plan"]["rejected"][0]["what"], "fidelity exact");
    assert_eq!(json["functions"][2]["name"], "select_idle_core");
    assert_eq!(json["obstacles"], Value::Array(Vec::new()));
}
