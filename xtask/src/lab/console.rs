//! Reads the guest kernel's console for the words that end a run.
//!
//! A stall (soft or hard lockup, RCU stall, hung task, workqueue lockup) counts only once the
//! command runs: a guest with hundreds of emulated CPUs may report one while it boots, and comes
//! up all the same; the lab gives such guests a longer watchdog (see [`watchdog_seconds`]) and ends
//! them only where they are not up a good while later.

/// What a line of the console means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// A panic or an oops: nothing that follows can be trusted.
    Panic,
    /// A CPU, RCU or a task made no progress for long.
    Stall,
}

/// The kernel's words for an oops or a panic (kernel/panic.c, arch/x86/kernel/{dumpstack,traps}.c,
/// arch/x86/mm/fault.c, lib/bug.c).
const PANIC: [&str; 9] = [
    "Kernel panic - not syncing",
    "BUG: kernel NULL pointer dereference",
    "BUG: unable to handle",
    "BUG: scheduling while atomic",
    "BUG: stack guard page was hit",
    "kernel BUG at ",
    "general protection fault, ",
    "PANIC: ",
    "Oops: ",
];

/// The kernel's words for a stall (kernel/watchdog.c, kernel/rcu/tree_stall.h,
/// kernel/hung_task.c, kernel/workqueue.c).
const STALL: [&str; 7] = [
    "BUG: soft lockup",
    "hard LOCKUP",
    "detected stalls on CPUs",
    "self-detected stall on CPU",
    "detected expedited stalls",
    "BUG: workqueue lockup",
    "blocked for more than",
];

/// What one line means, if anything. The fault of a program in user space does not count.
pub fn classify(line: &str) -> Option<Trouble> {
    let says = |words: &[&str]| words.iter().any(|&word| line.contains(word));
    if says(&STALL) {
        Some(Trouble::Stall)
    } else if says(&PANIC) && !line.contains("traps: ") {
        Some(Trouble::Panic)
    } else {
        None
    }
}

/// `watchdog_thresh` for a guest of so many CPUs, in seconds (the kernel's default is 10, its
/// largest 60): all of them share one CPU of the host, so that each must wait for its turn.
pub fn watchdog_seconds(cpus: u32) -> u32 {
    (cpus / 4).clamp(10, 60)
}

/// Collects the console's text and finds trouble in whole lines.
#[derive(Debug, Default)]
pub struct Console {
    text: String,
    seen: usize,
}

impl Console {
    /// Takes what came and gives the first trouble in the lines that became whole.
    pub fn push(&mut self, bytes: &[u8]) -> Option<(Trouble, String)> {
        self.text.push_str(&String::from_utf8_lossy(bytes));
        let end = self.text.rfind('\n').map_or(self.seen, |end| end + 1);
        let lines = &self.text[self.seen.min(end)..end];
        self.seen = end;
        lines
            .lines()
            .find_map(|line| Some((classify(line)?, line.trim_end().to_owned())))
    }

    /// All that came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines from the first trouble on, at most `count`; without trouble the last `count`.
    pub fn quote(&self, count: usize) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let first = lines
            .iter()
            .position(|line| classify(line).is_some())
            .unwrap_or(lines.len().saturating_sub(count));
        lines[first..]
            .iter()
            .take(count)
            .copied()
            .collect::<Vec<_>>()
            .join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{Console, Trouble, classify, watchdog_seconds};

    #[test]
    fn panics_and_oopses_are_told_from_stalls() {
        let cases = [
            (
                "[ 1.0] Kernel panic - not syncing: sysrq triggered crash",
                Trouble::Panic,
            ),
            (
                "[ 1.0] BUG: kernel NULL pointer dereference, address: 0000000000000000",
                Trouble::Panic,
            ),
            (
                "[ 1.0] Oops: Oops: 0002 [#1] PREEMPT SMP NOPTI",
                Trouble::Panic,
            ),
            (
                "[ 1.0] general protection fault, probably for non-canonical address 0x1: 0000 [#1]",
                Trouble::Panic,
            ),
            (
                "[ 1.0] kernel BUG at kernel/sched/core.c:1!",
                Trouble::Panic,
            ),
            (
                "[ 48.0] watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [swapper/3:0]",
                Trouble::Stall,
            ),
            (
                "[ 48.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
                Trouble::Stall,
            ),
            (
                "[ 48.0] rcu: INFO: rcu_sched self-detected stall on CPU",
                Trouble::Stall,
            ),
            (
                "[242.0] INFO: task hackbench:123 blocked for more than 120 seconds.",
                Trouble::Stall,
            ),
        ];
        for (line, trouble) in cases {
            assert_eq!(classify(line), Some(trouble), "{line}");
        }
    }

    #[test]
    fn ordinary_words_end_nothing() {
        for line in [
            "[ 1.0] traps: a.out[99] general protection fault ip:1 sp:2 error:0 in a.out",
            "[ 1.0] WARNING: CPU: 0 PID: 1 at kernel/sched/core.c:1 x+0x1/0x2",
            "[ 1.0] debug: soft limit",
            "",
        ] {
            assert_eq!(classify(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_is_judged_once_it_is_whole() {
        let mut console = Console::default();
        assert_eq!(console.push(b"[ 1.0] fine\n[ 2.0] Kernel pa"), None);
        let trouble = console.push(b"nic - not syncing: x\r\n[ 3.0] more\n");
        let line = "[ 2.0] Kernel panic - not syncing: x".to_owned();
        assert_eq!(trouble, Some((Trouble::Panic, line)));
        assert_eq!(console.push(b"[ 4.0] after\n"), None);
        assert!(
            console.quote(2).starts_with("[ 2.0]"),
            "{}",
            console.quote(2)
        );
        assert!(console.quote(2).ends_with("more"), "{}", console.quote(2));
    }

    #[test]
    fn the_last_lines_are_quoted_where_there_is_no_trouble() {
        let mut console = Console::default();
        console.push(b"a\nb\nc\n");
        assert_eq!(console.quote(2), "b\nc");
    }

    #[test]
    fn large_guests_get_a_longer_watchdog() {
        assert_eq!(watchdog_seconds(1), 10);
        assert_eq!(watchdog_seconds(224), 56);
        assert_eq!(watchdog_seconds(1024), 60);
    }
}
