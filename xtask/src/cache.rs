//! Downloads and products, kept outside the tree in `$XDG_CACHE_HOME/sisprobe` or
//! `~/.cache/sisprobe`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rustix::fs::{FlockOperation, flock};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::toolchain;

/// A path inside the cache folder; its parent exists afterwards.
///
/// # Errors
///
/// There is no home folder, or the cache folder cannot be made.
pub fn path(inside: &str) -> Result<PathBuf> {
    let cache = toolchain::cache_dir().context("no home folder: set XDG_CACHE_HOME")?;
    let path = cache.join(inside);
    let parent = path.parent().unwrap_or(&cache);
    fs::create_dir_all(parent).with_context(|| format!("make folder {}", parent.display()))?;
    Ok(path)
}

/// A folder for work in progress, on the cache's file system so that what is finished can be
/// renamed into place. Removed when dropped.
///
/// # Errors
///
/// The folder cannot be made.
pub fn work_dir() -> Result<TempDir> {
    let folder = path("work/x")?.with_file_name("");
    tempfile::Builder::new()
        .prefix("w-")
        .tempdir_in(&folder)
        .with_context(|| format!("make a folder in {}", folder.display()))
}

/// Holds one name of the cache against other xtasks until dropped.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held for its drop")] File);

/// Waits for, and takes, the lock of this name.
///
/// # Errors
///
/// The lock file cannot be made.
pub fn lock(name: &str) -> Result<Lock> {
    let path = path(&format!("locks/{name}"))?;
    let file = File::create(&path).with_context(|| format!("create {}", path.display()))?;
    flock(&file, FlockOperation::LockExclusive)
        .with_context(|| format!("lock {}", path.display()))?;
    Ok(Lock(file))
}

/// Moves a finished file or folder to its place, in one step for whoever looks.
///
/// # Errors
///
/// The rename fails.
pub fn publish(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("rename {} to {}", from.display(), to.display()))
}

/// A short name for content: 16 hexadecimal digits that differ where any part differs.
pub fn key<T: AsRef<[u8]>>(parts: &[T]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn a_key_tells_where_a_part_ends() {
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["a"]).len(), 16);
    }
}
