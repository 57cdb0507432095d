//! Looking for the debug info of the running kernel.

use std::path::{Path, PathBuf};

use super::super::Root;
use super::{BuildId, DebugInfoError, InlineFacts, InlineSource, elf, inlined};

/// What looking for debug info gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// A file of this very build told where the copies are.
    Found(InlineFacts),
    /// None did.
    Nothing {
        /// The paths that were tried, in order.
        tried: Vec<PathBuf>,
        /// Those of them that exist, and why they do not serve.
        remarks: Vec<String>,
    },
}

/// Where the debug info of a kernel is looked for, in order: by build id, which is certain, then
/// by release where distributions and builders put it.
pub fn candidates(build_id: &BuildId, release: Option<&str>) -> Vec<PathBuf> {
    let id = build_id.to_string();
    let (first, rest) = id.split_at(2);
    let mut paths = vec![format!("/usr/lib/debug/.build-id/{first}/{rest}.debug")];
    // A release with a slash in it would lead elsewhere.
    if let Some(release) = release.filter(|release| !release.contains('/')) {
        paths.extend(
            [
                // Debian, Ubuntu
                "/usr/lib/debug/boot/vmlinux-{}",
                // Fedora, RHEL
                "/usr/lib/debug/lib/modules/{}/vmlinux",
                // SUSE
                "/usr/lib/debug/boot/vmlinux-{}.debug",
                "/usr/lib/debug/usr/lib/modules/{}/vmlinux.debug",
                "/usr/lib/debug/lib/modules/{}/vmlinux.debug",
                "/usr/lib/debug/usr/lib/modules/{}/vmlinux",
                "/usr/lib/debug/vmlinux-{}",
                "/boot/vmlinux-{}",
                // A kernel built and installed on this machine
                "/lib/modules/{}/build/vmlinux",
                "/lib/modules/{}/vmlinux",
            ]
            .map(|pattern| pattern.replace("{}", release)),
        );
    }
    paths.into_iter().map(PathBuf::from).collect()
}

/// Tries [`candidates`] under `root` until one has what is wanted; one of another build, or
/// without DWARF, is remarked on and passed over.
pub fn search(root: &Root, build_id: &BuildId, release: Option<&str>) -> Search {
    let mut remarks = Vec::new();
    let tried = candidates(build_id, release);
    for path in &tried {
        let here = root.path(path);
        if !here.exists() {
            continue;
        }
        match read(&here, build_id) {
            Ok(mut facts) => {
                facts.source = InlineSource::Debuginfo(path.clone());
                facts.remarks = remarks;
                return Search::Found(facts);
            }
            Err(error) => remarks.push(format!("{} {error}", path.display())),
        }
    }
    Search::Nothing { tried, remarks }
}

/// The copies in the file at `path`, which must be of the build `wanted`.
pub(crate) fn read(path: &Path, wanted: &BuildId) -> Result<InlineFacts, DebugInfoError> {
    let file = elf::File::open(path)?;
    let elf = file.parse()?;
    let found = elf.build_id()?;
    if found != *wanted {
        return Err(DebugInfoError::OtherBuild {
            found,
            wanted: wanted.clone(),
        });
    }
    Ok(InlineFacts {
        source: InlineSource::Debuginfo(path.to_owned()),
        build_id: found,
        copies: inlined::copies(&elf)?,
        remarks: Vec::new(),
    })
}
