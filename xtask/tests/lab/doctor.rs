//! `sisprobe doctor` and profiles on a machine with and without debug info.

use serde_json::Value;

use crate::guest;

#[test]
fn names_the_package_and_plans_inlined_with_it() {
    let without = guest::run(&guest::lab("6.12"), "sisprobe doctor");
    let package = format!("apt install linux-image-{}-dbg", without.release);
    assert!(without.stdout.contains(&package), "{}", without.stdout);
    assert!(
        without
            .stdout
            .contains("Plan: fidelity bracketed, attach fentry")
    );

    let with = guest::run(
        &guest::lab("6.12").debuginfo(true),
        "sisprobe doctor; sisprobe doctor --json > /out/doctor.json",
    );
    assert!(
        with.stdout
            .contains("Plan: fidelity inlined, attach fentry")
    );
    let doctor: Value = serde_json::from_str(&guest::left(&with, "doctor.json")).expect("JSON");
    assert_eq!(doctor["plan"]["fidelity"], "inlined");
    assert_eq!(doctor["exit_status"], 0);
}

/// A profile made on one boot serves on another without debug info; one of another kernel is
/// refused.
#[test]
fn a_profile_stands_in_for_debug_info() {
    let make = "sisprobe profile make --vmlinux /usr/lib/debug/boot/vmlinux-* -o /out/profile.json";
    let of_6_1 = guest::run(&guest::lab("6.1").debuginfo(true), make);
    let profile = of_6_1.out_dir.path().join("profile.json");

    let same = guest::run(
        &guest::lab("6.1").with(&profile),
        "mkdir -p /etc/sisprobe/profiles
         id=$(sed -n 's/.*\"build_id\": *\"\\([0-9a-f]*\\)\".*/\\1/p' /with/profile.json)
         cp /with/profile.json /etc/sisprobe/profiles/$id.json
         sisprobe doctor
         sisprobe --json --duration 100ms > /out/report.json",
    );
    assert!(
        same.stdout.contains("Plan: fidelity inlined"),
        "{}",
        same.stdout
    );
    let report = guest::total(&same, "report.json");
    assert_eq!(report["source"]["fidelity"], "inlined");
    let from = report["source"]["inlined_from"].as_str().expect("a source");
    assert!(
        from.starts_with("profile /etc/sisprobe/profiles/"),
        "{from}"
    );

    let other = guest::run(
        &guest::lab("6.12").with(&profile),
        "sisprobe --profile /with/profile.json; test $? = 2",
    );
    assert!(
        other.stdout.contains("is for another build"),
        "{}",
        other.stdout
    );
}
