//! Running the command.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The command with `arguments`, not run yet.
pub(crate) fn sisprobe<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sisprobe"));
    command.args(arguments);
    command
}

/// How the command ended.
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs it to its end, which must be one of its own: no panic and no signal.
pub(crate) fn run(command: &mut Command) -> Ended {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the command can be started");
    let ended = Ended {
        status: status.code().expect("no signal ends it"),
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
    };
    assert!(
        (0..=6).contains(&ended.status),
        "{command:?} ended with {status}, which is not documented:\n{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    ended
}

/// Runs it with `arguments`; it must end with `status`, and the text on the stream that goes with
/// that must have `words`.
#[track_caller]
pub(crate) fn expect(arguments: &[&str], status: i32, words: &str) -> Ended {
    let ended = run(&mut sisprobe(arguments));
    let text = if status == 0 {
        &ended.stdout
    } else {
        &ended.stderr
    };
    assert_eq!(ended.status, status, "{arguments:?}: {}", ended.stderr);
    assert!(text.contains(words), "{arguments:?}: {text}");
    ended
}

/// The file `name` of tests/fixtures.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}
