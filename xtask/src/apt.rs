//! Debian's package tools, where they are there: lists, downloads and installation.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::{command, toolchain};

/// Whether this machine has apt.
pub fn is_here() -> bool {
    toolchain::on_path("apt-get").is_some()
}

/// Names of the packages that match a regular expression and can be fetched.
///
/// # Errors
///
/// apt-cache fails.
pub fn names(pattern: &str) -> Result<Vec<String>> {
    let listing =
        command::output(Command::new("apt-cache").args(["search", "--names-only", pattern]))?;
    Ok(listing
        .lines()
        .filter_map(|line| line.split_once(" - "))
        .map(|(name, _)| name.to_owned())
        .collect())
}

/// Reads the archive's lists anew.
///
/// # Errors
///
/// There is neither root nor sudo, or apt fails.
pub fn update() -> Result<()> {
    let step = crate::progress::Step::new("apt-get update");
    command::output(as_root("apt-get")?.args(["-q", "update"]))?;
    step.done();
    Ok(())
}

/// Fetches one package into a folder; nothing is installed.
///
/// # Errors
///
/// The archive does not have it, not even after its lists were read anew.
pub fn download(name: &str, folder: &Path) -> Result<PathBuf> {
    let step = crate::progress::Step::new(format!("fetch package {name}"));
    if let Err(error) = fetch(name, folder) {
        // The lists may be older than the archive.
        update().with_context(|| format!("{error:#}"))?;
        fetch(name, folder)?;
    }
    step.done();
    let mut found = folder
        .read_dir()
        .with_context(|| format!("list {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(&format!("{name}_"))
        });
    found.next().with_context(|| {
        format!(
            "apt-get download {name} left no file in {}",
            folder.display()
        )
    })
}

fn fetch(name: &str, folder: &Path) -> Result<()> {
    let mut apt = Command::new("apt-get");
    apt.args(["-q", "download", name]).current_dir(folder);
    if rustix::process::geteuid().is_root() {
        // apt's own user cannot write to a folder of root's.
        apt.args(["-o", "APT::Sandbox::User=root"]);
    }
    command::output(&mut apt).map(drop)
}

/// A command as root: itself, or by sudo.
///
/// # Errors
///
/// There is neither root nor sudo.
pub fn as_root(program: &str) -> Result<Command> {
    if rustix::process::geteuid().is_root() {
        return Ok(Command::new(program));
    }
    ensure!(
        toolchain::on_path("sudo").is_some(),
        "{program} needs root: run this as root, or install sudo"
    );
    let mut sudo = Command::new("sudo");
    sudo.arg(program);
    Ok(sudo)
}

/// Unpacks a package into a folder.
///
/// # Errors
///
/// dpkg fails.
pub fn unpack(package: &Path, folder: &Path) -> Result<()> {
    command::output(Command::new("dpkg").arg("-x").args([package, folder])).map(drop)
}

/// Writes one file of a package, and only that, to `to`.
///
/// # Errors
///
/// The package has no such file, or cannot be read.
pub fn unpack_one(package: &Path, inside: &str, to: &Path) -> Result<()> {
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.arg("--fsys-tarfile").arg(package);
    let mut archive = dpkg
        .stdout(std::process::Stdio::piped())
        // tar stops at the file, and dpkg-deb complains that nobody reads on.
        .stderr(std::process::Stdio::null())
        .spawn()
        .with_context(|| format!("start {dpkg:?}"))?;
    let stream = archive.stdout.take().context("dpkg-deb has an output")?;
    let file = std::fs::File::create(to).with_context(|| format!("create {}", to.display()))?;
    let mut tar = Command::new("tar");
    tar.args(["-x", "-O", "--occurrence=1", inside])
        .stdin(stream)
        .stdout(file);
    let status = tar.status().with_context(|| format!("start {tar:?}"))?;
    let _ = archive.kill();
    archive.wait().context("wait for dpkg-deb")?;
    if !status.success() {
        bail!("{tar:?} on {}: {status}", package.display());
    }
    Ok(())
}
