//! Where the compiler put the inlined copies of the search, from the debug info of vmlinux.
//!
//! On stock kernels `select_idle_cpu` is no symbol: it is inlined into `select_idle_sibling`,
//! and that into `select_task_rq_fair`. DWARF records each copy, with the address at which it is
//! entered.

mod elf;
mod inlined;
mod search;
mod unit;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::BuildId;

pub use elf::DebugInfoError;
pub(crate) use search::read;
pub use search::{Search, candidates, search};

/// The functions whose inlined copies are looked for (kernel/sched/fair.c).
pub const FUNCTIONS: [&str; 2] = ["select_idle_cpu", "select_idle_core"];

/// One inlined copy of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InlinedCopy {
    /// The function: one of [`FUNCTIONS`].
    pub function: String,
    /// The symbol whose code holds the copy's entry, as kallsyms has it, suffixes included; a
    /// `.cold` part is a symbol of its own.
    pub host: String,
    /// Bytes from the start of `host` to the instruction at which the copy is entered.
    pub entry: u64,
    /// The copy's instructions: bytes from the start of `host` to the first one and past the
    /// last one. Negative in a part of the function that lies before `host`; larger than `host`
    /// in one that lies behind it.
    pub ranges: Vec<(i64, i64)>,
    /// The functions between `host` and the copy that are inlined themselves, the outermost
    /// first; `select_idle_sibling` as a rule.
    pub through: Vec<String>,
}

impl InlinedCopy {
    /// Bytes of code without a gap from the entry on.
    ///
    /// Compilers move the first instructions of an inlined body ahead, out of a loop around it for
    /// one, and name such an instruction as the entry. It is then a short stretch of its own,
    /// which is passed more or less often than the body.
    pub fn stretch(&self) -> u64 {
        let entry = self.entry.cast_signed();
        let mut end = entry;
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable();
        for (from, to) in ranges {
            if from <= end && to > end {
                end = to;
            }
        }
        end.abs_diff(entry)
    }
}

/// Where the facts come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InlineSource {
    /// A file with DWARF.
    Debuginfo(PathBuf),
    /// A stored profile.
    Profile(PathBuf),
}

impl fmt::Display for InlineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Debuginfo(path) => write!(f, "debug info {}", path.display()),
            Self::Profile(path) => write!(f, "profile {}", path.display()),
        }
    }
}

/// The inlined copies of the search in one build of the kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InlineFacts {
    /// Where they come from.
    pub source: InlineSource,
    /// The build that they hold for.
    pub build_id: BuildId,
    /// All copies, by host and entry; empty if nothing is inlined (a kernel that has the
    /// functions as symbols).
    pub copies: Vec<InlinedCopy>,
    /// What was passed over on the way to the source, one remark each: files of another build,
    /// files without DWARF.
    pub remarks: Vec<String>,
}

impl InlineFacts {
    /// The copies of `function`.
    pub fn copies_of(&self, function: &str) -> impl Iterator<Item = &InlinedCopy> {
        self.copies
            .iter()
            .filter(move |copy| copy.function == function)
    }
}

/// What a vmlinux says of itself and of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vmlinux {
    /// Its build.
    pub build_id: BuildId,
    /// The architecture as `uname -m` has it.
    pub machine: String,
    /// The release as `uname -r` has it, where the file tells.
    pub release: Option<String>,
    /// The inlined copies, by host and entry.
    pub copies: Vec<InlinedCopy>,
}

impl Vmlinux {
    /// Reads the file at `path`: ELF with DWARF 4 or 5, sections compressed or not.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is no linked kernel with a build id, or has no DWARF for
    /// kernel/sched/fair.c.
    pub fn read(path: &Path) -> Result<Self, DebugInfoError> {
        let file = elf::File::open(path)?;
        let elf = file.parse()?;
        Ok(Self {
            build_id: elf.build_id()?,
            machine: elf.machine(),
            release: elf.release(),
            copies: inlined::copies(&elf)?,
        })
    }
}

#[cfg(test)]
mod tests;
