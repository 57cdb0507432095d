//! rustfmt and clippy, which the tests use.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::{command, toolchain};

/// Each component with the program that it brings.
const COMPONENTS: [(&str, &str); 2] = [("rustfmt", "rustfmt"), ("clippy", "cargo-clippy")];

/// Adds the components that the toolchain in use lacks.
pub(super) fn ensure_components() -> Result<()> {
    for (component, program) in COMPONENTS {
        if has(program) {
            continue;
        }
        ensure!(
            toolchain::on_path("rustup").is_some(),
            "{program} is missing, and there is no rustup to add it: install the Rust component \
             {component} (Debian: rustfmt-web, rust-web-clippy)"
        );
        eprintln!("adding {component} to the Rust toolchain: the tests use it");
        command::output(Command::new("rustup").args(["component", "add", component]))
            .with_context(|| format!("{component} is missing and could not be added"))?;
    }
    Ok(())
}

/// rustup has a stand-in on PATH for every program, so it is the toolchain's own folder, that of
/// the cargo which runs us, that counts.
fn has(program: &str) -> bool {
    let beside = std::env::var_os("CARGO")
        .map(PathBuf::from)
        .map(|cargo| cargo.with_file_name(program));
    match beside {
        Some(path) => path.is_file(),
        None => toolchain::on_path(program).is_some(),
    }
}
