//! Which of the kernel's ways to attach a program exist.

use std::collections::BTreeSet;

use serde::Serialize;

use super::read::{self, Missing};
use super::{Answer, KernelConfig, Root};

const KPROBE_TYPE: &str = "/sys/bus/event_source/devices/kprobe/type";
const KPROBES_ENABLED: &str = "/sys/kernel/debug/kprobes/enabled";
const BLACKLIST: &str = "/sys/kernel/debug/kprobes/blacklist";
const JIT: &str = "/proc/sys/net/core/bpf_jit_enable";
const FILTERS: [&str; 2] = [
    "/sys/kernel/tracing/available_filter_functions",
    "/sys/kernel/debug/tracing/available_filter_functions",
];

/// What can be attached, as far as files tell. The last word has the kernel, when it is tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tracing {
    /// Type number of the kprobe PMU (kernel/events/core.c), through which kprobes are made.
    pub kprobes: Answer<u32>,
    /// Whether kprobes are switched on (`kprobes/enabled` of debugfs).
    pub kprobes_enabled: Answer<bool>,
    /// `net.core.bpf_jit_enable`: 0 off, 1 on, 2 on with a trace in the log. Trampolines need it.
    pub jit: Answer<u32>,
    /// Found if the kernel's options allow fentry and fexit, absent with the option that is
    /// missing if not. Unknown if the configuration cannot be read: `traceable` tells then what
    /// there is of it.
    pub fentry: Answer<()>,
    /// Functions that kprobes are forbidden on; of these only the ones that were asked for.
    pub blacklist: Answer<BTreeSet<String>>,
    /// Functions that ftrace can trace, so that fentry can; only the ones that were asked for.
    pub traceable: Answer<BTreeSet<String>>,
}

impl Tracing {
    /// Reads what there is about attaching to `functions`; clones of them (a dot and more behind
    /// the name) count.
    pub fn read(root: &Root, release: Option<&str>, functions: &[&str]) -> Self {
        Self {
            kprobes: kprobes(root).into(),
            kprobes_enabled: kprobes_enabled(root).into(),
            jit: read::number(root, JIT).into(),
            fentry: fentry(&KernelConfig::read(root, release)),
            blacklist: blacklist(root, functions).into(),
            traceable: traceable(root, functions).into(),
        }
    }
}

fn kprobes(root: &Root) -> Result<u32, Missing> {
    match read::number(root, KPROBE_TYPE) {
        Err(Missing::Absent(why)) => Err(Missing::Absent(format!(
            "{why}: the kernel was built without CONFIG_KPROBE_EVENTS"
        ))),
        other => other,
    }
}

fn kprobes_enabled(root: &Root) -> Result<bool, Missing> {
    let text = read::mounted_text(root, read::DEBUGFS, KPROBES_ENABLED)?;
    Ok(read::parse_number::<u8>(KPROBES_ENABLED, &text)? != 0)
}

/// Trampolines are hung on ftrace's call at the function's start, straight and not through
/// ftrace's own callback (kernel/bpf/trampoline.c, `register_fentry`), and the verifier finds the
/// function by BTF.
fn fentry(config: &Answer<KernelConfig>) -> Answer<()> {
    let config = match config {
        Answer::Found(config) => config,
        Answer::Absent(why) | Answer::Unknown(why) => return Answer::Unknown(why.clone()),
    };
    for option in [
        "CONFIG_BPF_SYSCALL",
        "CONFIG_BPF_JIT",
        "CONFIG_DEBUG_INFO_BTF",
        "CONFIG_FUNCTION_TRACER",
        "CONFIG_DYNAMIC_FTRACE",
        "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS",
    ] {
        if !config.is_built_in(option) {
            return Answer::Absent(format!("the kernel was built without {option}"));
        }
    }
    Answer::Found(())
}

/// Lines of `0xSTART-0xEND<tab>NAME`.
fn blacklist(root: &Root, functions: &[&str]) -> Result<BTreeSet<String>, Missing> {
    Ok(read::mounted_text(root, read::DEBUGFS, BLACKLIST)?
        .lines()
        .filter_map(|line| line.split_ascii_whitespace().nth(1))
        .filter(|name| is_wanted(name, functions))
        .map(str::to_owned)
        .collect())
}

