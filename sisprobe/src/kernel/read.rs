//! Reading small files of the machine, with the reason kept when it does not work.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use super::{Answer, Root};

/// Where debugfs belongs.
pub(super) const DEBUGFS: (&str, &str) = ("debugfs", "/sys/kernel/debug");

/// Where securityfs belongs.
pub(super) const SECURITYFS: (&str, &str) = ("securityfs", "/sys/kernel/security");

/// Far more than any of the text files read whole here has; kallsyms and BTF have limits of
/// their own.
const MOST_TEXT: u64 = 4 << 20;

/// Why there is no value: the two ways in which an [`Answer`] can lack one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    Absent(String),
    Unknown(String),
}

impl Missing {
    /// What an I/O error on `path` means: a file that is not there is an answer, anything else
    /// only says that we could not look.
    pub(super) fn from_io(path: &str, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::Absent(format!("{path} is not there")),
            // EPERM, where a missing right gives EACCES: a security module said no, even to root.
            _ if error.raw_os_error() == Some(libc::EPERM) => Self::Unknown(format!(
                "the kernel forbids reading {path}: it may be locked down"
            )),
            ErrorKind::PermissionDenied => {
                Self::Unknown(format!("no permission to read {path}; run as root"))
            }
            _ => Self::Unknown(format!("cannot read {path}: {error}")),
        }
    }
}

impl<T> From<Missing> for Answer<T> {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Absent(why) => Self::Absent(why),
            Missing::Unknown(why) => Self::Unknown(why),
        }
    }
}

impl<T> From<Result<T, Missing>> for Answer<T> {
    fn from(result: Result<T, Missing>) -> Self {
        match result {
            Ok(value) => Self::Found(value),
            Err(missing) => missing.into(),
        }
    }
}

/// The bytes of `path`, at most `most` of them (more is an error, not a cut).
pub(super) fn bytes(root: &Root, path: &str, most: u64) -> Result<Vec<u8>, Missing> {
    let mut content = Vec::new();
    File::open(root.path(path))
        .and_then(|file| file.take(most + 1).read_to_end(&mut content))
        .map_err(|error| Missing::from_io(path, &error))?;
    if content.len() as u64 > most {
        return Err(Missing::Unknown(format!(
            "{path} has more than {most} bytes, which it should not"
        )));
    }
    Ok(content)
}

/// The text of `path`, without trailing white space.
pub(super) fn text(root: &Root, path: &str) -> Result<String, Missing> {
    let content = bytes(root, path, MOST_TEXT)?;
    let mut content = String::from_utf8(content)
        .map_err(|_| Missing::Unknown(format!("{path} is not text in UTF-8")))?;
    content.truncate(content.trim_end().len());
    Ok(content)
}

/// As [`text`], for a file of a file system that need not be mounted: where `mount` is not a
/// folder with anything in it, nothing can be told.
pub(super) fn mounted_text(
    root: &Root,
    (kind, mount): (&str, &str),
    path: &str,
) -> Result<String, Missing> {
    match text(root, path) {
        Err(Missing::Absent(_)) if is_empty(root, mount) => Err(Missing::Unknown(format!(
            "{path} cannot be read: mount {kind} with `mount -t {kind} none {mount}`"
        ))),
        other => other,
    }
}

fn is_empty(root: &Root, folder: &str) -> bool {
    std::fs::read_dir(root.path(folder)).map_or_else(
        |error| error.kind() == ErrorKind::NotFound,
        |mut entries| entries.next().is_none(),
    )
}

/// The number that `path` holds.
pub(super) fn number<T: std::str::FromStr>(root: &Root, path: &str) -> Result<T, Missing> {
    parse_number(path, &text(root, path)?)
}

/// The number that `content`, read from `path`, is.
pub(super) fn parse_number<T: std::str::FromStr>(path: &str, content: &str) -> Result<T, Missing> {
    content
        .trim()
        .parse()
        .map_err(|_| Missing::Unknown(format!("{path} holds {content:?} where a number should be")))
}
