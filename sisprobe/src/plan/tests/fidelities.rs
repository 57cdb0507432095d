//! How closely the search can be enclosed.

use super::*;
use crate::kernel::fixture::btf::{FUNCTIONS, MEMBERS, btf};

const SEARCH_PARAMETERS: [&str; 4] = ["p", "sd", "has_idle_core", "target"];

#[test]
fn without_debug_info_the_whole_wakeup_is_measured_and_the_package_named() {
    for (name, package) in [
        (
            "6.1-2llc",
            "apt install linux-image-6.1.0-57-cloud-amd64-dbg",
        ),
        (
            "6.12-2llc",
            "apt install linux-image-6.12.117+deb12-cloud-amd64-dbg",
        ),
    ] {
        let plan = best(&kernel(name).facts());
        assert_eq!(plan.fidelity, Fidelity::Bracketed);
        assert_eq!(plan.attach, AttachMethod::Fentry);
        assert_eq!((plan.core_timing, plan.inlined_from.as_ref()), (None, None));
        assert_eq!(
            probes(&plan),
            [
                "left_fexit fexit:select_task_rq_fair",
                "looked_fexit fexit:available_idle_cpu",
                "entered_fentry fentry:select_task_rq_fair",
            ]
        );
        let whats: Vec<_> = plan.rejected.iter().map(|no| no.what.as_str()).collect();
        assert_eq!(whats, ["fidelity exact", "fidelity inlined"]);
        assert_says(&plan.rejected[0].why, &["select_idle_cpu is no symbol"]);
        let remedy = plan.rejected[1].remedy.as_deref().unwrap();
        assert_says(remedy, &[package, "sisprobe profile make"]);
    }
}

#[test]
fn a_kernel_of_no_known_distribution_has_no_package() {
    let machine = kernel("6.12-2llc");
    machine.write("/proc/version", b"Linux version 6.12.0 (me@home) (gcc)\n");
    let plan = best(&machine.facts());
    let remedy = rejected(&plan, "fidelity inlined").remedy.as_deref();
    assert_says(remedy.unwrap(), &["install the kernel's debug info, or"]);
}

#[test]
fn with_debug_info_the_inlined_search_is_entered_by_kprobe() {
    let facts = with_copies(&kernel("6.12-2llc"), &INLINED_6_12);
    let plan = best(&facts);
    assert_eq!(plan.fidelity, Fidelity::Inlined);
    assert_eq!(plan.attach, AttachMethod::Fentry);
    assert_eq!(
        plan.inlined_from.as_deref(),
        Some("debug info /usr/lib/debug/vmlinux")
    );
    assert_eq!(
        probes(&plan),
        [
            "left_fexit fexit:select_task_rq_fair",
            "looked_fexit fexit:available_idle_cpu",
            "core_ended_kretprobe kretprobe:select_idle_core.constprop.0",
            "core_began_kprobe kprobe:select_idle_core.constprop.0",
            "search_began_kprobe kprobe:select_task_rq_fair+0x545",
            "entered_fentry fentry:select_task_rq_fair",
        ]
    );
    let whats: Vec<_> = plan.rejected.iter().map(|no| no.what.as_str()).collect();
    assert_eq!(whats, ["fidelity exact"]);
}

#[test]
fn every_copy_is_entered_wherever_in_the_wakeup_it_is() {
    let machine = kernel("6.1-2llc");
    machine.add_symbols(&["select_task_rq_fair.cold", "select_idle_sibling"]);
    let copies = [
        (SEARCH, "select_idle_sibling", 0x40),
        (SEARCH, "select_task_rq_fair", 0x7e9),
        (SEARCH, "select_task_rq_fair.cold", 0x5),
        (SEARCH, "some_other_function", 0x11),
    ];
    let plan = best(&with_copies(&machine, &copies));
    assert_eq!(plan.fidelity, Fidelity::Inlined);
    let began: Vec<_> = probes(&plan)
        .into_iter()
        .filter_map(|probe| Some(probe.strip_prefix("search_began_kprobe ")?.to_owned()))
        .collect();
    assert_eq!(
        began,
        [
            "kprobe:select_idle_sibling+0x40",
            "kprobe:select_task_rq_fair+0x7e9",
            "kprobe:select_task_rq_fair.cold+0x5",
        ]
    );
}

