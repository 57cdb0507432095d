//! Switches by which an administrator disarms all probes of a kind while they stay attached.

use std::{collections::HashSet, fs};

use super::Root;

/// The kernel's switches of probes. One that cannot be read counts as on, as it is by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    /// `kprobes/enabled` of debugfs (kernel/kprobes.c).
    pub kprobes: bool,
    /// The sysctl `kernel.ftrace_enabled` (kernel/trace/ftrace.c), which fentry depends on.
    pub ftrace: bool,
    /// Functions at whose entry kprobes depend on ftrace too (`[FTRACE]` in `kprobes/list` of
    /// debugfs); only looked at where ftrace is off.
    on_ftrace: HashSet<String>,
}

impl Switches {
    /// How they stand now.
    pub fn read(root: &Root) -> Self {
        let text = |path| fs::read_to_string(root.path(path)).unwrap_or_default();
        let ftrace = text("/proc/sys/kernel/ftrace_enabled").trim() != "0";
        let list = if ftrace {
            String::new()
        } else {
            text("/sys/kernel/debug/kprobes/list")
        };
        Self {
            kprobes: text("/sys/kernel/debug/kprobes/enabled").trim() != "0",
            ftrace,
            on_ftrace: list.lines().filter_map(on_ftrace).collect(),
        }
    }

    /// Whether a kprobe or kretprobe sees nothing now that is `offset` bytes behind `symbol`.
    pub fn disarm_kprobe(&self, symbol: &str, offset: u64) -> bool {
        !self.kprobes || (!self.ftrace && offset == 0 && self.on_ftrace.contains(symbol))
    }
}

/// The function of a line of `kprobes/list` that says `[FTRACE]`, as in
/// `ffffffff810f2b60  r  select_task_rq_fair+0x0    [FTRACE]`. The offset is not looked at: where
/// functions begin with endbr64, ftrace has its place 4 bytes behind.
fn on_ftrace(line: &str) -> Option<String> {
    let place = line.split_whitespace().nth(2)?;
    let (symbol, _) = place.split_once('+')?;
    line.contains("[FTRACE]").then(|| symbol.to_owned())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn machine(files: &[(&str, &str)]) -> Switches {
        let folder = TempDir::new().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Switches::read(&Root::new(folder.path()))
    }

    const KPROBES: &str = "sys/kernel/debug/kprobes/enabled";
    const FTRACE: &str = "proc/sys/kernel/ftrace_enabled";
    const LIST: (&str, &str) = (
        "sys/kernel/debug/kprobes/list",
        "ffffffff810f2b60  r  select_task_rq_fair+0x0    [FTRACE]\n\
         ffffffff810f3349  k  select_task_rq_fair+0x7e9    [OPTIMIZED]\n\
         ffffffff810e0010  r  available_idle_cpu+0x4    [FTRACE]\n\
         ffffffff810e0020  k  on_its_own+0x0\n",
    );

    #[test]
    fn only_a_nought_is_off() {
        for (files, kprobes, ftrace) in [
            (&[][..], true, true),
            (&[(KPROBES, "0\n")], false, true),
            (&[(KPROBES, "1\n"), (FTRACE, "0\n")], true, false),
            (&[(FTRACE, "1\n")], true, true),
        ] {
            let switches = machine(files);
            assert_eq!((switches.kprobes, switches.ftrace), (kprobes, ftrace));
            assert_eq!(switches.disarm_kprobe("on_its_own", 0), !kprobes);
        }
    }

    #[test]
    fn kprobes_at_an_entry_may_depend_on_ftrace() {
        let on = machine(&[(FTRACE, "1\n"), LIST]);
        let off = machine(&[(FTRACE, "0\n"), LIST]);
        for (symbol, offset, disarmed) in [
            ("select_task_rq_fair", 0, true),
            ("select_task_rq_fair", 0x7e9, false),
            ("available_idle_cpu", 0, true),
            ("on_its_own", 0, false),
        ] {
            assert_eq!(off.disarm_kprobe(symbol, offset), disarmed, "{symbol}");
            assert!(!on.disarm_kprobe(symbol, offset), "{symbol}");
        }
    }
}
