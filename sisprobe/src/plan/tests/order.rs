//! What ends a wake-up is attached before what begins it, so that a wake-up that is seen to begin
//! is seen to end.

use super::*;

fn assert_order(plan: &Plan) {
    let places = |prefix: &str| -> Vec<usize> {
        let programs = plan.probes.iter().enumerate();
        programs
            .filter(|(_, probe)| probe.program.starts_with(prefix))
            .map(|(place, _)| place)
            .collect()
    };
    let entered = places("entered_");
    assert_eq!(entered, [plan.probes.len() - 1], "{:?}", probes(plan));
    assert_eq!(places("left_").len(), 1);
    assert_eq!(places("looked_").len(), 1);
    for (ends, begins) in [
        ("search_ended_", "search_began_"),
        ("core_ended_", "core_began_"),
    ] {
        if let (Some(last_end), Some(first_begin)) = (places(ends).last(), places(begins).first()) {
            assert!(last_end < first_begin, "{:?}", probes(plan));
        }
    }
}

#[test]
fn returns_before_entries_and_the_wakeups_entry_last() {
    let mut plans = 0;
    for symbols in [
        &[][..],
        &[SEARCH, CORE],
        &["select_idle_cpu.isra.0", "select_idle_cpu.constprop.0"],
    ] {
        for copies in [&[][..], &INLINED_6_12, &INLINED_6_1] {
            for attach in [AttachMethod::Fentry, AttachMethod::Kprobe] {
                let machine = kernel("6.1-2llc");
                machine.add_symbols(symbols);
                let plan = with_attach(&with_copies(&machine, copies), attach).unwrap();
                assert_order(&plan);
                plans += plan.probes.len();
            }
        }
    }
    assert!(plans > 60, "some plans lack probes: {plans} in all");
}
