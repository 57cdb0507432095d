//! Running other programs, with the whole command in every error.

use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result, bail};

/// How many of its last lines a failed command is quoted with.
const QUOTED_LINES: usize = 30;

/// Runs it on our own terminal.
///
/// # Errors
///
/// It cannot be started, or does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("start {command:?}"))?;
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    Ok(())
}

/// Runs it without a terminal and gives what it wrote to standard output.
///
/// # Errors
///
/// It cannot be started, or does not succeed; then its last lines are quoted.
pub fn output(command: &mut Command) -> Result<String> {
    let output = capture(command)?;
    if !output.status.success() {
        let words = [&output.stdout[..], &output.stderr[..]].concat();
        let words = String::from_utf8_lossy(&words);
        bail!(
            "{command:?}: {}\n{}",
            output.status,
            last_lines(&words, QUOTED_LINES)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs it without a terminal, whatever its status.
///
/// # Errors
///
/// It cannot be started.
pub fn capture(command: &mut Command) -> Result<Output> {
    command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("start {command:?}"))
}

/// The last `count` lines of a text.
pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{last_lines, output};

    #[test]
    fn a_failure_names_the_command_and_its_words() {
        let error = output(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]))
            .expect_err("it exits with 3");
        let text = format!("{error:#}");
        assert!(text.contains("\"sh\" \"-c\""), "{text}");
        assert!(text.contains("out\nerr"), "{text}");
        assert!(text.contains("exit status: 3"), "{text}");
    }

    #[test]
    fn last_lines_are_the_last() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a\n", 5), "a");
    }
}
