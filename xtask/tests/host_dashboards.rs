//! The dashboards fit Grafana's published types and the rules of dashboards/check.

use std::{path::Path, process::Command};

use xtask::{
    command,
    setup::{self, Part},
};

#[test]
fn they_fit_grafanas_types() {
    setup::ensure(&[Part::Test]).expect("node and npm");
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dashboards/check");
    // What is installed already, in the versions of the lock file, is not fetched again.
    let is_installed = Command::new("npm")
        .args(["ls", "--all"])
        .current_dir(&check)
        .output()
        .is_ok_and(|listing| listing.status.success());
    if !is_installed {
        npm(&check, &["ci", "--no-audit", "--no-fund"]);
    }
    let told = npm(&check, &["test"]);
    // A run that finds no tests succeeds too.
    let passed = told.lines().find_map(|line| line.split_once("pass "));
    let passed: u32 = passed
        .and_then(|(_, count)| count.trim().parse().ok())
        .unwrap_or_else(|| panic!("node says how many tests passed:\n{told}"));
    assert!(passed > 30, "{told}");
}

fn npm(folder: &Path, arguments: &[&str]) -> String {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder);
    command::output(&mut npm).unwrap_or_else(|error| panic!("{error:#}"))
}
