//! `cargo xtask setup`: installs what the other commands need, which call it for their part.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use crate::progress::Step;
use crate::{apt, command};

mod ebpf;
mod need;
mod rustup;

use need::Need;

/// Install what build, lab, kernels and tests need; at once done where all is there
///
/// On Debian and Ubuntu through apt, as root or with sudo, saying first what and why. Elsewhere it
/// lists what is missing and how to get it, and stops.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to set up [default: all]
    #[arg(value_enum)]
    parts: Vec<Part>,
}

/// What something is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Building sisprobe, the eBPF programs included
    Build,
    /// Booting stock kernels in QEMU
    Lab,
    /// Building kernels of our own
    Kernel,
    /// Running the tests
    Test,
}

impl Args {
    /// Sets up the parts.
    ///
    /// # Errors
    ///
    /// Something is missing and cannot be installed.
    pub fn run(self) -> Result<u8> {
        let parts = if self.parts.is_empty() {
            Part::value_variants()
        } else {
            &self.parts
        };
        ensure(parts)?;
        eprintln!("all is there for: {}", names(parts));
        Ok(0)
    }
}

/// Sees to it that these parts can be used; quick and silent where they can.
///
/// # Errors
///
/// Something is missing and cannot be installed.
pub fn ensure(parts: &[Part]) -> Result<()> {
    let missing = need::missing(parts);
    if !missing.is_empty() {
        tell(&missing, parts);
        if !apt::is_here() {
            bail!("install these, then try again: there is no apt here to do it with");
        }
        let mut packages: Vec<&str> = missing.iter().map(|need| need.package()).collect();
        packages.sort_unstable();
        packages.dedup();
        install(&packages)?;
        if let Some(need) = need::missing(parts).first() {
            bail!(
                "{} is still missing after package {} was installed",
                need.what(),
                need.package()
            );
        }
    }
    if parts.contains(&Part::Build) {
        ebpf::ensure()?;
    }
    if parts.contains(&Part::Test) {
        rustup::ensure_components()?;
        ebpf::ensure_clippy()?;
    }
    Ok(())
}

/// Installs packages, reading the archive's lists anew only where these do not know them.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    eprintln!("installing with apt-get: {}", packages.join(" "));
    if !packages.iter().all(|package| is_known(package)) {
        apt::update()?;
    }
    let step = Step::new(format!("install {} packages", packages.len()));
    if let Err(error) = apt_install(packages) {
        // The lists may be older than the archive.
        apt::update().with_context(|| format!("{error:#}"))?;
        apt_install(packages)?;
    }
    step.done();
    Ok(())
}

fn apt_install(packages: &[&str]) -> Result<()> {
    command::output(
        apt::as_root("env")?
            .args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"])
            .args(["install", "--no-install-recommends"])
            .args(packages),
    )
    .map(drop)
}

fn is_known(package: &str) -> bool {
    command::capture(Command::new("apt-cache").args(["show", "--no-all-versions", package]))
        .is_ok_and(|answer| answer.status.success() && !answer.stdout.is_empty())
}

fn tell(missing: &[&Need], parts: &[Part]) {
    eprintln!("missing for {}:", names(parts));
    for need in missing {
        eprintln!(
            "  {}: {} (Debian package {})",
            need.what(),
            need.why(),
            need.package()
        );
    }
}

fn names(parts: &[Part]) -> String {
    let names: Vec<String> = parts
        .iter()
        .filter_map(|part| Some(part.to_possible_value()?.get_name().to_owned()))
        .collect();
    names.join(", ")
}
