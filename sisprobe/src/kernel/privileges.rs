//! What this process may do, and the knobs that decide it.

use serde::Serialize;

use super::read::{self, Missing};
use super::{Answer, Root};

const STATUS: &str = "/proc/self/status";

/// A capability that matters here, with its bit (include/uapi/linux/capability.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Capability {
    /// Everything that the others allow, and on kernels before 5.8 the only one that does.
    CapSysAdmin = 21,
    /// Seeing kernel addresses in /proc/kallsyms.
    CapSyslog = 34,
    /// Attaching tracing programs.
    CapPerfmon = 38,
    /// Loading BPF programs and making maps.
    CapBpf = 39,
}

impl Capability {
    /// The kernel's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CapSysAdmin => "CAP_SYS_ADMIN",
            Self::CapSyslog => "CAP_SYSLOG",
            Self::CapPerfmon => "CAP_PERFMON",
            Self::CapBpf => "CAP_BPF",
        }
    }
}

/// The process's user and capabilities, and the sysctls that bear on tracing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Privileges {
    /// Effective user id.
    pub uid: Answer<u32>,
    /// Effective capabilities, bit by bit.
    pub capabilities: Answer<u64>,
    /// `kernel.kptr_restrict`: 0, 1 or 2.
    pub kptr_restrict: Answer<i32>,
    /// `kernel.perf_event_paranoid`: −1 to 2, distributions add 3 and 4.
    pub perf_event_paranoid: Answer<i32>,
    /// `kernel.unprivileged_bpf_disabled`: 0, 1 or 2.
    pub unprivileged_bpf_disabled: Answer<i32>,
}

impl Privileges {
    /// Reads /proc/self/status and /proc/sys/kernel.
    pub fn read(root: &Root) -> Self {
        let status = read::text(root, STATUS);
        // Uid: real, effective, saved, file system.
        let uid = field(&status, "Uid:", |words| words.nth(1)?.parse().ok());
        let capabilities = field(&status, "CapEff:", |words| {
            u64::from_str_radix(words.next()?, 16).ok()
        });
        let sysctl = |name: &str| read::number(root, &format!("/proc/sys/kernel/{name}")).into();
        Self {
            uid,
            capabilities,
            kptr_restrict: sysctl("kptr_restrict"),
            perf_event_paranoid: sysctl("perf_event_paranoid"),
            unprivileged_bpf_disabled: sysctl("unprivileged_bpf_disabled"),
        }
    }

    /// Whether the process has `capability`; unknown counts as no.
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities
            .found()
            .is_some_and(|bits| bits & (1 << capability as u32) != 0)
    }

    /// Which of the capabilities that loading and attaching need are missing: CAP_BPF and
    /// CAP_PERFMON, or CAP_SYS_ADMIN in place of both (kernel/bpf/syscall.c, `bpf_prog_load`;
    /// kernel/bpf/token.c and include/linux/capability.h, `bpf_capable`, `perfmon_capable`).
    pub fn missing(&self) -> Vec<Capability> {
        if self.has(Capability::CapSysAdmin) {
            return Vec::new();
        }
        [Capability::CapBpf, Capability::CapPerfmon]
            .into_iter()
            .filter(|&capability| !self.has(capability))
            .collect()
    }
}

fn field<T>(
    status: &Result<String, Missing>,
    name: &str,
    value: impl Fn(&mut std::str::SplitAsciiWhitespace<'_>) -> Option<T>,
) -> Answer<T> {
    match status {
        Ok(status) => status
            .lines()
            .find_map(|line| value(&mut line.strip_prefix(name)?.split_ascii_whitespace()))
            .map_or_else(
                || Answer::Unknown(format!("{STATUS} has no readable line {name}")),
                Answer::Found,
            ),
        Err(missing) => missing.clone().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    #[test]
    fn root_in_a_guest_has_all() {
        let privileges = Privileges::read(&machine("6.12-2llc").root);
        assert_eq!(privileges.uid, Answer::Found(0));
        assert!(privileges.has(Capability::CapBpf));
        assert!(privileges.missing().is_empty());
        assert_eq!(privileges.kptr_restrict, Answer::Found(0));
        assert_eq!(privileges.perf_event_paranoid, Answer::Found(3));
        assert_eq!(privileges.unprivileged_bpf_disabled, Answer::Found(2));
    }

    #[test]
    fn each_capability_has_its_bit() {
        let with = |bits: u64| {
            Privileges::read(
                &Machine::from_files(&[(
                    STATUS,
                    &format!("Uid:\t5\t1000\t6\t7\nCapEff:\t{bits:016x}\n"),
                )])
                .root,
            )
        };
        let none = with(0);
        assert_eq!(none.uid, Answer::Found(1000));
        assert_eq!(none.missing(), [Capability::CapBpf, Capability::CapPerfmon]);
        assert_eq!(with(1 << 39).missing(), [Capability::CapPerfmon]);
        assert!(with(1 << 39 | 1 << 38).missing().is_empty());
        assert!(with(1 << 21).missing().is_empty());
        assert!(with(1 << 34).has(Capability::CapSyslog));
    }

    #[test]
    fn no_proc_is_not_no_privilege_in_words() {
        let privileges = Privileges::read(&Machine::from_files(&[]).root);
        assert!(matches!(privileges.uid, Answer::Absent(_)));
        let damaged = Machine::from_files(&[(STATUS, "CapEff:\tzz\n")]);
        let privileges = Privileges::read(&damaged.root);
        assert!(matches!(privileges.capabilities, Answer::Unknown(_)));
    }
}
