//! `sisprobe doctor` on this machine and on captured ones.

use std::fs;

use serde_json::Value;

use crate::{
    capture,
    command::{Ended, fixture, run, sisprobe},
};

/// Runs the doctor for text and for JSON, which must agree.
fn examine(arguments: &[&str]) -> (Ended, Value) {
    let with = |more: &[&str]| run(sisprobe(["doctor"]).args(arguments).args(more));
    let (text, json) = (with(&[]), with(&["--json"]));
    assert_eq!(text.stderr, "", "obstacles are answers, not errors");
    assert_eq!(json.stderr, "");
    assert_eq!(text.status, json.status);
    let value: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(value["exit_status"], text.status);
    let obstacles = value["obstacles"].as_array().expect("a list");
    assert_eq!(obstacles.is_empty(), text.status == 0);
    let verdict = if obstacles.is_empty() {
        "\nReady: "
    } else {
        "\nNot ready:\n  - "
    };
    assert!(text.stdout.contains(verdict), "{}", text.stdout);
    (text, value)
}

#[test]
fn of_this_machine() {
    let (text, json) = examine(&[]);
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("a release");
    assert_eq!(json["release"]["found"], release.trim_end());
    assert!(text.stdout.contains(release.trim_end()), "{}", text.stdout);
    assert!(json["machine"]["found"].is_string());
    assert!(
        json["topology"]["found"].is_object(),
        "{}",
        json["topology"]
    );
    for function in ["select_task_rq_fair", "select_idle_cpu"] {
        assert!(text.stdout.contains(function), "{}", text.stdout);
    }
}

#[test]
fn of_captured_machines() {
    let captures = capture::all();
    assert!(captures.len() >= 8);
    for path in captures {
        let capture = fs::read_to_string(&path).expect("a capture");
        let machine = capture::unpack(&capture);
        let root = machine.path().to_str().expect("text");
        let (text, json) = examine(&["--root", root]);
        let release = fs::read_to_string(machine.path().join("proc/sys/kernel/osrelease"));
        assert_eq!(
            json["release"]["found"],
            release.expect("a release").trim_end()
        );
        // The captures leave BTF out.
        let locked_down = capture.contains("[confidentiality]");
        let status = if locked_down { 3 } else { 4 };
        assert_eq!(text.status, status, "{}:\n{}", path.display(), text.stdout);
        assert!(text.stdout.contains("apt install linux-image-6.1"));
        assert!(json["btf"]["absent"].is_string());
        assert_eq!(json["plan"]["fidelity"], "bracketed");
        assert_eq!(json["plan"]["attach"], "kprobe");
    }
}

#[test]
fn of_a_machine_with_a_btf_file() {
    let capture = fs::read_to_string(fixture("machines/6.12-1cpu.txt")).expect("a capture");
    let machine = capture::unpack(&capture);
    let root = machine.path().to_str().expect("text");
    let btf = fixture("made/made.btf");
    let (text, json) = examine(&["--root", root, "--btf", btf.to_str().expect("text")]);
    assert_eq!(json["plan"]["attach"], "fentry");
    // It has the functions, and few of the structs.
    assert_eq!(text.status, 4);
    let obstacle = json["obstacles"][0].as_str().expect("an obstacle");
    assert!(obstacle.contains("sched_domain::span"), "{obstacle}");
}
