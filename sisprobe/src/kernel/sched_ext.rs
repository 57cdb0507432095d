//! Whether a BPF scheduler runs in place of the fair class.

use serde::Serialize;

use super::read::{self, Missing};
use super::{Answer, Root};

const FOLDER: &str = "/sys/kernel/sched_ext";

/// The state of sched_ext (kernel/sched/ext.c).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchedExt {
    /// The kernel's word: `disabled`, `enabling`, `enabled`, `disabling`.
    pub state: String,
    /// Name of the scheduler that is loaded.
    pub ops: Option<String>,
    /// Whether it has all tasks of the fair class (else only those of SCHED_EXT); none if the
    /// kernel does not tell.
    pub switch_all: Option<bool>,
}

impl SchedExt {
    /// Reads /sys/kernel/sched_ext. Absent where the kernel has no sched_ext.
    pub fn read(root: &Root) -> Answer<Self> {
        try_read(root).into()
    }

    /// Whether a BPF scheduler is loaded, or is just being loaded or unloaded.
    pub fn is_active(&self) -> bool {
        self.state != "disabled"
    }

    /// Whether wake-ups bypass the fair class, so that there is nothing for sisprobe to see.
    pub fn bypasses_fair(&self) -> bool {
        self.is_active() && self.switch_all != Some(false)
    }
}

fn try_read(root: &Root) -> Result<SchedExt, Missing> {
    let state = match read::text(root, &format!("{FOLDER}/state")) {
        Ok(state) if state.is_empty() => {
            return Err(Missing::Unknown(format!("{FOLDER}/state is empty")));
        }
        Ok(state) => state,
        Err(Missing::Absent(_)) => {
            return Err(Missing::Absent(format!(
                "{FOLDER} is not there: this kernel has no sched_ext"
            )));
        }
        Err(unknown) => return Err(unknown),
    };
    Ok(SchedExt {
        state,
        ops: read::text(root, &format!("{FOLDER}/root/ops")).ok(),
        switch_all: read::number::<u8>(root, &format!("{FOLDER}/switch_all"))
            .ok()
            .map(|value| value != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::Machine;

    #[test]
    fn a_loaded_scheduler_is_named() {
        let machine = Machine::from_files(&[
            ("/sys/kernel/sched_ext/state", "enabled\n"),
            ("/sys/kernel/sched_ext/switch_all", "1\n"),
            ("/sys/kernel/sched_ext/root/ops", "simple\n"),
        ]);
        let found = SchedExt::read(&machine.root);
        let ext = found.found().unwrap();
        assert_eq!(ext.ops.as_deref(), Some("simple"));
        assert!(ext.is_active() && ext.bypasses_fair());
        machine.write("/sys/kernel/sched_ext/switch_all", b"0\n");
        let found = SchedExt::read(&machine.root);
        assert!(!found.found().unwrap().bypasses_fair());
    }

    #[test]
    fn none_loaded_and_none_possible_are_told_apart() {
        let machine = Machine::from_files(&[("/sys/kernel/sched_ext/state", "disabled\n")]);
        let found = SchedExt::read(&machine.root);
        assert!(!found.found().unwrap().is_active());
        let nothing = Machine::from_files(&[]);
        assert!(matches!(SchedExt::read(&nothing.root), Answer::Absent(_)));
    }
}
