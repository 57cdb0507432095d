//! All facts of a machine together.

use std::path::PathBuf;

use super::debuginfo::{self, DebugInfoError, Search};
use super::profile::{self, Profile, ProfileError};
use super::read::{self, Missing};
use super::{
    Answer, Btf, BuildId, Features, InlineFacts, Lockdown, Privileges, Root, SchedExt, Symbols,
    Topology, Tracing,
};

/// Functions that probes may be put on.
const PROBED: [&str; 5] = [
    "select_task_rq_fair",
    "select_idle_sibling",
    "select_idle_cpu",
    "select_idle_core",
    "available_idle_cpu",
];

/// Files that the user named in place of those that would be looked for; paths of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// `--vmlinux`: the only file that is asked for inlined copies.
    pub vmlinux: Option<PathBuf>,
    /// `--profile`: the only profile; not used if `vmlinux` is given too.
    pub profile: Option<PathBuf>,
    /// `--btf`: raw BTF in place of the running kernel's.
    pub btf: Option<PathBuf>,
}

/// A file that the user named does not serve.
#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    /// The one of `--vmlinux`.
    #[error("--vmlinux {path} {error}")]
    Vmlinux {
        /// As given.
        path: PathBuf,
        /// Why not.
        error: DebugInfoError,
    },
    /// The one of `--profile`.
    #[error("--profile {path} {error}")]
    Profile {
        /// As given.
        path: PathBuf,
        /// Why not.
        error: ProfileError,
    },
    /// The one of `--btf`.
    #[error("--btf {path}: {why}")]
    Btf {
        /// As given.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// It cannot be told whether the file is of the running kernel.
    #[error("{option} {path} cannot be used: the running kernel's build id is not known ({why})")]
    NoBuildId {
        /// `--vmlinux` or `--profile`.
        option: &'static str,
        /// As given.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

/// What this kernel offers and what machine it runs on. Each is an [`Answer`], or is made of
/// some: that something is not there, or cannot be told, is a fact too.
#[derive(Debug)]
pub struct Facts {
    /// `uname -r`.
    pub release: Answer<String>,
    /// `uname -m`.
    pub machine: Answer<String>,
    /// Which build of the kernel it is.
    pub build_id: Answer<BuildId>,
    /// Its symbols.
    pub symbols: Answer<Symbols>,
    /// Its types.
    pub btf: Answer<Btf>,
    /// Where the search is inlined.
    pub inlined: Answer<InlineFacts>,
    /// The scheduler's switches.
    pub features: Answer<Features>,
    /// Whether the kernel is locked down.
    pub lockdown: Answer<Lockdown>,
    /// Whether a BPF scheduler runs.
    pub sched_ext: Answer<SchedExt>,
    /// What this process may do.
    pub privileges: Privileges,
    /// What can be attached.
    pub tracing: Tracing,
    /// CPUs, caches, nodes.
    pub topology: Answer<Topology>,
    /// The command that installs the kernel's debug info, for a kernel of a known distribution.
    pub debuginfo_command: Option<String>,
}

impl Facts {
    /// Reads everything. Takes some tenths of a second, most of it for symbols and debug info.
    ///
    /// # Errors
    ///
    /// Only for a file that the user named and that does not serve; all else is an answer.
    pub fn gather(root: &Root, sources: &Sources) -> Result<Self, FactsError> {
        let release: Answer<String> = read::text(root, "/proc/sys/kernel/osrelease").into();
        let build_id = BuildId::running(root);
        let known_release = release.found().map(String::as_str);
        Ok(Self {
            machine: machine(root).into(),
            symbols: Symbols::read(root),
            btf: btf(root, sources)?,
            inlined: inlined(root, sources, &build_id, known_release)?,
            features: Features::read(root),
            lockdown: Lockdown::read(root),
            sched_ext: SchedExt::read(root),
            privileges: Privileges::read(root),
            tracing: Tracing::read(root, known_release, &PROBED),
            topology: Topology::read(root),
            debuginfo_command: known_release
                .and_then(|release| super::distribution::debuginfo_command(root, release)),
            release,
            build_id,
        })
    }

    /// The address of per-CPU variable `name` in the template; that of CPU `n` is at this plus
    /// `__per_cpu_offset[n]`. From kallsyms, else from BTF and `__per_cpu_start` (the two agree:
    /// arch/x86/kernel/vmlinux.lds.S, include/asm-generic/vmlinux.lds.h).
    pub fn percpu_address(&self, name: &str) -> Answer<u64> {
        let symbols = match &self.symbols {
            Answer::Found(symbols) => symbols,
            Answer::Absent(why) | Answer::Unknown(why) => return Answer::Unknown(why.clone()),
        };
        let address = symbols.address(name);
        if let Answer::Absent(_) = address
            && let Some(offset) = self.btf.found().and_then(|btf| btf.percpu_offset(name))
            && let Answer::Found(start) = symbols.address("__per_cpu_start")
        {
            return Answer::Found(start.wrapping_add(offset));
        }
        address
    }
}

/// The kernel tells it since Linux 6.1 in a file, before only by uname(2), which tells of the
/// running machine alone.
fn machine(root: &Root) -> Result<String, Missing> {
    match read::text(root, "/proc/sys/kernel/arch") {
        Err(Missing::Absent(_)) if root.is_running_machine() => uname_machine(),
        machine => machine,
    }
}

fn uname_machine() -> Result<String, Missing> {
    let mut name = std::mem::MaybeUninit::<libc::utsname>::uninit();
    // SAFETY: uname(2) writes a whole utsname to the place that it is given, or fails.
    if unsafe { libc::uname(name.as_mut_ptr()) } != 0 {
        let error = std::io::Error::last_os_error();
        return Err(Missing::Unknown(format!("uname failed: {error}")));
    }
    // SAFETY: uname(2) succeeded, so that all of it is written.
    let name = unsafe { name.assume_init() };
    let bytes: Vec<u8> = name
        .machine
        .iter()
        .take_while(|&&letter| letter != 0)
        .map(|&letter| letter.cast_unsigned())
        .collect();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn btf(root: &Root, sources: &Sources) -> Result<Answer<Btf>, FactsError> {
    match &sources.btf {
        None => Ok(Btf::read(root, None)),
        Some(path) => Btf::from_file(path)
            .map(Answer::Found)
            .map_err(|why| FactsError::Btf {
                path: path.clone(),
                why,
            }),
    }
}

/// In order: `--vmlinux`, `--profile`, debug info where it is usually found, profiles where they
/// are usually found.
fn inlined(
    root: &Root,
    sources: &Sources,
    build_id: &Answer<BuildId>,
    release: Option<&str>,
) -> Result<Answer<InlineFacts>, FactsError> {
    let named = match (&sources.vmlinux, &sources.profile) {
        (Some(path), _) => Some(("--vmlinux", path)),
        (None, Some(path)) => Some(("--profile", path)),
        (None, None) => None,
    };
    let build_id = match build_id {
        Answer::Found(build_id) => build_id,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return match named {
                Some((option, path)) => Err(FactsError::NoBuildId {
                    option,
                    path: path.clone(),
                    why: why.clone(),
                }),
                None => Ok(Answer::Unknown(format!(
                    "it cannot be told which debug info is this kernel's: {why}"
                ))),
            };
        }
    };
    if let Some(path) = &sources.vmlinux {
        return debuginfo::read(path, build_id)
            .map(Answer::Found)
            .map_err(|error| FactsError::Vmlinux {
                path: path.clone(),
                error,
            });
    }
    if let Some(path) = &sources.profile {
        return Profile::read_for(path, build_id)
            .map(|profile| Answer::Found(profile.into_facts(path.clone())))
            .map_err(|error| FactsError::Profile {
                path: path.clone(),
                error,
            });
    }
    let mut remarks = match debuginfo::search(root, build_id, release) {
        Search::Found(facts) => return Ok(Answer::Found(facts)),
        Search::Nothing { remarks, .. } => remarks,
    };
    if let Some(mut facts) = profile::find(&profile::folders(root), build_id, &mut remarks) {
        facts.remarks = remarks;
        return Ok(Answer::Found(facts));
    }
    let mut why = format!("no debug info and no profile of this kernel (build id {build_id})");
    for remark in remarks {
        why += "; ";
        why += &remark;
    }
    Ok(Answer::Absent(why))
}

#[cfg(test)]
mod tests;
