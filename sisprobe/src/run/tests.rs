//! Real processes.

use std::{fs, path::Path};

use super::*;

fn words(command: &[&str]) -> Vec<OsString> {
    command.iter().map(Into::into).collect()
}

fn run(keeper: &mut Keeper, command: &[&str]) -> Ended {
    let running = Running::start(&words(command), keeper, Pass::Nowhere, || {});
    running.unwrap().finish().unwrap()
}

fn exists(process: &str) -> bool {
    // A zombie that a container's init has not reaped yet is none of ours.
    let status = fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

/// What the command has written so far, once it has written something.
fn said(running: &Running<'_>) -> String {
    loop {
        let kept = running.output.kept.lock().unwrap();
        if !kept.is_empty() {
            return kept.iter().map(|&byte| char::from(byte)).collect();
        }
        drop(kept);
        thread::sleep(Duration::from_millis(10));
    }
}

fn gone(process: &str) -> bool {
    (0..100).any(|_| {
        thread::sleep(Duration::from_millis(20));
        !exists(process)
    })
}

#[test]
fn statuses_signals_and_both_streams_are_told() {
    let mut keeper = Keeper::start().unwrap();
    let ended = run(&mut keeper, &["sh", "-c", "echo out; echo err >&2; exit 3"]);
    assert_eq!(ended.exit, Exit::Status(3));
    let mut lines: Vec<_> = ended.output.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["err", "out"]);
    let ended = run(&mut keeper, &["sh", "-c", "kill -KILL $$"]);
    assert_eq!(ended.exit, Exit::Signal(libc::SIGKILL));
    let ended = run(&mut keeper, &["sleep", "0.2"]);
    assert!(ended.exit.is_success());
    assert!(ended.wall_time >= Duration::from_millis(200));
}

#[test]
fn what_cannot_be_started_has_a_shells_status() {
    let mut keeper = Keeper::start().unwrap();
    let mut refused = |command: &[&str]| {
        let answer = Running::start(&words(command), &mut keeper, Pass::Nowhere, || {});
        answer.unwrap_err()
    };
    assert_eq!(refused(&["/no/such/program"]).code(), 127);
    let error = refused(&["/etc/passwd"]);
    assert_eq!(error.code(), 126);
    assert!(error.to_string().contains("tried to start /etc/passwd"));
    assert_eq!(refused(&[]).code(), 126);
    assert!(run(&mut keeper, &["true"]).exit.is_success());
}

#[test]
fn only_the_end_of_a_long_output_is_kept() {
    let mut keeper = Keeper::start().unwrap();
    let ended = run(
        &mut keeper,
        &["sh", "-c", "yes | head -c 9000000; echo end"],
    );
    assert_eq!(ended.output.len(), 4 << 20);
    assert!(ended.output.ends_with("end\n"));
}

#[test]
fn what_a_command_leaves_in_its_group_is_ended() {
    let mut keeper = Keeper::start().unwrap();
    let before = Instant::now();
    let ended = run(&mut keeper, &["sh", "-c", "sleep 1000 & echo $!"]);
    assert!(before.elapsed() < Duration::from_secs(100));
    assert!(gone(ended.output.trim()));
}

#[test]
fn one_that_does_not_end_when_asked_is_ended() {
    let mut keeper = Keeper::start().unwrap();
    let script = "trap '' TERM; echo ready; while :; do sleep 1; done";
    let command = words(&["sh", "-c", script]);
    let mut running = Running::start(&command, &mut keeper, Pass::Nowhere, || {}).unwrap();
    assert_eq!(said(&running), "ready\n");
    signal_group(running.group(), libc::SIGTERM);
    running.end_soon();
    assert!(!running.is_over());
    running.deadline = Some(Instant::now());
    assert_eq!(running.finish().unwrap().exit, Exit::Signal(libc::SIGKILL));
}

#[test]
fn one_that_is_dropped_is_ended() {
    let mut keeper = Keeper::start().unwrap();
    let running = Running::start(
        &words(&["sleep", "1000"]),
        &mut keeper,
        Pass::Nowhere,
        || {},
    );
    let process = running.as_ref().unwrap().group().to_string();
    assert!(exists(&process));
    drop(running);
    assert!(!Path::new("/proc").join(process).exists());
}

/// As it is when sisprobe is killed: the keeper's input ends and nothing was said before.
#[test]
fn the_keeper_ends_the_group_of_who_is_no_more() {
    let mut keeper = Keeper::start().unwrap();
    let command = words(&["sh", "-c", "sleep 1000 & echo $!; wait"]);
    let running = Running::start(&command, &mut keeper, Pass::Nowhere, || {}).unwrap();
    let leader = running.group().to_string();
    let child = said(&running);
    let mut running = std::mem::ManuallyDrop::new(running);
    running.keeper.pipe = None;
    assert!(gone(child.trim()));
    // It was our child, so it is a zombie until we ask.
    assert!(gone(&leader));
    running.child.wait().unwrap();
}