fn traceable(root: &Root, functions: &[&str]) -> Result<BTreeSet<String>, Missing> {
    let mut text = read::text(root, FILTERS[0]);
    if matches!(text, Err(Missing::Absent(_))) {
        text = read::text(root, FILTERS[1]);
    }
    let text = match text {
        // Not mounted, or no ftrace: the two look the same.
        Err(Missing::Absent(why)) => return Err(Missing::Unknown(why)),
        text => text?,
    };
    Ok(text
        .lines()
        .filter_map(|line| line.split_ascii_whitespace().next())
        .filter(|name| is_wanted(name, functions))
        .map(str::to_owned)
        .collect())
}

fn is_wanted(name: &str, functions: &[&str]) -> bool {
    functions.iter().any(|function| {
        name.strip_prefix(function)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    const FUNCTIONS: [&str; 3] = [
        "select_task_rq_fair",
        "select_idle_core",
        "available_idle_cpu",
    ];

    #[test]
    fn a_stock_kernel_has_it_all() {
        let machine = machine("6.12-2llc");
        let tracing = Tracing::read(&machine.root, Some("r"), &FUNCTIONS);
        assert_eq!(tracing.kprobes, Answer::Found(8));
        assert_eq!(tracing.kprobes_enabled, Answer::Found(true));
        assert_eq!(tracing.jit, Answer::Found(1));
        assert_eq!(tracing.blacklist, Answer::Found(BTreeSet::new()));
        let traceable = tracing.traceable.found().unwrap();
        assert!(traceable.contains("select_idle_core.constprop.0"));
        assert_eq!(traceable.len(), 3);
        assert!(matches!(tracing.fentry, Answer::Unknown(_)));
    }

    #[test]
    fn the_missing_option_is_named() {
        let read = |config: &str| {
            let machine = Machine::from_files(&[("/boot/config-r", config)]);
            Tracing::read(&machine.root, Some("r"), &FUNCTIONS)
        };
        let all = "CONFIG_BPF_SYSCALL=y\nCONFIG_BPF_JIT=y\nCONFIG_DEBUG_INFO_BTF=y\n\
                   CONFIG_FUNCTION_TRACER=y\nCONFIG_DYNAMIC_FTRACE=y\n\
                   CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS=y\n";
        assert_eq!(read(all).fentry, Answer::Found(()));
        for option in all.lines().map(|line| line.trim_end_matches("=y")) {
            let without = all.replace(&format!("{option}=y\n"), "");
            let tracing = read(&without);
            assert!(
                matches!(&tracing.fentry, Answer::Absent(why) if why.ends_with(option)),
                "{option}: {:?}",
                tracing.fentry
            );
            assert!(
                matches!(&tracing.kprobes, Answer::Absent(why) if why.contains("CONFIG_KPROBE"))
            );
        }
    }

    #[test]
    fn debugfs_that_is_not_mounted_leaves_it_unknown() {
        let nothing = Machine::from_files(&[]);
        let tracing = Tracing::read(&nothing.root, None, &FUNCTIONS);
        assert!(
            matches!(tracing.blacklist, Answer::Unknown(why) if why.contains("mount -t debugfs"))
        );
        assert!(matches!(tracing.kprobes_enabled, Answer::Unknown(_)));
        assert!(matches!(tracing.traceable, Answer::Unknown(_)));
        // Mounted, but of a kernel without kprobes.
        nothing.write("/sys/kernel/debug/clear_warn_once", b"");
        let tracing = Tracing::read(&nothing.root, None, &FUNCTIONS);
        assert!(matches!(tracing.blacklist, Answer::Absent(_)));
    }

    #[test]
    fn forbidden_functions_are_found() {
        let machine = Machine::from_files(&[(
            BLACKLIST,
            "0x01-0x02\tother\n0x03-0x04\tavailable_idle_cpu\n0x05-0x06\tselect_idle_core.isra.0\n\
             0x07-0x08\tselect_idle_core_not\n",
        )]);
        let tracing = Tracing::read(&machine.root, None, &FUNCTIONS);
        let names: Vec<_> = tracing.blacklist.found().unwrap().iter().collect();
        assert_eq!(names, ["available_idle_cpu", "select_idle_core.isra.0"]);
    }
}
