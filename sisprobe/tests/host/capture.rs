//! Captured machines, unpacked for `sisprobe doctor --root`.

use std::{fs, path::PathBuf};

use tempfile::TempDir;

use crate::command::fixture;

/// The captures of tests/fixtures/machines.
pub(crate) fn all() -> Vec<PathBuf> {
    let folder = fs::read_dir(fixture("machines")).expect("captures");
    folder
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// Unpacks the form that tests/fixtures/README.md describes.
pub(crate) fn unpack(capture: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for part in format!("\n{capture}").split("\n== ").skip(1) {
        let (path, content) = part.split_once('\n').unwrap_or((part, ""));
        let (path, content) = match path.strip_prefix("hex ") {
            Some(path) => (path, unhex(content)),
            None => (path, format!("{}\n", content.trim_end()).into_bytes()),
        };
        let path = folder.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    let byte = |pair: &[u32]| u8::try_from(pair[0] << 4 | pair[1]).expect("two digits");
    digits.chunks(2).map(byte).collect()
}
