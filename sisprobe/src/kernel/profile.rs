//! Profiles: the inlined copies of one build of the kernel, stored for machines that have no
//! debug info. The format is described in docs/profile-format.md.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::debuginfo::FUNCTIONS;
use super::{BuildId, InlineFacts, InlineSource, InlinedCopy, Root, Vmlinux};
use crate::whole_file;

/// Marks a file as a profile.
const FORMAT: &str = "sisprobe-profile";

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Profiles have a few hundred bytes.
const MOST_BYTES: u64 = 64 << 10;

/// No kernel inlines the search this often, nor into so large a function.
const MOST_COPIES: usize = 64;
const MOST_RANGES: usize = 256;
const MOST_OFFSET: i64 = 1 << 31;

/// Where an administrator puts profiles.
const SYSTEM_FOLDER: &str = "/etc/sisprobe/profiles";

/// What the planner needs from DWARF, for one build of the kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    format: String,
    version: u32,
    /// The build that it holds for, and no other.
    pub build_id: BuildId,
    /// The kernel's release, for people.
    pub release: Option<String>,
    /// The architecture, as `uname -m` has it.
    pub machine: String,
    /// The inlined copies.
    pub copies: Vec<InlinedCopy>,
}

/// What is wrong with a profile. The caller names the file.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// It cannot be read or written.
    #[error("cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// It is not JSON of the right shape.
    #[error("is not a profile: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of the right shape and makes no sense.
    #[error("is not a valid profile: {0}")]
    Invalid(String),
    /// It is another build's.
    #[error("is for another build: build id {found}, the running kernel's is {wanted}")]
    OtherBuild {
        /// The build that the profile holds for.
        found: BuildId,
        /// The build that was looked for.
        wanted: BuildId,
    },
}

impl From<Vmlinux> for Profile {
    fn from(vmlinux: Vmlinux) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            build_id: vmlinux.build_id,
            release: vmlinux.release,
            machine: vmlinux.machine,
            copies: vmlinux.copies,
        }
    }
}

impl Profile {
    /// A profile of what is known of the running kernel.
    pub fn from_inline_facts(
        facts: &InlineFacts,
        release: Option<String>,
        machine: String,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            build_id: facts.build_id.clone(),
            release,
            machine,
            copies: facts.copies.clone(),
        }
    }

    /// The name under which a profile is looked for: `<build id>.json`.
    pub fn file_name(build_id: &BuildId) -> String {
        format!("{build_id}.json")
    }

    /// Reads and checks a profile.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is too large, or is not a valid profile.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let mut text = Vec::new();
        File::open(path)?
            .take(MOST_BYTES + 1)
            .read_to_end(&mut text)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(ProfileError::Invalid(format!(
                "it has more than {MOST_BYTES} bytes"
            )));
        }
        let profile: Self = serde_json::from_slice(&text)?;
        profile.check().map_err(ProfileError::Invalid)?;
        Ok(profile)
    }

    /// Reads a profile that must be for the build `wanted`.
    ///
    /// # Errors
    ///
    /// As [`Profile::read`], and if it is for another build.
    pub fn read_for(path: &Path, wanted: &BuildId) -> Result<Self, ProfileError> {
        let profile = Self::read(path)?;
        if profile.build_id == *wanted {
            Ok(profile)
        } else {
            Err(ProfileError::OtherBuild {
                found: profile.build_id,
                wanted: wanted.clone(),
            })
        }
    }

    /// Writes the profile; `path` holds either what it held before or all of the profile. What is
    /// no file (/dev/stdout, a pipe) is written to and not replaced.
    ///
    /// # Errors
    ///
    /// The folder or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ProfileError> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(whole_file::write(path, &text)?)
    }

    /// The profile as facts that came from `path`.
    pub fn into_facts(self, path: PathBuf) -> InlineFacts {
        InlineFacts {
            source: InlineSource::Profile(path),
            build_id: self.build_id,
            copies: self.copies,
            remarks: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("its format is {:?}, not {FORMAT:?}", self.format));
        }
        if self.version != VERSION {
            return Err(format!(
                "its version is {}, this sisprobe reads {VERSION}: make it anew with \
                 `sisprobe profile make`",
                self.version
            ));
        }
        if self.copies.len() > MOST_COPIES {
            return Err(format!("it has more than {MOST_COPIES} copies"));
        }
        self.copies.iter().try_for_each(check_copy)
    }
}

fn check_copy(copy: &InlinedCopy) -> Result<(), String> {
    if !FUNCTIONS.contains(&copy.function.as_str()) {
        return Err(format!(
            "{:?} is not a function of the search",
            copy.function
        ));
    }
    for name in copy.through.iter().chain([&copy.host]) {
        // The host's name goes to the kernel as the place of a probe.
        let is_symbol = (1..=511).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
        if !is_symbol {
            return Err(format!("{name:?} is not a symbol's name"));
        }
    }
    if copy.entry >= MOST_OFFSET.unsigned_abs() {
        return Err(format!(
            "an entry at {:#x} is outside of any function",
            copy.entry
        ));
    }
    if copy.ranges.len() > MOST_RANGES {
        return Err(format!("a copy has more than {MOST_RANGES} ranges"));
    }
    for &(start, end) in &copy.ranges {
        if start >= end || start < -MOST_OFFSET || end > MOST_OFFSET {
            return Err(format!("[{start}, {end}] is not a range of code"));
        }
    }
    Ok(())
}

/// The folders in which profiles are looked for, as paths of this machine, in order:
/// /etc/sisprobe/profiles, then the user's data folder (only on the running machine).
pub fn folders(root: &Root) -> Vec<PathBuf> {
    let mut folders = vec![root.path(SYSTEM_FOLDER)];
    if root.is_running_machine() {
        folders.extend(user_folder());
    }
    folders
}

/// $XDG_DATA_HOME/sisprobe/profiles, or ~/.local/share/sisprobe/profiles; none without either
/// variable, or if it does not hold an absolute path (which the XDG specification makes void).
pub fn user_folder() -> Option<PathBuf> {
    let absolute = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .map(|data| data.join("sisprobe/profiles"))
}

/// The first profile for `build_id` in `folders`; what is there and does not serve is remarked
/// on.
pub(super) fn find(
    folders: &[PathBuf],
    build_id: &BuildId,
    remarks: &mut Vec<String>,
) -> Option<InlineFacts> {
    for folder in folders {
        let path = folder.join(Profile::file_name(build_id));
        match Profile::read_for(&path, build_id) {
            Ok(profile) => return Some(profile.into_facts(path)),
            Err(ProfileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => remarks.push(format!("{} {error}", path.display())),
        }
    }
    None
}

#[cfg(test)]
mod tests;
