//! Measuring on this machine, where it may or may not be possible.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{run, sisprobe};

const NOBODY: u32 = 65534;

/// The doctor foretells the status; only the kernel's own word can make it worse.
#[test]
fn ends_as_the_doctor_foretells() {
    let foretold = run(&mut sisprobe(["doctor"])).status;
    let ended = run(&mut sisprobe(["--plain", "--duration", "100ms"]));
    if foretold == 0 {
        assert!(
            [0, 3, 5].contains(&ended.status),
            "status {}: {}",
            ended.status,
            ended.stderr
        );
    } else {
        assert_eq!(ended.status, foretold, "{}", ended.stderr);
    }
    if ended.status == 0 {
        assert!(ended.stdout.contains("LLC 0"), "{}", ended.stdout);
    } else {
        assert!(ended.stderr.starts_with("sisprobe: "), "{}", ended.stderr);
        assert_eq!(ended.stdout, "", "nothing that looks like a measurement");
    }
}

#[test]
fn prints_one_document_or_none() {
    let ended = run(&mut sisprobe(["--json", "--duration", "100ms"]));
    if ended.status == 0 {
        let json: Value = serde_json::from_str(&ended.stdout).expect("one document");
        assert_eq!(json["schema_version"], 2);
        let elapsed = json["report"]["elapsed"].as_f64().expect("a number");
        assert!(elapsed >= 0.1, "{elapsed}");
    } else {
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn an_ordinary_user_may_not() {
    let folder = TempDir::new().expect("a folder");
    let is_root = fs::metadata("/proc/self").expect("a process").uid() == 0;
    let mut command = if is_root {
        // Where nobody can reach it.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
        let copy = folder.path().join("sisprobe");
        // Not by fs::copy: a test that starts a process meanwhile would hand it the copy, open for
        // writing, and the kernel runs no program that is being written.
        let copied = Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_sisprobe"))
            .arg(&copy)
            .status();
        assert!(copied.expect("cp can be started").success());
        let mut command = Command::new(copy);
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
        command
    } else {
        sisprobe::<&str>([])
    };
    let ended = run(command.args(["--plain", "--duration", "100ms"]));
    if is_root {
        assert_eq!(ended.status, 3, "{}", ended.stderr);
        assert!(
            ended.stderr.contains("needs CAP_BPF and CAP_PERFMON"),
            "{}",
            ended.stderr
        );
    } else {
        // A user who was given capabilities is none.
        assert_ne!(ended.status, 2, "{}", ended.stderr);
    }
}
