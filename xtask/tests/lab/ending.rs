//! However sisprobe ends, nothing of it stays in the kernel, and a stop in order tells the total.

use crate::guest;

/// Counts what is attached: kernel probes, and BPF programs by the loader's name in bpf(2).
const SCRIPT: &str = "
. /with/guest.sh
kprobes() { wc -l < /sys/kernel/debug/kprobes/list; }
for signal in INT TERM KILL; do
    sisprobe --plain --interval 200ms > /tmp/$signal &
    pid=$!
    await /tmp/$signal '^---'
    [ $(kprobes) -gt 0 ] || exit 10
    kill -$signal $pid
    ended $pid
    echo \"$signal: status $?\"
    sleep 1
    echo \"$signal: $(kprobes) kprobes left\"
    grep -c '=== everything since the start' /tmp/$signal | sed \"s/^/$signal: summaries /\"
done
# A reader that goes away ends it too.
sisprobe --plain --interval 100ms --attach kprobe | head -n 1
echo \"pipe: $(kprobes) kprobes left\"
";

#[test]
fn nothing_stays_behind() {
    let lab = guest::lab("6.12").debuginfo(true);
    let outcome = guest::run(&lab, SCRIPT);
    for line in [
        "INT: status 0",
        "INT: 0 kprobes left",
        "INT: summaries 1",
        "TERM: status 0",
        "TERM: 0 kprobes left",
        "TERM: summaries 1",
        "KILL: status 137",
        "KILL: 0 kprobes left",
        "pipe: 0 kprobes left",
    ] {
        assert!(
            outcome.stdout.lines().any(|l| l == line),
            "{line}:\n{}",
            outcome.stdout
        );
    }
}
