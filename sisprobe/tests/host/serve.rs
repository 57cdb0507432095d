//! The daemon on this machine, where it may or may not be possible to measure.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{expect, run, sisprobe};

/// As a measurement does, and with nothing left behind; where it can measure, until SIGTERM.
#[test]
fn ends_as_the_doctor_foretells() {
    let foretold = run(&mut sisprobe(["doctor"])).status;
    let mut daemon = sisprobe(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut messages = Vec::new();
    let log = BufReader::new(daemon.stderr.take().expect("a pipe"));
    for line in log.lines().map(|line| line.expect("text")) {
        let Ok(event) = serde_json::from_str::<Value>(&line) else {
            messages.push(line);
            continue;
        };
        let message = event["message"].as_str().expect("a message").to_owned();
        if message == "measuring" {
            // Rust has no other way to send a signal.
            let pid = daemon.id().to_string();
            let sent = Command::new("kill").args(["-TERM", &pid]).status();
            assert!(sent.expect("kill can be started").success());
        }
        messages.push(message);
    }
    let status = daemon.wait().expect("it has ended").code();
    assert_eq!(messages.first().map(String::as_str), Some("listening"));
    let last = messages.last().expect("a message");
    if status == Some(0) {
        assert_eq!((foretold, last.as_str()), (0, "ended"));
    } else {
        assert!(last.starts_with("sisprobe: "), "{last}");
        // Only the kernel's own word can make it worse.
        assert!(
            status == Some(foretold) || foretold == 0,
            "{status:?}: {last}"
        );
    }
}

#[test]
fn a_port_in_use_is_told_before_anything_is_attached() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let ended = expect(&["serve", "--listen", &address], 1, &address);
    assert!(ended.stderr.contains("in use"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--listen"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("measuring"), "{}", ended.stderr);
}

#[test]
fn wrong_arguments() {
    for (arguments, words) in [
        (&["--listen", "9747"][..], "--listen"),
        (&["--duration-buckets", "1ms..1us"], "less than the last"),
        (&["--duration-buckets", "1us"], "256ns..16ms"),
        (&["--interval", "1ms"], "10ms or more"),
        (&["--log-format", "xml"], "--log-format"),
        (&["--log-level", "loud"], "--log-level"),
        (&["--policy", "none"], "no policy"),
        (&["--shard-size", "4"], "--group-by"),
        (&["--json"], "--json"),
    ] {
        expect(&[&["serve"], arguments].concat(), 2, words);
    }
}

#[test]
fn a_web_configuration_that_would_not_be_followed() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("web.yml");
    let name = path.to_str().expect("text");
    fs::write(&path, "http_server_config: {http2: true}\n").expect("a file");
    let arguments = ["serve", "--web.config.file", name];
    expect(&arguments, 2, "http_server_config");
    fs::remove_file(&path).expect("removed");
    expect(&arguments, 2, "No such file");
}
