//! Which compiler and linker build the eBPF programs.
//!
//! Included by path in sisprobe's build script, so that the build and `cargo xtask setup` can
//! never disagree: only the standard library here.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name under which Debian's compiler is linked into rustup.
pub const DEBIAN_NAME: &str = "sisprobe-debian";

/// Where Debian's compiler lives, as a sysroot.
const DEBIAN_SYSROOT: &str = "/usr";

/// The pair that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// What `rustup run` is told.
    pub name: &'static str,
    /// What the compiler calls itself, for instance `rustc 1.96.0 (…)`.
    pub rustc: String,
    /// The linker.
    pub bpf_linker: PathBuf,
    /// A stable compiler, which takes `-Z build-std` only with `RUSTC_BOOTSTRAP=1`.
    pub bootstrap: bool,
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = if self.bootstrap {
            "Debian's"
        } else {
            "rustup's nightly"
        };
        let linker = self.bpf_linker.display();
        write!(f, "{origin} {} and {linker}", self.rustc)
    }
}

/// Picks rustup's nightly where it has the sources of `core` and a bpf-linker is on PATH, else
/// Debian's compiler with the linker that setup built for it.
///
/// # Errors
///
/// One line for each of the two, with what it lacks.
pub fn choose() -> Result<Toolchain, String> {
    nightly().or_else(|nightly_lacks| {
        debian().map_err(|debian_lacks| {
            format!(
                "no toolchain for the eBPF programs: rustup's nightly: {nightly_lacks}; \
                 Debian's: {debian_lacks}"
            )
        })
    })
}

/// The ordinary way: nightly, rust-src and a released bpf-linker.
fn nightly() -> Result<Toolchain, String> {
    let rustup = rustup_home().ok_or("no home folder")?;
    let host = format!("nightly-{}-unknown-linux-gnu", env::consts::ARCH);
    let sysroot = rustup.join("toolchains").join(host);
    let rustc = describe(&sysroot)?;
    has_core(&sysroot).map_err(|lack| format!("{lack} (rustup component add rust-src)"))?;
    let bpf_linker = on_path("bpf-linker").ok_or("no bpf-linker on PATH")?;
    Ok(Toolchain {
        name: "nightly",
        rustc,
        bpf_linker,
        bootstrap: false,
    })
}

/// The archive's compiler and sources, and a linker built against the LLVM that it uses.
fn debian() -> Result<Toolchain, String> {
    let sysroot = Path::new(DEBIAN_SYSROOT);
    let rustc = describe(sysroot)?;
    has_core(sysroot)?;
    let bpf_linker = debian_linker()?;
    if !bpf_linker.exists() {
        return Err(format!("{} is not built", bpf_linker.display()));
    }
    if on_path("rustup").is_some() && !debian_is_linked() {
        return Err(format!("not linked into rustup as {DEBIAN_NAME}"));
    }
    Ok(Toolchain {
        name: DEBIAN_NAME,
        rustc,
        bpf_linker,
        bootstrap: true,
    })
}

/// Where the linker for Debian's compiler belongs: one for each LLVM, as it must match the
/// compiler's.
///
/// # Errors
///
/// There is no such compiler, or it does not name its LLVM.
pub fn debian_linker() -> Result<PathBuf, String> {
    let llvm = debian_llvm()?;
    let cache = cache_dir().ok_or("no home folder")?;
    Ok(cache.join(format!("bpf-linker/llvm-{llvm}/bin/bpf-linker")))
}

/// Major version of the LLVM that Debian's compiler uses.
///
/// # Errors
///
/// There is no such compiler, or it does not name its LLVM.
pub fn debian_llvm() -> Result<u32, String> {
    llvm_major(&ask(Path::new(DEBIAN_SYSROOT), "-vV")?)
        .ok_or_else(|| "rustc -vV does not name its LLVM".into())
}

/// Whether rustup knows Debian's compiler by our name.
pub fn debian_is_linked() -> bool {
    rustup_home().is_some_and(|home| home.join("toolchains").join(DEBIAN_NAME).exists())
}

/// `$XDG_CACHE_HOME/sisprobe`, else `~/.cache/sisprobe`.
pub fn cache_dir() -> Option<PathBuf> {
    env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .or_else(|| Some(env::home_dir()?.join(".cache")))
        .map(|folder| folder.join("sisprobe"))
}

/// The first file of this name in a folder of PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn rustup_home() -> Option<PathBuf> {
    env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".rustup")))
}

fn has_core(sysroot: &Path) -> Result<(), String> {
    let core = sysroot.join("lib/rustlib/src/rust/library/core");
    if core.is_dir() {
        Ok(())
    } else {
        Err(format!("no sources in {}", core.display()))
    }
}

fn describe(sysroot: &Path) -> Result<String, String> {
    ask(sysroot, "--version").map(|answer| answer.trim().to_owned())
}

fn ask(sysroot: &Path, flag: &str) -> Result<String, String> {
    let rustc = sysroot.join("bin/rustc");
    if !rustc.exists() {
        return Err("not installed".into());
    }
    let output = Command::new(&rustc)
        .arg(flag)
        .output()
        .map_err(|error| format!("{}: {error}", rustc.display()))?;
    if !output.status.success() {
        return Err(format!("{} {flag}: {}", rustc.display(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn llvm_major(version: &str) -> Option<u32> {
    version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))?
        .split('.')
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::llvm_major;

    #[test]
    fn llvm_is_read_from_the_compilers_own_words() {
        let words = "rustc 1.96.0 (x 2026-05-25)\nhost: x\nLLVM version: 22.1.8\n";
        assert_eq!(llvm_major(words), Some(22));
        assert_eq!(llvm_major("rustc 1.96.0\n"), None);
        assert_eq!(llvm_major("LLVM version: unknown\n"), None);
    }
}
