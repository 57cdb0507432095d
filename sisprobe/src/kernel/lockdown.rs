//! Whether the kernel is locked down.

use serde::Serialize;

use super::read::{self, Missing};
use super::{Answer, Root};

const LOCKDOWN: &str = "/sys/kernel/security/lockdown";

/// How far (security/lockdown/lockdown.c; what each level forbids: include/linux/security.h,
/// `enum lockdown_reason`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lockdown {
    /// Not at all.
    None,
    /// The kernel cannot be changed by root: debugfs files that can be written cannot be opened,
    /// BPF programs may read kernel memory.
    Integrity,
    /// Nor can its memory be read: BPF tracing programs and kprobes are refused.
    Confidentiality,
}

impl Lockdown {
    /// Reads the level that is in force. Absent where the kernel has no lockdown module, unknown
    /// where securityfs is not mounted.
    pub fn read(root: &Root) -> Answer<Self> {
        try_read(root).into()
    }

    /// The kernel's own word for the level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Integrity => "integrity",
            Self::Confidentiality => "confidentiality",
        }
    }
}

fn try_read(root: &Root) -> Result<Lockdown, Missing> {
    let text = match read::mounted_text(root, read::SECURITYFS, LOCKDOWN) {
        Err(Missing::Absent(_)) => {
            return Err(Missing::Absent(format!(
                "{LOCKDOWN} is not there: this kernel cannot be locked down"
            )));
        }
        text => text?,
    };
    let level = text
        .split_ascii_whitespace()
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    [
        Lockdown::None,
        Lockdown::Integrity,
        Lockdown::Confidentiality,
    ]
    .into_iter()
    .find(|known| level == Some(known.name()))
    .ok_or_else(|| {
        Missing::Unknown(format!(
            "{LOCKDOWN} holds {text:?}, which names no known level"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    #[test]
    fn the_bracketed_word_is_the_level() {
        let read = |name: &str| Lockdown::read(&machine(name).root);
        assert_eq!(read("6.12-2llc"), Answer::Found(Lockdown::None));
        assert_eq!(
            read("6.12-lockdown"),
            Answer::Found(Lockdown::Confidentiality)
        );
        let integrity = Machine::from_files(&[(LOCKDOWN, "none [integrity] confidentiality\n")]);
        assert_eq!(
            Lockdown::read(&integrity.root),
            Answer::Found(Lockdown::Integrity)
        );
    }

    #[test]
    fn anything_else_is_unknown() {
        for text in ["", "none integrity", "[other] none"] {
            let machine = Machine::from_files(&[(LOCKDOWN, text)]);
            assert!(
                matches!(Lockdown::read(&machine.root), Answer::Unknown(_)),
                "{text}"
            );
        }
    }

    #[test]
    fn no_lockdown_and_no_securityfs_are_told_apart() {
        let nothing = Machine::from_files(&[]);
        let answer = Lockdown::read(&nothing.root);
        assert!(matches!(answer, Answer::Unknown(why) if why.contains("mount -t securityfs")));
        nothing.write("/sys/kernel/security/lsm", b"capability");
        assert!(matches!(Lockdown::read(&nothing.root), Answer::Absent(_)));
    }
}
