//! Which kernel a guest boots: a stock one by its series, one of our own by its name, or a file.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail, ensure};

use super::{bzimage, disk, stock};
use crate::cache;

/// The kernel that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kernel {
    /// The newest Debian cloud kernel of a series such as `6.12`.
    Series(String),
    /// One that `cargo xtask kernel` made, by its name.
    Own(String),
    /// A bzImage or vmlinuz.
    File(PathBuf),
}

impl Kernel {
    /// The newest Debian cloud kernel of this series.
    pub fn series(series: impl Into<String>) -> Self {
        Self::Series(series.into())
    }

    /// The kernel that `cargo xtask kernel --name NAME` made.
    pub fn own(name: impl Into<String>) -> Self {
        Self::Own(name.into())
    }

    /// Finds the files, fetching them where need be.
    pub(super) fn find(&self) -> Result<Image> {
        match self {
            Self::Series(series) => stock::find(series),
            Self::Own(name) => own(name),
            Self::File(path) => file(path),
        }
    }
}

/// Digits and one dot are a series, a path has a slash or is there, and the rest is a name.
impl FromStr for Kernel {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let series = text.split_once('.').is_some_and(|(major, minor)| {
            [major, minor]
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        Ok(if series {
            Self::Series(text.into())
        } else if text.contains('/') || Path::new(text).is_file() {
            Self::File(text.into())
        } else {
            Self::Own(text.into())
        })
    }
}

/// A kernel's files.
#[derive(Debug, Clone)]
pub(super) struct Image {
    /// What `uname -r` says in the guest.
    pub(super) release: String,
    /// The bzImage.
    pub(super) vmlinuz: PathBuf,
    /// Where its vmlinux with DWARF comes from.
    pub(super) debug: Debug,
}

/// Where a vmlinux with DWARF comes from.
#[derive(Debug, Clone)]
pub(super) enum Debug {
    /// Debian's package, into the folder of that kernel.
    Package(PathBuf),
    /// This file.
    File(PathBuf),
    /// Nowhere.
    None,
}

impl Image {
    /// A disk with the vmlinux on it, made where it is not there yet.
    pub(super) fn debug_disk(&self) -> Result<PathBuf> {
        match &self.debug {
            Debug::Package(folder) => {
                disk::debug(&stock::vmlinux(&self.release, folder)?, &self.release)
            }
            Debug::File(vmlinux) => disk::debug(vmlinux, &self.release),
            Debug::None => bail!(
                "no vmlinux with debug info is known for {}: put it beside the image as \
                 vmlinux, or leave --debuginfo out",
                self.vmlinuz.display()
            ),
        }
    }

    /// The driver of the network card.
    pub(super) fn network_module(&self) -> Result<PathBuf> {
        match &self.debug {
            Debug::Package(folder) => stock::network_module(&self.release, folder),
            Debug::File(_) | Debug::None => bail!(
                "{} has no network: ports are forwarded to Debian's kernels (--kernel 6.12) only",
                self.release
            ),
        }
    }
}

/// Where `cargo xtask kernel` puts a kernel.
pub(crate) fn own_kernel(name: &str) -> Result<PathBuf> {
    Ok(cache::path("kernels/own/x")?.with_file_name(name))
}

fn own(name: &str) -> Result<Image> {
    let folder = own_kernel(name)?;
    let vmlinuz = folder.join("vmlinuz");
    ensure!(
        vmlinuz.is_file(),
        "no kernel of the name {name}: `cargo xtask kernel --name {name}` makes it (a series is \
         written 6.12, a file with a slash)"
    );
    Ok(Image {
        release: bzimage::release(&vmlinuz)?,
        vmlinuz,
        debug: Debug::File(folder.join("vmlinux")),
    })
}

/// A file may lie in a build tree, or have its vmlinux beside it.
fn file(path: &Path) -> Result<Image> {
    let vmlinuz = path
        .canonicalize()
        .with_context(|| format!("find the kernel {}", path.display()))?;
    let debug = ["../../../vmlinux", "../../../../vmlinux", "vmlinux"]
        .iter()
        .filter_map(|place| vmlinuz.parent()?.join(place).canonicalize().ok())
        .find(|vmlinux| vmlinux.is_file())
        .map_or(Debug::None, Debug::File);
    Ok(Image {
        release: bzimage::release(&vmlinuz)?,
        vmlinuz,
        debug,
    })
}

#[cfg(test)]
mod tests {
    use super::Kernel;

    #[test]
    fn words_are_series_names_or_paths() {
        let kernel = |text: &str| text.parse::<Kernel>().expect("it cannot fail");
        assert_eq!(kernel("6.12"), Kernel::Series("6.12".into()));
        assert_eq!(kernel("exact"), Kernel::Own("exact".into()));
        assert_eq!(kernel("6.12-exact"), Kernel::Own("6.12-exact".into()));
        assert_eq!(kernel("6."), Kernel::Own("6.".into()));
        assert_eq!(kernel("./bzImage"), Kernel::File("./bzImage".into()));
    }
}
