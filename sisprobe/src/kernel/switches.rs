//! Switches by which an administrator disarms all probes of a kind while they stay attached.

use std::fs;

use super::Root;

/// The kernel's switches of probes. One that cannot be read counts as on, as it is by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// `kprobes/enabled` of debugfs (kernel/kprobes.c).
    pub kprobes: bool,
    /// The sysctl `kernel.ftrace_enabled` (kernel/trace/ftrace.c), which fentry depends on.
    pub ftrace: bool,
}

impl Switches {
    /// How they stand now.
    pub fn read(root: &Root) -> Self {
        let is_on =
            |path| !fs::read_to_string(root.path(path)).is_ok_and(|text| text.trim() == "0");
        Self {
            kprobes: is_on("/sys/kernel/debug/kprobes/enabled"),
            ftrace: is_on("/proc/sys/kernel/ftrace_enabled"),
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn only_a_nought_is_off() {
        let folder = TempDir::new().unwrap();
        let root = Root::new(folder.path());
        let both = |kprobes, ftrace| Switches { kprobes, ftrace };
        assert_eq!(Switches::read(&root), both(true, true));
        for (path, text) in [
            ("sys/kernel/debug/kprobes/enabled", "0\n"),
            ("proc/sys/kernel/ftrace_enabled", "1\n"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(Switches::read(&root), both(false, true));
    }
}
