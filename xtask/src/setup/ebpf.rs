//! The compiler and linker of the eBPF programs.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, anyhow, bail};

use super::install;
use crate::progress::Step;
use crate::{apt, cache, command, compile, toolchain};

/// The linker's version; it links with any LLVM from 21 to 23.
const LINKER_VERSION: &str = "0.13.0";

/// Debian's compiler, its sources and its cargo.
const COMPILER: [&str; 3] = ["rustc-web", "rust-web-src", "cargo-web"];

/// The lints of Debian's compiler.
const CLIPPY: &str = "/usr/bin/clippy-driver";

/// The way on a machine that is not Debian's.
const ORDINARY_WAY: &str = "the ordinary way: `rustup toolchain install nightly --component \
                            rust-src`, and bpf-linker on PATH (`cargo install bpf-linker` with \
                            the LLVM that nightly uses)";

/// Sees to it that one of the two toolchains is whole.
pub(super) fn ensure() -> Result<()> {
    let Err(lacks) = toolchain::choose() else {
        return Ok(());
    };
    eprintln!("{lacks}");
    if !apt::is_here() {
        bail!("{ORDINARY_WAY}");
    }
    complete().with_context(|| format!("Debian's toolchain could not be had; {ORDINARY_WAY}"))?;
    toolchain::choose()
        .map(drop)
        .map_err(|lacks| anyhow!(lacks))
}

/// Sees to it that Debian's compiler, where it is the one in use, has its clippy.
pub(super) fn ensure_clippy() -> Result<()> {
    ensure()?;
    let found = toolchain::choose().map_err(|lacks| anyhow!(lacks))?;
    if found.bootstrap && !Path::new(CLIPPY).is_file() {
        eprintln!("missing for test: clippy of the eBPF programs' compiler");
        install(&["rust-web-clippy"])?;
    }
    Ok(())
}

fn complete() -> Result<()> {
    if toolchain::debian_llvm().is_err() || !has_sources() {
        install(&COMPILER)?;
    }
    let llvm = toolchain::debian_llvm().map_err(|lacks| anyhow!(lacks))?;
    let linker = toolchain::debian_linker().map_err(|lacks| anyhow!(lacks))?;
    if !linker.is_file() {
        build_linker(llvm, &linker)?;
    }
    if toolchain::on_path("rustup").is_some() && !toolchain::debian_is_linked() {
        let mut link = Command::new("rustup");
        link.args(["toolchain", "link", toolchain::DEBIAN_NAME, "/usr"]);
        command::output(&mut link)?;
        eprintln!(
            "linked Debian's compiler into rustup as {}",
            toolchain::DEBIAN_NAME
        );
    }
    Ok(())
}

fn has_sources() -> bool {
    Path::new("/usr/lib/rustlib/src/rust/library/core").is_dir()
}

/// Builds the linker against the LLVM of Debian's compiler.
fn build_linker(llvm: u32, linker: &Path) -> Result<()> {
    let prefix = PathBuf::from(format!("/usr/lib/llvm-{llvm}"));
    if !prefix.join("bin/llvm-config").is_file() || !Path::new("/usr/include/zstd.h").is_file() {
        let packages = [format!("llvm-{llvm}-dev"), format!("libpolly-{llvm}-dev")];
        let mut packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        packages.extend(["libzstd-dev", "zlib1g-dev"]);
        install(&packages)?;
    }
    let _lock = cache::lock("bpf-linker")?;
    let root = linker
        .ancestors()
        .nth(2)
        .context("the linker has a folder")?;
    let step = Step::new(format!("build bpf-linker {LINKER_VERSION} for LLVM {llvm}"));
    let mut cargo = compile::cargo();
    cargo
        .args(["install", "bpf-linker", "--version", LINKER_VERSION])
        .args(["--locked", "--no-default-features", "--features"])
        .arg(format!("llvm-{llvm}"))
        .arg("--root")
        .arg(root)
        // Its products are of no use to the workspace.
        .env_remove("CARGO_TARGET_DIR")
        .env("LLVM_PREFIX", &prefix)
        .env("PATH", before_path(&prefix.join("bin"))?);
    command::output(&mut cargo)?;
    step.done();
    Ok(())
}

fn before_path(folder: &Path) -> Result<OsString> {
    let mut folders = vec![folder.to_owned()];
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    env::join_paths(folders).context("a folder of PATH cannot stand in PATH")
}
