//! How `select_idle_core` calls are timed.

use super::*;
use crate::kernel::Answer;

const TIMING: &str = "timing of select_idle_core";

fn core_probes(plan: &Plan) -> Vec<String> {
    let mut probes = probes(plan);
    probes.retain(|probe| probe.starts_with("core_"));
    probes
}

#[test]
fn inlined_calls_are_stepped_through() {
    let plan = best(&with_copies(&kernel("6.1-2llc"), &INLINED_6_1));
    assert_eq!(plan.fidelity, Fidelity::Inlined);
    assert_eq!(plan.core_timing, Some(CoreTiming::Inlined));
    assert_eq!(
        core_probes(&plan),
        ["core_stepped_kprobe kprobe:select_task_rq_fair+0x8c5"]
    );
}

/// As the debug info of Debian's 6.1.192 has it: the entry is an instruction before the loop over
/// cores, passed once in every search, and the body begins at 2458.
#[test]
fn an_entry_moved_ahead_of_the_body_is_not_believed() {
    let mut facts = with_copies(&kernel("6.1-2llc"), &INLINED_6_1);
    let Answer::Found(inlined) = &mut facts.inlined else {
        panic!("copies were given");
    };
    let core = inlined.copies.iter_mut().find(|copy| copy.function == CORE);
    core.unwrap().ranges = vec![(2458, 2651), (2245, 2250), (2255, 2262), (2262, 2271)];
    let plan = best(&facts);
    assert_eq!((plan.fidelity, plan.core_timing), (Fidelity::Inlined, None));
    let why = &rejected(&plan, TIMING).why;
    assert_says(why, &["+0x8c5", "5 bytes", "ahead of the body"]);
}

#[test]
fn a_clone_is_entered_and_left() {
    let plan = best(&with_copies(&kernel("6.12-2llc"), &INLINED_6_12));
    assert_eq!(plan.core_timing, Some(CoreTiming::Exact));
    assert_eq!(
        core_probes(&plan),
        [
            "core_ended_kretprobe kretprobe:select_idle_core.constprop.0",
            "core_began_kprobe kprobe:select_idle_core.constprop.0"
        ]
    );
}

#[test]
fn inlined_into_a_search_of_its_own_they_are_stepped_through_there() {
    let machine = kernel("6.1-2llc");
    machine.add_symbols(&["select_idle_cpu.constprop.0"]);
    let copies = [(CORE, "select_idle_cpu.constprop.0", 0x99)];
    let plan = best(&with_copies(&machine, &copies));
    assert_eq!(plan.fidelity, Fidelity::Exact);
    assert_eq!(plan.core_timing, Some(CoreTiming::Inlined));
    assert_eq!(
        core_probes(&plan),
        ["core_stepped_kprobe kprobe:select_idle_cpu.constprop.0+0x99"]
    );
}

#[test]
fn only_a_part_of_the_calls_is_none() {
    for (symbols, copies, why) in [
        (
            &["select_idle_core.part.0"][..],
            &INLINED_6_12[..],
            "only a part",
        ),
        (&[CORE, CORE], &INLINED_6_12, "2 times"),
        (
            &[CORE],
            &INLINED_6_1,
            "select_task_rq_fair has a copy of select_idle_core inlined",
        ),
    ] {
        let machine = kernel("6.1-2llc");
        machine.add_symbols(symbols);
        let plan = best(&with_copies(&machine, copies));
        assert_eq!(plan.fidelity, Fidelity::Inlined);
        assert_eq!(plan.core_timing, None);
        assert!(core_probes(&plan).is_empty());
        assert_says(&rejected(&plan, TIMING).why, &[why]);
    }
}

#[test]
fn unknown_calls_are_told_with_the_remedy() {
    let machine = kernel("6.1-2llc");
    machine.add_symbols(&[SEARCH]);
    let plan = best(&machine.facts());
    assert_eq!((plan.fidelity, plan.core_timing), (Fidelity::Exact, None));
    let no = rejected(&plan, TIMING);
    assert_says(&no.why, &["no symbol", "no debug info"]);
    assert_says(no.remedy.as_deref().unwrap(), &["apt install"]);
}

#[test]
fn a_wakeup_that_is_bracketed_times_none() {
    let plan = best(&kernel("6.12-2llc").facts());
    assert_eq!(plan.core_timing, None);
    assert!(plan.rejected.iter().all(|no| no.what != TIMING));
}
