//! Format and lints.

use std::process::Command;

use anyhow::{Result, anyhow};

use crate::{command, compile, toolchain};

/// rustfmt and clippy over everything, the eBPF programs included.
pub(super) fn run() -> Result<()> {
    say("rustfmt");
    command::run(compile::cargo().args(["fmt", "--all", "--check"]))?;
    say("clippy");
    command::run(compile::cargo().args(["clippy", "--all-targets", "--", "-D", "warnings"]))?;
    ebpf()
}

/// clippy over the eBPF programs, with their own compiler.
fn ebpf() -> Result<()> {
    let found = toolchain::choose().map_err(|lacks| anyhow!(lacks))?;
    if !has_clippy(&found) {
        eprintln!("--- clippy for the eBPF programs: not there ({found})");
        return Ok(());
    }
    say("clippy for the eBPF programs");
    let mut clippy = cargo_of(&found);
    clippy
        .current_dir(compile::root())
        .args([
            "clippy",
            "--release",
            "--package",
            "sisprobe-ebpf",
            "--bins",
        ])
        .args(["--target", "bpfel-unknown-none", "-Z", "build-std=core"])
        .args(["--", "-D", "warnings"])
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            "--cfg=bpf_target_arch=\"x86_64\"",
        )
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("RUSTC")
        .env_remove("CARGO");
    if found.bootstrap {
        clippy.env("RUSTC_BOOTSTRAP", "1");
    }
    command::run(&mut clippy)
}

/// cargo of that toolchain.
fn cargo_of(found: &toolchain::Toolchain) -> Command {
    if toolchain::on_path("rustup").is_none() {
        return Command::new("cargo");
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["run", found.name, "cargo"]);
    rustup
}

/// Debian's is always there: setup sees to it. Nightly may have been installed without.
fn has_clippy(found: &toolchain::Toolchain) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["run", found.name, "cargo-clippy", "--version"]);
    found.bootstrap || command::capture(&mut rustup).is_ok_and(|answer| answer.status.success())
}

fn say(what: &str) {
    eprintln!("--- {what}");
}
