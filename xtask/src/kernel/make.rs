//! Runs the kernel's own build.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::progress::{Step, seconds};
use crate::{cache, command};

/// How often a build says where it is, off a terminal.
const NEWS: Duration = Duration::from_secs(60);

/// Our options, in the tree.
const FRAGMENT: &str = "sisprobe.config";

/// tinyconfig with our options on top. An unchanged configuration keeps its time.
pub(super) fn configure(tree: &Path, options: &str) -> Result<()> {
    let note = tree.join("sisprobe-config-key");
    let key = cache::key(&[options]);
    if tree.join(".config").is_file() && fs::read_to_string(&note).is_ok_and(|known| known == key) {
        return Ok(());
    }
    let step = Step::new("configure the kernel");
    let fragment = tree.join(FRAGMENT);
    fs::write(&fragment, options).with_context(|| format!("write {}", fragment.display()))?;
    command::output(make(tree).arg("tinyconfig"))?;
    let mut merge = Command::new("scripts/kconfig/merge_config.sh");
    merge.args(["-m", ".config", FRAGMENT]).current_dir(tree);
    command::output(&mut merge)?;
    command::output(make(tree).arg("olddefconfig"))?;
    let config = fs::read_to_string(tree.join(".config")).context("read the configuration")?;
    let lost = lost(options, &config);
    if !lost.is_empty() {
        bail!(
            "the kernel's configuration did not take {}: look for what they depend on",
            lost.join(", ")
        );
    }
    fs::write(&note, key).with_context(|| format!("write {}", note.display()))?;
    step.done();
    Ok(())
}

/// Options that the configuration does not have as we want them.
fn lost<'a>(options: &'a str, config: &str) -> Vec<&'a str> {
    options
        .lines()
        .filter(|line| line.starts_with("CONFIG_"))
        .filter(|option| !config.lines().any(|line| line == *option))
        .collect()
}

/// Builds `arch/x86/boot/bzImage` and `vmlinux`.
pub(super) fn build(tree: &Path, name: &str) -> Result<()> {
    let jobs = available_parallelism().map_or(1, usize::from);
    let step = Step::new(format!("build kernel {name} with {jobs} jobs"));
    let log = tree.join("sisprobe-build.log");
    let errors = File::create(&log).with_context(|| format!("create {}", log.display()))?;
    let mut command = make(tree);
    command
        .arg(format!("-j{jobs}"))
        .arg(format!("LOCALVERSION=-{name}"))
        .arg("bzImage")
        .stdout(Stdio::piped())
        .stderr(errors);
    let mut child = command
        .spawn()
        .with_context(|| format!("start {command:?}"))?;
    let stdout = child.stdout.take().context("make has an output")?;
    let mut objects = 0_u32;
    let mut news = Instant::now();
    for line in BufReader::new(stdout).lines() {
        let line = line.with_context(|| format!("read the output of {command:?}"))?;
        if is_object(&line) {
            objects += 1;
        }
        step.detail(&format!("{objects} objects"));
        if news.elapsed() > NEWS {
            news = Instant::now();
            step.news(&format!(
                "{objects} objects after {}",
                seconds(step.elapsed())
            ));
        }
    }
    let status = child
        .wait()
        .with_context(|| format!("wait for {command:?}"))?;
    if !status.success() {
        let words = fs::read_to_string(&log).unwrap_or_default();
        bail!("{command:?}: {status}\n{}", command::last_lines(&words, 30));
    }
    step.done();
    Ok(())
}

/// make's short words for a compiled file.
fn is_object(line: &str) -> bool {
    let word = line.split_whitespace().next();
    matches!(word, Some("CC" | "AS" | "HOSTCC"))
}

/// make in the tree, at low priority, saying nothing about this machine in what it builds.
fn make(tree: &Path) -> Command {
    let mut make = Command::new("nice");
    make.args(["make", "ARCH=x86_64"])
        .env("KBUILD_BUILD_USER", "sisprobe")
        .env("KBUILD_BUILD_HOST", "lab")
        .stdin(Stdio::null())
        .current_dir(tree);
    make
}

#[cfg(test)]
mod tests {
    use super::{is_object, lost};

    #[test]
    fn an_option_that_was_not_taken_is_named() {
        let options = "# words\nCONFIG_A=y\nCONFIG_B=4\n";
        assert_eq!(lost(options, "CONFIG_A=y\nCONFIG_B=4\n"), [""; 0]);
        assert_eq!(lost(options, "CONFIG_A=y\nCONFIG_B=8\n"), ["CONFIG_B=4"]);
        assert_eq!(
            lost(options, "# CONFIG_A is not set\nCONFIG_B=4\n"),
            ["CONFIG_A=y"]
        );
    }

    #[test]
    fn objects_are_counted_by_makes_words() {
        assert!(is_object("  CC      kernel/sched/fair.o"));
        assert!(is_object("  AS      arch/x86/entry/entry_64.o"));
        assert!(!is_object("  LD      vmlinux"));
        assert!(!is_object(""));
    }
}
