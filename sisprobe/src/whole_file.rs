//! Files that are written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process,
};

/// Writes a file: `path` holds either what it held before or all of `bytes`. What is no file
/// (/dev/stdout, a pipe) is written to and not replaced.
///
/// # Errors
///
/// The folder or the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let temporary = temporary(path);
    let written = File::create_new(&temporary)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nothing more can be done about a file that cannot be removed either.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Checks that [`write`] can make a file at `path`, and leaves nothing behind.
///
/// # Errors
///
/// As [`write`].
pub fn try_out(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return File::options().write(true).open(path).map(drop);
    }
    let temporary = temporary(path);
    File::create_new(&temporary)?;
    fs::remove_file(&temporary)
}

/// A name beside `path`.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.svg");
        fs::write(&path, "before").unwrap();
        write(&path, b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.svg");
        fs::create_dir(&path).unwrap();
        assert!(write(&path, b"after").is_err());
        assert!(path.is_dir());
        assert!(write(&folder.path().join("none/out.svg"), b"after").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
