//! `cargo xtask kernel`: small kernels of our own for the lab, with DWARF and BTF, from the
//! source package in the archive.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::progress::seconds;
use crate::setup::{self, Part};
use crate::{cache, lab};

mod edit;
mod make;
mod source;

use edit::Edit;

/// The options that we set on top of tinyconfig.
const CONFIG: &str = include_str!("../../data/kernel.config");

/// Counts up where the way of building changes.
const RECIPE: &str = "1";

/// Build a small kernel for the lab, with the search functions out of line
///
/// `cargo xtask lab --kernel NAME` boots it. Built anew only where the source, the configuration
/// or the edits changed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Series of the archive's linux-source package
    #[arg(long, default_value = "6.12")]
    series: String,
    /// Name of the kernel [default: SERIES-exact, or SERIES-inline with --inline]
    #[arg(long)]
    name: Option<String>,
    /// Leave it to the compiler which functions are inlined
    #[arg(long)]
    inline: bool,
}

impl Args {
    /// Builds the kernel and says where it is.
    ///
    /// # Errors
    ///
    /// The source cannot be had, an edit's anchor is not there, or the build fails.
    pub fn run(self) -> Result<u8> {
        let start = std::time::Instant::now();
        let kernel = Own::new(&self.series, self.name, self.inline)?;
        let folder = kernel.ensure()?;
        eprintln!(
            "{} is ready ({}): cargo xtask lab --kernel {}",
            folder.display(),
            seconds(start.elapsed()),
            kernel.name
        );
        Ok(0)
    }
}

/// A kernel that we build.
#[derive(Debug)]
pub struct Own {
    series: String,
    name: String,
    edits: &'static [Edit],
}

impl Own {
    /// A kernel of a series, the search functions out of line unless `inline`.
    ///
    /// # Errors
    ///
    /// The name cannot be a file's name and a part of the kernel's version.
    pub fn new(series: &str, name: Option<String>, inline: bool) -> Result<Self> {
        let kind = if inline { "inline" } else { "exact" };
        let name = name.unwrap_or_else(|| format!("{series}-{kind}"));
        ensure!(
            is_name(&name),
            "{name:?} cannot name a kernel: letters, digits, dots, dashes and underscores, a \
             letter among them, 32 at most"
        );
        Ok(Self {
            series: series.into(),
            name,
            edits: if inline { &[] } else { edit::OUT_OF_LINE },
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds it where it is not there yet, and gives the folder with `vmlinuz` and `vmlinux`.
    ///
    /// # Errors
    ///
    /// The source cannot be had, an edit's anchor is not there, or the build fails.
    pub fn ensure(&self) -> Result<PathBuf> {
        setup::ensure(&[Part::Kernel])?;
        let _lock = cache::lock(&format!("source-{}", self.series))?;
        let folder = lab::own_kernel(&self.name)?;
        let version = source::newest(&self.series)?;
        let key = self.key(&version);
        let note = folder.join("key");
        if fs::read_to_string(&note).is_ok_and(|known| known == key) {
            return Ok(folder);
        }
        let tree = source::tree(&self.series, &version)?;
        edit::apply_all(&tree, self.edits)?;
        make::configure(&tree, CONFIG)?;
        make::build(&tree, &self.name)?;
        install(&tree, &folder, &key)?;
        Ok(folder)
    }

    fn key(&self, version: &str) -> String {
        let mut parts = vec![RECIPE, &self.name, version, CONFIG];
        for edit in self.edits {
            parts.extend([edit.file, edit.anchor, edit.insert]);
        }
        cache::key(&parts)
    }
}

/// Puts the products where the lab looks for them.
fn install(tree: &Path, folder: &Path, key: &str) -> Result<()> {
    let work = cache::work_dir()?;
    let ready = work.path().join("ready");
    fs::create_dir(&ready).with_context(|| format!("make folder {}", ready.display()))?;
    for (from, to) in [("arch/x86/boot/bzImage", "vmlinuz"), ("vmlinux", "vmlinux")] {
        let from = tree.join(from);
        fs::copy(&from, ready.join(to)).with_context(|| format!("copy {}", from.display()))?;
    }
    fs::write(ready.join("key"), key).context("write the kernel's key")?;
    if folder.exists() {
        fs::rename(folder, work.path().join("old"))
            .with_context(|| format!("move {} away", folder.display()))?;
    }
    cache::publish(&ready, folder)
}

/// It becomes a folder and a part of the version, and must not look like a series.
fn is_name(name: &str) -> bool {
    name.len() <= 32
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.contains(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

#[cfg(test)]
mod tests {
    use super::{Own, is_name};

    #[test]
    fn a_name_is_neither_a_path_nor_a_series() {
        for name in ["exact", "6.12-exact", "a_b"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "6.12", "../x", "a b", "-x", &"x".repeat(33)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn the_key_follows_version_and_edits() {
        let exact = Own::new("6.12", Some("a".into()), false).expect("a name");
        let inline = Own::new("6.12", Some("a".into()), true).expect("a name");
        assert_eq!(exact.key("1"), exact.key("1"));
        assert_ne!(exact.key("1"), exact.key("2"));
        assert_ne!(exact.key("1"), inline.key("1"));
    }
}
