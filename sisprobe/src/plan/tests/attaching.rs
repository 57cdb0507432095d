//! Which attach points carry the programs.

use super::*;
use crate::kernel::fixture::btf::{MEMBERS, btf};

const BLACKLIST: &str = "/sys/kernel/debug/kprobes/blacklist";
const TRACEABLE: &str = "/sys/kernel/tracing/available_filter_functions";

/// The best plan must be made of kprobes, for this reason.
fn assert_kprobe(machine: &Machine, why: &str) {
    let facts = machine.facts();
    let plan = best(&facts);
    assert_eq!(plan.attach, AttachMethod::Kprobe);
    assert_says(&rejected(&plan, "attach fentry").why, &[why]);
    let error = with_attach(&facts, AttachMethod::Fentry).unwrap_err();
    assert!(matches!(error, PlanError::Request { .. }), "{error:?}");
    assert_says(&error.to_string(), &["--attach fentry", why]);
}

#[test]
fn kprobes_can_be_asked_for() {
    let facts = with_copies(&kernel("6.12-2llc"), &INLINED_6_12);
    let plan = with_attach(&facts, AttachMethod::Kprobe).unwrap();
    assert_eq!(
        (plan.attach, plan.fidelity),
        (AttachMethod::Kprobe, Fidelity::Inlined)
    );
    assert_eq!(
        probes(&plan),
        [
            "left_kretprobe kretprobe:select_task_rq_fair",
            "looked_kretprobe kretprobe:available_idle_cpu",
            "core_ended_kretprobe kretprobe:select_idle_core.constprop.0",
            "core_began_kprobe kprobe:select_idle_core.constprop.0",
            "search_began_kprobe kprobe:select_task_rq_fair+0x545",
            "entered_kprobe kprobe:select_task_rq_fair",
        ]
    );
    let plan = with_attach(&facts, AttachMethod::Fentry).unwrap();
    assert_eq!(plan.attach, AttachMethod::Fentry);
}

#[test]
fn without_btf_there_is_no_fentry() {
    let machine = kernel("6.12-2llc");
    machine.remove("/sys/kernel/btf");
    assert_kprobe(&machine, "CONFIG_DEBUG_INFO_BTF");
}

#[test]
fn btf_must_have_the_functions_as_the_programs_know_them() {
    let machine = kernel("6.12-2llc");
    let wakeup: (&str, &[&str]) = (WAKEUP, &["p", "prev_cpu", "wake_flags"]);
    let look: (&str, &[&str]) = (LOOK, &["cpu"]);
    let older: (&str, &[&str]) = (WAKEUP, &["p", "prev_cpu", "sd_flag", "wake_flags"]);
    for (functions, why) in [
        (vec![wakeup], "available_idle_cpu is not among"),
        (vec![look], "select_task_rq_fair is not among"),
        (
            vec![older, look],
            "takes (p, prev_cpu, sd_flag, wake_flags)",
        ),
    ] {
        machine.set_btf(&btf(functions, &MEMBERS));
        assert_kprobe(&machine, why);
    }
}

#[test]
fn a_kernel_that_cannot_trace_functions_has_no_fentry() {
    let machine = kernel("6.12-2llc");
    machine.write(
        "/boot/config-6.12.117+deb12-cloud-amd64",
        b"CONFIG_BPF_SYSCALL=y\nCONFIG_BPF_JIT=y\nCONFIG_DEBUG_INFO_BTF=y\n",
    );
    assert_kprobe(&machine, "without CONFIG_FUNCTION_TRACER");
}

#[test]
fn a_function_that_ftrace_does_not_list_has_no_fentry() {
    let machine = kernel("6.12-2llc");
    machine.write(TRACEABLE, b"select_task_rq_fair\n");
    assert_kprobe(&machine, "available_idle_cpu is not among ftrace's");
    // Where nothing tells, the kernel will.
    machine.remove(TRACEABLE);
    assert_eq!(best(&machine.facts()).attach, AttachMethod::Fentry);
}

/// Kprobes that were asked for must be refused, for this reason.
fn assert_no_kprobe(machine: &Machine, why: &str) {
    let facts = with_copies(machine, &INLINED_6_12);
    let error = with_attach(&facts, AttachMethod::Kprobe).unwrap_err();
    assert!(matches!(error, PlanError::Request { .. }), "{error:?}");
    assert_says(&error.to_string(), &["--attach kprobe", why]);
    assert_eq!(best(&facts).attach, AttachMethod::Fentry);
}

#[test]
fn a_kernel_without_kprobes_takes_fentry_only() {
    let machine = kernel("6.12-2llc");
    machine.remove("/sys/bus/event_source/devices/kprobe");
    assert_no_kprobe(&machine, "CONFIG_KPROBE_EVENTS");
}

/// They can be attached and never fire.
#[test]
fn kprobes_that_are_switched_off_are_not_used() {
    let machine = kernel("6.12-2llc");
    machine.write("/sys/kernel/debug/kprobes/enabled", b"0\n");
    assert_no_kprobe(&machine, "switched off");
    let plan = best(&with_copies(&machine, &INLINED_6_12));
    assert_eq!(plan.fidelity, Fidelity::Bracketed);
}

#[test]
fn functions_that_kprobes_are_forbidden_on_get_none() {
    let machine = kernel("6.12-2llc");
    machine.write(BLACKLIST, b"0x1-0x2\tavailable_idle_cpu\n");
    assert_no_kprobe(&machine, "forbids kprobes on available_idle_cpu");
    // The search can be entered all the same.
    let facts = with_copies(&machine, &INLINED_6_12);
    assert_eq!(best(&facts).fidelity, Fidelity::Inlined);

    machine.write(BLACKLIST, b"0x1-0x2\tselect_task_rq_fair\n");
    let plan = best(&with_copies(&machine, &INLINED_6_12));
    assert_eq!(plan.fidelity, Fidelity::Bracketed);

    machine.write(BLACKLIST, b"0x1-0x2\tselect_idle_core.constprop.0\n");
    let plan = best(&with_copies(&machine, &INLINED_6_12));
    assert_eq!((plan.fidelity, plan.core_timing), (Fidelity::Inlined, None));
}

#[test]
fn with_neither_way_both_reasons_are_told() {
    let machine = kernel("6.12-2llc");
    machine.remove("/sys/kernel/btf");
    machine.remove("/sys/bus/event_source/devices/kprobe");
    let error = choose(&machine.facts(), Request::default()).unwrap_err();
    assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
    assert_says(
        &error.to_string(),
        &["CONFIG_DEBUG_INFO_BTF", "CONFIG_KPROBE_EVENTS"],
    );
}
