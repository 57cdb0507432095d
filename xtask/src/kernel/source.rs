//! The archive's kernel source, unpacked once in the cache and built in place.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::progress::Step;
use crate::{apt, cache, command};

/// The version that the archive has, or, where it cannot be asked, that of the tree at hand.
pub(super) fn newest(series: &str) -> Result<String> {
    ask(series).or_else(|error| match known(series) {
        Some(version) => {
            eprintln!("keeping the source {version}: {error:#}");
            Ok(version)
        }
        None => Err(error),
    })
}

/// The unpacked tree of that version.
pub(super) fn tree(series: &str, version: &str) -> Result<PathBuf> {
    let folder = cache::path(&format!("kernels/source/{series}"))?;
    let tree = folder.join(format!("linux-source-{series}"));
    if known(series).as_deref() == Some(version) {
        return Ok(tree);
    }
    let work = cache::work_dir()?;
    let package = apt::download(&package(series), work.path())?;
    let step = Step::new(format!("unpack linux-source-{series} {version}"));
    apt::unpack(&package, work.path())?;
    let archive = work
        .path()
        .join(format!("usr/src/linux-source-{series}.tar.xz"));
    let ready = work.path().join("ready");
    fs::create_dir(&ready).with_context(|| format!("make folder {}", ready.display()))?;
    command::output(
        Command::new("tar")
            .arg("-xf")
            .arg(&archive)
            .arg("-C")
            .arg(&ready),
    )?;
    fs::write(ready.join("version"), version).context("write the source's version")?;
    if folder.exists() {
        fs::rename(&folder, work.path().join("old"))
            .with_context(|| format!("move {} away", folder.display()))?;
    }
    cache::publish(&ready, &folder)?;
    step.done();
    Ok(tree)
}

fn package(series: &str) -> String {
    format!("linux-source-{series}")
}

fn known(series: &str) -> Option<String> {
    let note = cache::path(&format!("kernels/source/{series}/version")).ok()?;
    fs::read_to_string(note).ok()
}

fn ask(series: &str) -> Result<String> {
    let package = package(series);
    version_of(&package).or_else(|_| {
        apt::update()?;
        version_of(&package)
            .with_context(|| format!("the archive that apt uses has no package {package}"))
    })
}

fn version_of(package: &str) -> Result<String> {
    let listing =
        command::output(Command::new("apt-cache").args(["show", "--no-all-versions", package]))?;
    parse(&listing).with_context(|| format!("apt-cache show {package} names no version"))
}

fn parse(listing: &str) -> Option<String> {
    listing
        .lines()
        .find_map(|line| line.strip_prefix("Version: "))
        .map(|version| version.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_version_is_read_from_apts_words() {
        let words = "Package: linux-source-6.12\nVersion: 6.12.117-1~deb12u1\nSize: 1\n";
        assert_eq!(parse(words).as_deref(), Some("6.12.117-1~deb12u1"));
        assert_eq!(parse(""), None);
    }
}
