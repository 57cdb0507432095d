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
mod policy;
mod source;

pub use policy::{Policies, Policy};

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
#[command(after_help = "\
Policies that were never merged (docs/policies.md), their features in sched/features of debugfs,
and which acts where several are on: the first of this list, in place of SIS_UTIL
  linear       SIS_UTIL_LINEAR  a straight line down to half of the capacity
  util85       SIS_UTIL_85      all or nothing, at 85 % of the capacity
  quad         SIS_UTIL_QUAD    a parabola in percent
  exp          SIS_UTIL_EXP     a curve that falls faster the more is used
  core-window  SIS_CORE_WINDOW  between one core and two, by the idle time
  no-core      SIS_NO_CORE      4 CPUs, and no search for an idle core")]
pub struct Args {
    /// Series of the archive's linux-source package
    #[arg(long, default_value = "6.12")]
    series: String,
    /// Name of the kernel [default: SERIES-exact, SERIES-POLICY, or SERIES-policies with several;
    /// with --inline SERIES-inline, SERIES-POLICY-inline, ...]
    #[arg(long)]
    name: Option<String>,
    /// Leave it to the compiler which functions are inlined
    #[arg(long)]
    inline: bool,
    /// Policies to put in, with commas between, or all of them; written for series 6.12. Each has a
    /// scheduler feature; that of the first named is on at boot, the others are off
    #[arg(long, value_name = "POLICIES")]
    policy: Option<Policies>,
}

impl Args {
    /// Builds the kernel and says where it is.
    ///
    /// # Errors
    ///
    /// The source cannot be had, an edit's anchor is not there, or the build fails.
    pub fn run(self) -> Result<u8> {
        let start = std::time::Instant::now();
        let kernel = Own::new(
            &self.series,
            self.name,
            self.inline,
            &self.policy.unwrap_or_default(),
        )?;
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
    edits: Vec<Edit>,
}

impl Own {
    /// A kernel of a series, the search functions out of line unless `inline`, with the
    /// `policies` in it.
    ///
    /// # Errors
    ///
    /// The name cannot be a file's name and a part of the kernel's version.
    pub fn new(
        series: &str,
        name: Option<String>,
        inline: bool,
        policies: &Policies,
    ) -> Result<Self> {
        let name = name.unwrap_or_else(|| format!("{series}-{}", policies.kind(inline)));
        ensure!(
            is_name(&name),
            "{name:?} cannot name a kernel: letters, digits, dots, dashes and underscores, a \
             letter among them, 32 at most"
        );
        let mut edits = policy::edits(policies);
        if !inline {
            edits.extend_from_slice(edit::OUT_OF_LINE);
        }
        Ok(Self {
            series: series.into(),
            name,
            edits,
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
        edit::apply_all(&tree, &self.edits)?;
        make::configure(&tree, CONFIG)?;
        make::build(&tree, &self.name)?;
        install(&tree, &folder, &key)?;
        Ok(folder)
    }

    fn key(&self, version: &str) -> String {
        let mut parts = vec![RECIPE, &self.name, version, CONFIG];
        for edit in &self.edits {
            parts.extend(edit.parts());
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
    use std::collections::HashSet;

    use super::{Own, Policies, is_name};

    fn own(inline: bool, policies: &str) -> Own {
        let policies = match policies {
            "" => Policies::default(),
            some => some.parse().expect("policies"),
        };
        Own::new("6.12", Some("a".into()), inline, &policies).expect("a name")
    }

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
        let exact = own(false, "");
        assert_eq!(exact.key("1"), exact.key("1"));
        assert_ne!(exact.key("1"), exact.key("2"));
        let kernels = [
            own(false, ""),
            own(true, ""),
            own(false, "linear"),
            own(true, "linear"),
            own(false, "linear,exp"),
            own(false, "exp,linear"),
            own(false, "all"),
        ];
        let keys: HashSet<String> = kernels.iter().map(|kernel| kernel.key("1")).collect();
        assert_eq!(keys.len(), kernels.len());
        assert_eq!(own(false, "all").key("1"), own(false, "all").key("1"));
    }

    #[test]
    fn a_kernel_is_named_by_its_series_and_what_is_in_it() {
        let policies = "quad".parse().expect("a policy");
        let name = |name| {
            Own::new("6.12", name, false, &policies)
                .expect("a name")
                .name
        };
        assert_eq!(name(None), "6.12-quad");
        assert_eq!(name(Some("mine".into())), "mine");
    }
}