#[test]
fn debug_info_that_cannot_be_used_is_rejected() {
    let machine = kernel("6.12-2llc");
    let why = |copies: &[_]| {
        let plan = best(&with_copies(&machine, copies));
        assert_eq!(plan.fidelity, Fidelity::Bracketed);
        rejected(&plan, "fidelity inlined").why.clone()
    };
    assert_says(&why(&[]), &["debug info", "has no copy of select_idle_cpu"]);
    let elsewhere = [(SEARCH, "some_other_function", 1)];
    assert_says(&why(&elsewhere), &["has no copy of select_idle_cpu"]);
    let unknown = [(SEARCH, "select_task_rq_fair.cold", 1)];
    assert_says(&why(&unknown), &["select_task_rq_fair.cold 0 times"]);
}

#[test]
fn without_kprobes_debug_info_is_not_asked_for() {
    let machine = kernel("6.12-2llc");
    machine.remove("/sys/bus/event_source/devices/kprobe");
    for facts in [machine.facts(), with_copies(&machine, &INLINED_6_12)] {
        let plan = best(&facts);
        assert_eq!(plan.fidelity, Fidelity::Bracketed);
        assert_eq!(plan.attach, AttachMethod::Fentry);
        let no = rejected(&plan, "fidelity inlined");
        assert_says(&no.why, &["only a kprobe", "CONFIG_KPROBE_EVENTS"]);
        assert_eq!(no.remedy, None);
    }
}

/// A kernel with the search out of line, and `parameters` in BTF if there are any.
fn out_of_line(symbols: &[&str], parameters: Option<&[&str]>) -> Machine {
    let machine = kernel("6.12-2llc");
    machine.add_symbols(symbols);
    let search = parameters.map(|parameters| (SEARCH, parameters));
    machine.set_btf(&btf(FUNCTIONS.into_iter().chain(search), &MEMBERS));
    machine
}

fn search_probes(plan: &Plan) -> Vec<String> {
    let mut probes = probes(plan);
    probes.retain(|probe| probe.starts_with("search_"));
    probes
}

#[test]
fn out_of_line_and_in_btf_the_search_takes_fentry() {
    let machine = out_of_line(&[SEARCH], Some(&SEARCH_PARAMETERS));
    // What the capture lists is that kernel's; this one could trace it.
    machine.remove("/sys/kernel/tracing/available_filter_functions");
    let plan = best(&machine.facts());
    assert_eq!(plan.fidelity, Fidelity::Exact);
    assert!(plan.rejected.is_empty(), "{:?}", plan.rejected);
    assert_eq!(
        search_probes(&plan),
        [
            "search_ended_fexit fexit:select_idle_cpu",
            "search_began_fentry fentry:select_idle_cpu"
        ]
    );
    let plan = with_attach(&machine.facts(), AttachMethod::Kprobe).unwrap();
    assert_eq!(
        search_probes(&plan),
        [
            "search_ended_kretprobe kretprobe:select_idle_cpu",
            "search_began_kprobe kprobe:select_idle_cpu"
        ]
    );
}

#[test]
fn a_search_that_fentry_does_not_fit_takes_kprobes() {
    let clone = "select_idle_cpu.constprop.0";
    for (symbol, parameters) in [
        // Not in BTF; in BTF with other parameters; of another name than in BTF.
        (SEARCH, None),
        (SEARCH, Some(&SEARCH_PARAMETERS[..3])),
        (clone, None),
        (clone, Some(&SEARCH_PARAMETERS[..])),
    ] {
        let machine = out_of_line(&[symbol], parameters);
        machine.remove("/sys/kernel/tracing/available_filter_functions");
        let plan = best(&machine.facts());
        assert_eq!(plan.fidelity, Fidelity::Exact);
        assert_eq!(plan.attach, AttachMethod::Fentry);
        assert_eq!(
            search_probes(&plan),
            [
                format!("search_ended_kretprobe kretprobe:{symbol}"),
                format!("search_began_kprobe kprobe:{symbol}")
            ]
        );
    }
    // In BTF, but ftrace does not list it.
    let plan = best(&out_of_line(&[SEARCH], Some(&SEARCH_PARAMETERS)).facts());
    assert!(search_probes(&plan)[1].ends_with("kprobe:select_idle_cpu"));
}

