//! Which benchmark a command runs, told by the names of its programs.

use std::ffi::OsStr;

use super::Bench;

/// Programs that run the program that follows in their arguments.
const WRAPPERS: [&str; 28] = [
    "ash",
    "bash",
    "busybox",
    "cgexec",
    "chrt",
    "dash",
    "doas",
    "env",
    "ionice",
    "ip",
    "ksh",
    "nice",
    "nohup",
    "nsenter",
    "numactl",
    "perf",
    "setarch",
    "setpriv",
    "setsid",
    "sh",
    "stdbuf",
    "strace",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "unshare",
];

/// The benchmark that `command` names: as its program or, behind a wrapper or in a shell's
/// script, as the first word that is a benchmark's. The options of wrappers are not told apart,
/// so an argument that happens to be the name of a benchmark is taken for it.
pub(super) fn named_by<W: AsRef<OsStr>>(command: &[W]) -> Option<Bench> {
    let command: Vec<_> = command
        .iter()
        .map(|word| word.as_ref().to_string_lossy())
        .collect();
    let wrapped = WRAPPERS.contains(&base(command.first()?));
    let words: Vec<&str> = command
        .iter()
        .enumerate()
        .flat_map(|(at, word)| {
            // The program's own path may have a space in it; a script's words end at one.
            let in_script = |c: char| c.is_whitespace() || ";&|(){}<>'\"`$".contains(c);
            word.split(move |c| at > 0 && in_script(c))
        })
        .filter(|word| !word.is_empty())
        .collect();
    let places = if wrapped { words.len() } else { 1 };
    (0..places).find_map(|at| runs(words.get(at..)?))
}

/// The benchmark whose program is the first of `words`.
fn runs(words: &[&str]) -> Option<Bench> {
    let (program, arguments) = words.split_first()?;
    Bench::all().find(|bench| {
        bench.reader().is_some_and(|reader| {
            reader.commands.iter().any(|command| {
                command.split_first().is_some_and(|(name, rest)| {
                    let mut arguments = arguments.iter();
                    base(program) == *name
                        && rest
                            .iter()
                            .all(|word| arguments.any(|argument| argument == word))
                })
            })
        })
    })
}

/// The file name of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let bench = |command: &[&str]| named_by(command);
        for (command, wanted) in [
            (&["hackbench", "-g", "1"][..], Some(Bench::Hackbench)),
            (&["/opt/my tools/hackbench"], Some(Bench::Hackbench)),
            (
                &["taskset", "-c", "0-3", "tbench", "8"],
                Some(Bench::Tbench),
            ),
            (&["dbench", "8"], Some(Bench::Tbench)),
            (
                &["/usr/bin/numactl", "-N", "0", "./schbench"],
                Some(Bench::Schbench),
            ),
            (
                &["chrt", "-b", "0", "sysbench", "cpu", "run"],
                Some(Bench::Sysbench),
            ),
            (&["nice", "-n", "5", "netperf"], Some(Bench::Netperf)),
            (
                &["env", "LANG=C", "stress-ng", "--cpu", "1"],
                Some(Bench::StressNg),
            ),
            (
                &["timeout", "9", "nice", "hackbench"],
                Some(Bench::Hackbench),
            ),
            (
                &["sh", "-c", "tbench_srv & tbench 8; kill $!"],
                Some(Bench::Tbench),
            ),
            (
                &["bash", "-c", "(cd x && ./hackbench)"],
                Some(Bench::Hackbench),
            ),
            (
                &[
                    "perf",
                    "bench",
                    "-f",
                    "simple",
                    "sched",
                    "messaging",
                    "-g",
                    "1",
                ],
                Some(Bench::PerfSchedMessaging),
            ),
            (
                &["sudo", "perf", "bench", "sched", "pipe"],
                Some(Bench::PerfSchedPipe),
            ),
            (
                &["perf", "stat", "-a", "--", "hackbench"],
                Some(Bench::Hackbench),
            ),
            (&["perf", "bench", "futex", "hash"], None),
            (&["perf", "bench", "sched", "all"], None),
            (&["./run.sh", "hackbench"], None),
            (&["hackbench.sh"], None),
            (&["sh", "-c", "cat hackbench.log"], None),
            (&["env", "LOG=hackbench", "make"], None),
            (&["sleep", "1"], None),
            (&[""], None),
            (&["sh"], None),
            (&[], None),
        ] {
            assert_eq!(bench(command), wanted, "{command:?}");
        }
    }
}
