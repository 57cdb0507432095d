//! Builds the eBPF programs from source and leaves the object in `OUT_DIR/sisprobe`.

#[expect(
    unreachable_pub,
    reason = "shared with xtask, where these are its interface"
)]
#[path = "../xtask/src/toolchain.rs"]
mod toolchain;

use std::env;

use anyhow::{Context as _, Result, anyhow};
use aya_build::{Package, Toolchain};

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../xtask/src/toolchain.rs");
    println!("cargo:rerun-if-changed=../sisprobe-common/src");

    let found = toolchain::choose().map_err(|lacks| {
        anyhow!("{lacks}\nrun `cargo xtask setup`, which installs what is missing")
    })?;
    println!("cargo:rerun-if-changed={}", found.bpf_linker.display());
    println!("cargo:rustc-env=SISPROBE_EBPF_TOOLCHAIN={found}");
    println!("cargo:warning=eBPF programs built with {found}");
    prepare(&found)?;

    let root_dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../sisprobe-ebpf");
    let package = Package {
        name: "sisprobe-ebpf",
        root_dir,
        ..Package::default()
    };
    aya_build::build_ebpf([package], Toolchain::Custom(found.name))
}

/// Hands the choice to the compiler and the linker by the environment, the only way that aya-build
/// leaves open.
fn prepare(found: &toolchain::Toolchain) -> Result<()> {
    let mut folders = Vec::new();
    folders.extend(found.bpf_linker.parent().map(Into::into));
    if found.bootstrap && toolchain::on_path("rustup").is_none() {
        // aya-build then takes the first cargo and rustc of PATH.
        folders.push("/usr/bin".into());
    }
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(folders).context("a folder of PATH cannot stand in PATH")?;
    // SAFETY: a build script has this one thread, so nobody reads the environment meanwhile.
    unsafe {
        env::set_var("PATH", path);
        // aya-build passes cargo's own progress on as warnings, one a crate.
        env::set_var("CARGO_TERM_QUIET", "true");
        if found.bootstrap {
            env::set_var("RUSTC_BOOTSTRAP", "1");
        }
    }
    Ok(())
}
