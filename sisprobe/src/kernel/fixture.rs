//! Machines captured as one text file each (tests/fixtures/machines), unpacked for a test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Root;

/// A captured machine, unpacked; its files go when this is dropped.
pub(crate) struct Machine {
    /// Where to read it.
    pub(crate) root: Root,
    folder: TempDir,
}

/// The machine captured in tests/fixtures/machines/`name`.txt.
pub(crate) fn machine(name: &str) -> Machine {
    Machine::from_capture(&fs::read_to_string(path(&format!("machines/{name}.txt"))).unwrap())
}

/// The fixture file `name`.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

impl Machine {
    /// Unpacks the form that tests/fixtures/README.md describes.
    fn from_capture(capture: &str) -> Self {
        let machine = Self::empty();
        for part in format!("\n{capture}").split("\n== ").skip(1) {
            let (path, content) = part.split_once('\n').unwrap_or((part, ""));
            match path.strip_prefix("hex ") {
                Some(path) => machine.write(path, &unhex(content)),
                None => machine.write(path, format!("{}\n", content.trim_end()).as_bytes()),
            }
        }
        machine
    }

    /// A machine with these files only.
    pub(crate) fn from_files(files: &[(&str, &str)]) -> Self {
        let machine = Self::empty();
        for (path, content) in files {
            machine.write(path, content.as_bytes());
        }
        machine
    }

    fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            root: Root::new(folder.path()),
            folder,
        }
    }

    /// Adds or replaces a file.
    pub(crate) fn write(&self, path: &str, content: &[u8]) {
        let path = self.root.path(path);
        assert!(path.starts_with(self.folder.path()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Removes a file or a folder, which must be there.
    pub(crate) fn remove(&self, path: &str) {
        let path = self.root.path(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .chars()
        .filter_map(|c| c.to_digit(16))
        .map(|digit| u8::try_from(digit).unwrap())
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}
