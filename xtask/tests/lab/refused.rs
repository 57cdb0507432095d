//! What keeps sisprobe from measuring: each a message of its own, and an exit status.

use crate::guest;

/// Runs commands, each of which must end with its status and say its words.
fn all_refused(append: &str, cases: &[(&str, u8, &str)]) {
    let script: String = cases
        .iter()
        .map(|(command, status, _)| {
            format!(
                "echo '## {command}'; {command}; [ $? = {status} ] || echo 'STATUS NOT {status}'\n"
            )
        })
        .collect();
    let outcome = guest::run(&guest::lab("6.12").append(append), &script);
    for (command, status, words) in cases {
        let (_, said) = outcome
            .stdout
            .split_once(&format!("## {command}\n"))
            .unwrap_or_else(|| panic!("{command} did not run:\n{}", outcome.stdout));
        let said = said.split("## ").next().unwrap_or_default();
        assert!(
            said.contains(words),
            "{command} should say {words:?}:\n{said}"
        );
        assert!(
            !said.contains("STATUS NOT"),
            "{command} should end with {status}:\n{said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn by_the_user_or_the_machine() {
    all_refused(
        "",
        &[
            (
                "sisprobe --llc 0,7",
                2,
                "there is no LLC 7. This machine has LLC 0 (CPUs 0-7), LLC 1 (CPUs 8-15)",
            ),
            ("sisprobe --llc x", 2, "--llc"),
            ("sisprobe --interval 1ns", 2, "10ms or more"),
            (
                "sisprobe --fidelity exact",
                4,
                "select_idle_cpu is no symbol of this kernel",
            ),
            ("sisprobe --fidelity inlined", 4, "-dbg"),
            ("sisprobe --vmlinux /nowhere", 2, "--vmlinux /nowhere"),
            ("sisprobe --btf /proc/version", 2, "--btf /proc/version"),
            // Without capabilities, as the least of users.
            (
                "/usr/bin/setpriv --reuid=65534 --clear-groups --inh-caps=-all sisprobe --plain",
                3,
                "CAP_BPF and CAP_PERFMON",
            ),
            (
                "/usr/bin/setpriv --reuid=65534 --clear-groups --inh-caps=-all sisprobe doctor",
                3,
                "root would see",
            ),
        ],
    );
}

#[test]
fn by_lockdown() {
    all_refused(
        "lockdown=confidentiality",
        &[
            ("sisprobe", 3, "locked down"),
            ("sisprobe doctor", 3, "confidentiality"),
        ],
    );
}

/// Where fentry is planned and the kernel refuses it, kprobes are used, and that is said.
#[test]
fn by_a_crowded_function() {
    let lab = guest::lab("6.12").debuginfo(true);
    let outcome = guest::run(&lab, ". /with/guest.sh; . /with/crowded.sh");
    let said = |line: &str| outcome.stdout.lines().any(|l| l == line);
    assert!(said("fentry: status 5"), "{}", outcome.stdout);
    assert!(said("best: status 0"), "{}", outcome.stdout);
    let report = guest::total(&outcome, "report.json");
    assert_eq!(report["source"]["attach"], "kprobe");
    let warning = report["source"]["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("kprobes carry the programs"), "{warning}");
    assert!(warning.contains("fexit:select_task_rq_fair"), "{warning}");
}
