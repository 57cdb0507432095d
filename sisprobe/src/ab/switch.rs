//! Scheduler features that are switched for a while, and put back whatever ends it.
//!
//! What they were stands in a file before the first is switched. Whoever lives holds a lock beside
//! it, so a file whose lock is free was left by one that was killed.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::setting::wanted;
use crate::{
    kernel::{Features, Root},
    whole_file,
};

/// Gone after a boot, as what was switched is.
const FOLDER: &str = "/run/sisprobe";
const LOCK: &str = "features.lock";
const FILE: &str = "features.json";

#[derive(Serialize, Deserialize)]
struct Before {
    /// The features that were to be switched, as they were: `NO_` before those off.
    features: Vec<String>,
}

/// Why features could not be switched, or put back.
#[derive(Debug, Error)]
pub enum SwitchError {
    /// Another one is at it.
    #[error(
        "another 'sisprobe ab' switches the scheduler's features now ({0} is locked); wait for \
         its end, or end it with SIGTERM"
    )]
    Locked(String),
    /// What they were cannot be kept, or read.
    #[error("tried to {what} {path}; the answer was: {error}")]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// The kernel's features cannot be read.
    #[error("tried to read the scheduler's features: {0}")]
    Unreadable(String),
    /// The kernel did not take one.
    #[error("tried to write {feature} to {path}; the answer was: {error}")]
    Refused {
        /// As it was written.
        feature: String,
        /// Where.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

/// Features that may be switched; they are put back when this is dropped.
#[derive(Debug)]
pub struct Switched {
    root: Root,
    before: Vec<String>,
    /// Held as long as this is there.
    _lock: File,
}

impl Switched {
    /// Notes how `features` (with or without `NO_`) are, before any is switched.
    ///
    /// # Errors
    ///
    /// They cannot be read, or it cannot be noted; nothing is switched then.
    pub fn begin<'a>(
        root: &Root,
        features: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, SwitchError> {
        let lock = lock(root)?;
        let now = Features::read(root);
        let now = now.found().ok_or_else(|| {
            SwitchError::Unreadable(now.why_not().unwrap_or("no reason was given").into())
        })?;
        let mut before: Vec<String> = Vec::new();
        for feature in features {
            let (name, _) = wanted(feature);
            let Some(on) = now.get(name) else { continue };
            let as_it_is = format!("{}{name}", if on { "" } else { "NO_" });
            if !before.contains(&as_it_is) {
                before.push(as_it_is);
            }
        }
        let path = path(root, FILE);
        let text = serde_json::to_vec(&Before {
            features: before.clone(),
        });
        text.map_err(io::Error::from)
            .and_then(|text| whole_file::write(&path, &text))
            .map_err(|error| file("write", &path, error))?;
        Ok(Self {
            root: root.clone(),
            before,
            _lock: lock,
        })
    }

    /// Switches `features`, those before `NO_` off, where they are not so already.
    ///
    /// # Errors
    ///
    /// The kernel does not take one.
    pub fn set(&self, features: &[String]) -> Result<(), SwitchError> {
        set(&self.root, features)
    }

    /// Puts everything back.
    ///
    /// # Errors
    ///
    /// The kernel does not take one; what it was stays noted.
    pub fn put_back(&self) -> Result<(), SwitchError> {
        put_back(&self.root, &self.before)
    }
}

impl Drop for Switched {
    fn drop(&mut self) {
        // Who wants to know calls `put_back`; what is left noted the next start puts back.
        let _ = self.put_back();
    }
}

/// Features that were not put back.
#[derive(Debug)]
pub struct LeftOver {
    root: Root,
    before: Vec<String>,
    _lock: File,
}

impl LeftOver {
    /// The features as they were.
    pub fn features(&self) -> &[String] {
        &self.before
    }

    /// Puts them back.
    ///
    /// # Errors
    ///
    /// The kernel does not take one.
    pub fn put_back(self) -> Result<Vec<String>, SwitchError> {
        put_back(&self.root, &self.before)?;
        Ok(self.before)
    }
}

/// What one that was killed has left switched; none where there is nothing, or where the one that
/// switched it lives.
///
/// # Errors
///
/// There is something, and it cannot be read.
pub fn left_over(root: &Root) -> Result<Option<LeftOver>, SwitchError> {
    let path = path(root, FILE);
    if !path.exists() {
        return Ok(None);
    }
    let lock = match lock(root) {
        Ok(lock) => lock,
        Err(SwitchError::Locked(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let text = match fs::read(&path) {
        Ok(text) => text,
        // The one that had the lock has put everything back meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file("read", &path, error)),
    };
    let before: Before =
        serde_json::from_slice(&text).map_err(|error| file("understand", &path, error.into()))?;
    Ok(Some(LeftOver {
        root: root.clone(),
        before: before.features,
        _lock: lock,
    }))
}

fn put_back(root: &Root, before: &[String]) -> Result<(), SwitchError> {
    set(root, before)?;
    let path = path(root, FILE);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file("remove", &path, error)),
        _ => Ok(()),
    }
}

fn set(root: &Root, features: &[String]) -> Result<(), SwitchError> {
    let now = Features::read(root);
    for feature in features {
        let (name, on) = wanted(feature);
        if now.found().and_then(|now| now.get(name)) == Some(on) {
            continue;
        }
        Features::set(root, feature).map_err(|(path, error)| SwitchError::Refused {
            feature: feature.clone(),
            path,
            error,
        })?;
    }
    Ok(())
}

fn lock(root: &Root) -> Result<File, SwitchError> {
    let folder = root.path(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| file("make the folder", &folder, error))?;
    let path = path(root, LOCK);
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| file("open", &path, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(SwitchError::Locked(path.display().to_string())),
        Err(TryLockError::Error(error)) => Err(file("lock", &path, error)),
    }
}

fn path(root: &Root, name: &str) -> PathBuf {
    root.path(FOLDER).join(name)
}

fn file(what: &'static str, path: &std::path::Path, error: io::Error) -> SwitchError {
    SwitchError::File {
        what,
        path: path.display().to_string(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::Machine;

    const PLACE: &str = "/sys/kernel/debug/sched/features";

    /// A file in place of the kernel's keeps what was written to it last.
    fn machine() -> Machine {
        Machine::from_files(&[(PLACE, "PLACE_LAG NO_SIS_PROP SIS_UTIL\n")])
    }

    fn written(machine: &Machine) -> String {
        fs::read_to_string(machine.root.path(PLACE)).unwrap()
    }

    #[test]
    fn only_what_differs_is_written_and_put_back() {
        let machine = machine();
        let wanted = ["SIS_PROP".to_owned(), "SIS_UTIL".to_owned()];
        let switched = Switched::begin(&machine.root, wanted.iter().map(String::as_str)).unwrap();
        assert_eq!(switched.before, ["NO_SIS_PROP", "SIS_UTIL"]);
        switched.set(&wanted).unwrap();
        assert_eq!(written(&machine), "SIS_PROP");
        drop(switched);
        // The file has no SIS_UTIL now, so both are written.
        assert_eq!(written(&machine), "SIS_UTIL");
        assert!(left_over(&machine.root).unwrap().is_none());
    }

    #[test]
    fn what_was_left_is_found_once_nobody_holds_it() {
        let machine = machine();
        let switched = Switched::begin(&machine.root, ["NO_SIS_UTIL"]).unwrap();
        switched.set(&["NO_SIS_UTIL".into()]).unwrap();
        assert!(left_over(&machine.root).unwrap().is_none());
        let again = Switched::begin(&machine.root, ["SIS_UTIL"]).unwrap_err();
        assert!(
            again.to_string().contains("another 'sisprobe ab'"),
            "{again}"
        );
        // As if it were killed: the lock goes, nothing is put back.
        let mut killed = std::mem::ManuallyDrop::new(switched);
        // SAFETY: `killed` is not used again.
        unsafe { std::ptr::drop_in_place(&raw mut killed._lock) };
        let left = left_over(&machine.root).unwrap().unwrap();
        assert_eq!(left.put_back().unwrap(), ["SIS_UTIL"]);
        assert_eq!(written(&machine), "SIS_UTIL");
        assert!(left_over(&machine.root).unwrap().is_none());
    }

    #[test]
    fn what_cannot_be_switched_is_told() {
        let none = Machine::from_files(&[("/sys/kernel/debug/x", "")]);
        let error = Switched::begin(&none.root, ["SIS_UTIL"]).unwrap_err();
        assert!(error.to_string().contains("CONFIG_SCHED_DEBUG"), "{error}");
        let broken = machine();
        broken.write("/run/sisprobe/features.json", b"{");
        let error = left_over(&broken.root).unwrap_err().to_string();
        assert!(
            error.contains("features.json; the answer was: EOF"),
            "{error}"
        );
    }
}
