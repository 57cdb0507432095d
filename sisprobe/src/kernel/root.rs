//! The folder that stands for the machine's `/`.

use std::path::{Path, PathBuf};

/// `/` on the running machine, or a folder with files captured from another one.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

impl Default for Root {
    fn default() -> Self {
        Self(PathBuf::from("/"))
    }
}

impl Root {
    /// A machine whose files are under `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// Where the absolute path `path` of that machine is found on this one.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Whether this is the running machine.
    pub fn is_running_machine(&self) -> bool {
        self.0 == Path::new("/")
    }
}
