//! What forbids to measure, known before it is tried.

use super::*;

const SCHED_EXT: &str = "/sys/kernel/sched_ext";

fn refusal(machine: &Machine) -> Option<PlanError> {
    permitted(&machine.facts()).err()
}

#[test]
fn root_may() {
    for name in ["6.1-2llc", "6.12-2llc"] {
        assert_eq!(refusal(&kernel(name)), None);
    }
}

#[test]
fn what_is_missing_is_named() {
    const SYS_ADMIN: u64 = 1 << 21;
    const PERFMON: u64 = 1 << 38;
    const BPF: u64 = 1 << 39;
    let machine = kernel("6.12-2llc");
    let with = |bits: u64| {
        let status = format!("Uid:\t1\t1\t1\t1\nCapEff:\t{bits:016x}\n");
        machine.write("/proc/self/status", status.as_bytes());
        refusal(&machine).map(|error| {
            assert!(matches!(error, PlanError::NotPermitted(_)), "{error:?}");
            error.to_string()
        })
    };
    assert_says(&with(0).unwrap(), &["needs CAP_BPF and CAP_PERFMON, which"]);
    assert_says(&with(BPF).unwrap(), &["needs CAP_PERFMON, which", "setcap"]);
    assert_says(&with(PERFMON).unwrap(), &["needs CAP_BPF, which"]);
    assert_eq!(with(BPF | PERFMON), None);
    assert_eq!(with(SYS_ADMIN), None);
}

#[test]
fn lockdown_forbids_where_it_hides_memory() {
    let error = refusal(&kernel("6.12-lockdown")).unwrap();
    assert!(matches!(error, PlanError::NotPermitted(_)), "{error:?}");
    assert_says(&error.to_string(), &["locked down", "lockdown=integrity"]);
    let machine = kernel("6.12-2llc");
    machine.write(
        "/sys/kernel/security/lockdown",
        b"none [integrity] confidentiality\n",
    );
    assert_eq!(refusal(&machine), None);
}

#[test]
fn a_scheduler_that_has_all_tasks_leaves_nothing_to_see() {
    let machine = kernel("6.12-2llc");
    let with = |state: &str, switch_all: &str| {
        machine.write(&format!("{SCHED_EXT}/state"), state.as_bytes());
        machine.write(&format!("{SCHED_EXT}/switch_all"), switch_all.as_bytes());
        machine.write(&format!("{SCHED_EXT}/root/ops"), b"central\n");
        refusal(&machine)
    };
    let error = with("enabled\n", "1\n").unwrap();
    assert!(matches!(error, PlanError::Bypassed { .. }), "{error:?}");
    assert_says(
        &error.to_string(),
        &["central is enabled", "select_task_rq_fair", "Unload"],
    );
    assert!(with("enabling\n", "1\n").is_some());
    assert_eq!(with("enabled\n", "0\n"), None);
    assert_eq!(with("disabled\n", "1\n"), None);
}
