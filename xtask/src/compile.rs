//! `cargo xtask build`: the host binary with the eBPF programs in it.

use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value;

use crate::progress::{Step, seconds};
use crate::setup::{self, Part};
use crate::toolchain;

/// Build sisprobe, the eBPF programs included
#[derive(Debug, clap::Args)]
pub struct Args {
    /// With optimization: the default
    #[arg(long, conflicts_with = "debug")]
    release: bool,
    /// Without optimization
    #[arg(long)]
    debug: bool,
}

impl Args {
    /// Builds and says what was built with which toolchain.
    ///
    /// # Errors
    ///
    /// A toolchain is missing, or the build fails.
    pub fn run(self) -> Result<u8> {
        setup::ensure(&[Part::Build])?;
        let toolchain = toolchain::choose().map_err(|lacks| anyhow!(lacks))?;
        eprintln!("eBPF programs: {toolchain}");
        let start = Instant::now();
        let profile = if self.debug && !self.release {
            "dev"
        } else {
            "release"
        };
        let binary = build(profile, false)?;
        eprintln!("{} built in {}", binary.display(), seconds(start.elapsed()));
        Ok(0)
    }
}

/// The workspace's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
}

/// cargo, in the workspace's folder.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// The release binary, built once in the life of this process.
///
/// # Errors
///
/// The build fails.
pub fn release_binary() -> Result<PathBuf> {
    static BUILT: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(binary) = built.as_ref() {
        return Ok(binary.clone());
    }
    setup::ensure(&[Part::Build])?;
    let binary = build("release", true)?;
    *built = Some(binary.clone());
    Ok(binary)
}

/// The binary without optimization, for tests that time nothing.
///
/// # Errors
///
/// The build fails.
pub fn debug_binary() -> Result<PathBuf> {
    setup::ensure(&[Part::Build])?;
    build("dev", true)
}

/// Runs cargo and gives the binary's path. A quiet run shows errors only.
fn build(profile: &str, quiet: bool) -> Result<PathBuf> {
    let mut step = quiet.then(|| Step::lazy("build sisprobe"));
    let mut messages = tempfile::tempfile().context("make a file for cargo's messages")?;
    let mut command = cargo();
    command
        .args(["build", "--package", "sisprobe", "--bin", "sisprobe"])
        .args(["--profile", profile])
        .arg("--message-format=json-render-diagnostics")
        .args(quiet.then_some("--quiet"))
        .stdin(Stdio::null())
        .stdout(messages.try_clone().context("share a file")?);
    let mut child = command
        .spawn()
        .with_context(|| format!("start {command:?}"))?;
    let status = loop {
        if let Some(status) = child.try_wait().context("wait for cargo")? {
            break status;
        }
        if let Some(step) = &mut step {
            step.tick();
        }
        sleep(Duration::from_millis(20));
    };
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    if let Some(step) = step {
        step.done();
    }
    let mut text = String::new();
    messages
        .rewind()
        .and_then(|()| messages.read_to_string(&mut text))
        .context("read cargo's messages")?;
    text.lines()
        .find_map(executable)
        .with_context(|| format!("{command:?} names no executable"))
}

/// The path in cargo's message that the binary `sisprobe` is done.
fn executable(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let path = message.get("executable")?.as_str()?;
    (message.pointer("/target/name")? == "sisprobe").then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn the_binary_is_found_among_cargos_messages() {
        let library =
            r#"{"reason":"compiler-artifact","target":{"name":"sisprobe"},"executable":null}"#;
        let script = r#"{"target":{"name":"build-script-build"},"executable":"/t/build"}"#;
        let binary = r#"{"target":{"name":"sisprobe"},"executable":"/t/release/sisprobe"}"#;
        assert_eq!(executable(library), None);
        assert_eq!(executable(script), None);
        assert_eq!(executable(binary), Some("/t/release/sisprobe".into()));
        assert_eq!(executable("plain words"), None);
    }
}