#[test]
fn every_clone_is_probed() {
    let machine = out_of_line(&[SEARCH, "select_idle_cpu.isra.0"], None);
    assert_eq!(
        search_probes(&best(&machine.facts())),
        [
            "search_ended_kretprobe kretprobe:select_idle_cpu",
            "search_ended_kretprobe kretprobe:select_idle_cpu.isra.0",
            "search_began_kprobe kprobe:select_idle_cpu",
            "search_began_kprobe kprobe:select_idle_cpu.isra.0",
        ]
    );
}

#[test]
fn a_search_of_which_a_symbol_shows_only_some_is_not_exact() {
    for (symbols, copies, why) in [
        (
            &["select_idle_cpu.part.0"][..],
            &[][..],
            "select_idle_cpu.part.0 is only a part",
        ),
        (&[SEARCH, SEARCH], &[], "has select_idle_cpu 2 times"),
        (
            &[SEARCH],
            &INLINED_6_12,
            "select_task_rq_fair has a copy of it inlined",
        ),
    ] {
        let machine = out_of_line(symbols, None);
        let plan = best(&with_copies(&machine, copies));
        assert_ne!(plan.fidelity, Fidelity::Exact);
        assert_says(&rejected(&plan, "fidelity exact").why, &[why]);
    }
}

#[test]
fn an_out_of_line_search_with_neither_way_in_is_bracketed() {
    let machine = out_of_line(&["select_idle_cpu.isra.0"], None);
    machine.remove("/sys/bus/event_source/devices/kprobe");
    let plan = best(&machine.facts());
    assert_eq!(plan.fidelity, Fidelity::Bracketed);
    assert_says(
        &rejected(&plan, "fidelity exact").why,
        &["select_idle_cpu.isra.0 can take kprobes only"],
    );
}

#[test]
fn a_fidelity_that_was_asked_for_is_given_or_refused() {
    let machine = kernel("6.12-2llc");
    let facts = machine.facts();
    let bracketed = with_fidelity(&facts, Fidelity::Bracketed).unwrap();
    assert!(bracketed.rejected.is_empty());
    for (fidelity, words) in [
        (
            Fidelity::Exact,
            ["--fidelity exact", "no symbol", "noinline"],
        ),
        (
            Fidelity::Inlined,
            ["--fidelity inlined", "no debug info", "apt install"],
        ),
    ] {
        let error = with_fidelity(&facts, fidelity).unwrap_err();
        assert!(matches!(error, PlanError::Request { .. }), "{error:?}");
        assert_says(&error.to_string(), &words);
    }

    // A lesser one than there is.
    let facts = with_copies(&machine, &INLINED_6_12);
    let plan = with_fidelity(&facts, Fidelity::Bracketed).unwrap();
    assert_eq!(plan.fidelity, Fidelity::Bracketed);
    assert_eq!(plan.probes.len(), 3);
}

#[test]
fn the_functions_of_every_wakeup_are_needed() {
    for function in [WAKEUP, LOOK] {
        let machine = kernel("6.12-2llc");
        machine.remove_symbol(function);
        let refused = || {
            let error = choose(&machine.facts(), Request::default()).unwrap_err();
            assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
            error.to_string()
        };
        assert_says(&refused(), &[function, "has neither"]);
        machine.add_symbols(&[&format!("{function}.isra.0")]);
        assert_says(&refused(), &[".isra.0 only", "doctor"]);
        machine.add_symbols(&[function, function]);
        assert_says(&refused(), &[function, "has it 2 times"]);
    }
}

#[test]
fn symbols_that_are_not_there_and_not_shown_are_told_apart() {
    let machine = kernel("6.12-2llc");
    machine.write("/proc/kallsyms", b"");
    let error = choose(&machine.facts(), Request::default()).unwrap_err();
    assert!(matches!(error, PlanError::Hidden { .. }), "{error:?}");
    machine.remove("/proc/kallsyms");
    let error = choose(&machine.facts(), Request::default()).unwrap_err();
    assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
    assert_says(&error.to_string(), &["CONFIG_KALLSYMS"]);
}
