//! The best fidelity that this kernel allows.

use super::{
    AttachMethod, CORE, CoreTiming, Fidelity, INLINED, LOOK, Plan, PlanError, Probe, ProbeKind,
    Rejected, Request, SEARCH, WAKEUP,
    attach::{method, untraceable, why_not_kprobe, wrong_params},
};
use crate::kernel::{Answer, Facts, InlineSource, InlinedCopy, Symbol};

/// Parameters of `select_idle_cpu` since 5.12, and how many of them fexit's program passes over.
const SEARCH_PARAMS: usize = 4;

/// Functions of a wake-up that the compiler may inline [`SEARCH`] into (kernel/sched/fair.c).
const SEARCH_HOSTS: [&str; 2] = [WAKEUP, "select_idle_sibling"];
/// Functions of a wake-up that the compiler may inline [`CORE`] into.
const CORE_HOSTS: [&str; 3] = [WAKEUP, "select_idle_sibling", SEARCH];

/// The best plan that `facts` allow within `request`.
///
/// # Errors
///
/// Nothing can be attached, the functions cannot be found, or the request cannot be met.
pub fn choose(facts: &Facts, request: Request) -> Result<Plan, PlanError> {
    for function in [WAKEUP, LOOK] {
        needs_one(facts, function)?;
    }
    let (attach, not_better) = method(facts, request)?;
    let mut rejected = Vec::from_iter(not_better);
    let search = best_search(facts, request, attach, &mut rejected)?;
    let (core_timing, core) = if search.fidelity == Fidelity::Bracketed {
        (None, Vec::new())
    } else {
        core_timing(facts, &mut rejected)
    };

    let mut probes = Vec::new();
    let (entered, left, looked) = match attach {
        AttachMethod::Fentry => (
            probe("entered_fentry", ProbeKind::Fentry, WAKEUP),
            probe("left_fexit", ProbeKind::Fexit, WAKEUP),
            probe("looked_fexit", ProbeKind::Fexit, LOOK),
        ),
        AttachMethod::Kprobe => (
            probe("entered_kprobe", ProbeKind::Kprobe, WAKEUP),
            probe("left_kretprobe", ProbeKind::Kretprobe, WAKEUP),
            probe("looked_kretprobe", ProbeKind::Kretprobe, LOOK),
        ),
    };
    probes.extend([left, looked]);
    probes.extend(core);
    probes.extend(search.probes);
    probes.push(entered);
    Ok(Plan {
        fidelity: search.fidelity,
        attach,
        probes,
        core_timing,
        inlined_from: search.inlined_from,
        rejected,
    })
}

fn probe(program: &'static str, kind: ProbeKind, symbol: &str) -> Probe {
    Probe {
        program,
        kind,
        symbol: symbol.into(),
        offset: 0,
    }
}

/// The function must be a symbol, and one only.
fn needs_one(facts: &Facts, function: &str) -> Result<(), PlanError> {
    let what = format!("the kernel function {function}");
    let symbols = match &facts.symbols {
        Answer::Found(symbols) => symbols,
        Answer::Absent(why) => {
            return Err(PlanError::Missing {
                what,
                why: why.clone(),
                remedy: "A kernel with CONFIG_KALLSYMS shows its symbols".into(),
            });
        }
        Answer::Unknown(why) => {
            return Err(PlanError::Hidden {
                what,
                why: why.clone(),
                remedy: "Run as root".into(),
            });
        }
    };
    let copies = symbols.named(function).len();
    if copies == 1 {
        return Ok(());
    }
    let variants = names(&symbols.variants(function));
    Err(PlanError::Missing {
        what,
        why: if copies == 0 && variants.is_empty() {
            format!("/proc/kallsyms has neither {function} nor a suffixed variant of it")
        } else if copies == 0 {
            format!("/proc/kallsyms has {variants} only, whose arguments may differ")
        } else {
            format!("/proc/kallsyms has it {copies} times")
        },
        remedy: "Run 'sisprobe doctor' and report its output".into(),
    })
}

/// Probes that tell when the search begins and, with fidelity `exact`, ends.
struct Search {
    fidelity: Fidelity,
    probes: Vec<Probe>,
    inlined_from: Option<String>,
}

fn best_search(
    facts: &Facts,
    request: Request,
    attach: AttachMethod,
    rejected: &mut Vec<Rejected>,
) -> Result<Search, PlanError> {
    let wanted = |fidelity| request.fidelity.is_none_or(|wanted| wanted == fidelity);
    let found = [
        (Fidelity::Exact, exact(facts, attach)),
        (Fidelity::Inlined, inlined(facts)),
        (
            Fidelity::Bracketed,
            Ok(Search {
                fidelity: Fidelity::Bracketed,
                probes: Vec::new(),
                inlined_from: None,
            }),
        ),
    ];
    for (fidelity, search) in found {
        if !wanted(fidelity) {
            continue;
        }
        match search {
            Ok(search) => return Ok(search),
            Err(no) if request.fidelity.is_some() => {
                return Err(PlanError::Request {
                    option: "fidelity",
                    value: fidelity.to_string(),
                    why: no.why,
                    remedy: no
                        .remedy
                        .unwrap_or_else(|| "Leave --fidelity away for the best there is".into()),
                });
            }
            Err(no) => rejected.push(no),
        }
    }
    unreachable!("bracketed is always possible, and every request names a fidelity or none")
}

/// `select_idle_cpu` as a symbol of its own.
fn exact(facts: &Facts, attach: AttachMethod) -> Result<Search, Rejected> {
    let no = |why: String, remedy: Option<&str>| Rejected {
        what: "fidelity exact".into(),
        why,
        remedy: remedy.map(Into::into),
    };
    let variants = variants(facts, SEARCH);
    if variants.is_empty() {
        return Err(no(
            format!("{SEARCH} is no symbol of this kernel: the compiler inlined it"),
            Some("a kernel built with noinline before it in kernel/sched/fair.c has it"),
        ));
    }
    if let Some(bad) = unusable(&variants) {
        return Err(no(bad, None));
    }
    if let Some(copy) = inlined_copies(facts, SEARCH, &SEARCH_HOSTS).next() {
        return Err(no(
            format!(
                "{SEARCH} is a symbol, but {} has a copy of it inlined",
                copy.host
            ),
            None,
        ));
    }
    let plain = variants.len() == 1 && variants[0].name == SEARCH;
    let takes_fentry = facts
        .btf
        .found()
        .is_some_and(|btf| wrong_params(btf, SEARCH, SEARCH_PARAMS).is_none())
        && untraceable(facts, SEARCH).is_none();
    let probes = if attach == AttachMethod::Fentry && plain && takes_fentry {
        vec![
            probe("search_ended_fexit", ProbeKind::Fexit, SEARCH),
            probe("search_began_fentry", ProbeKind::Fentry, SEARCH),
        ]
    } else if let Some(why) = why_not_kprobe(facts, variants.iter().map(|s| s.name.as_str())) {
        return Err(no(
            format!("{} can take kprobes only, and: {why}", names(&variants)),
            None,
        ));
    } else {
        pairs("search_began_kprobe", "search_ended_kretprobe", &variants)
    };
    Ok(Search {
        fidelity: Fidelity::Exact,
        probes,
        inlined_from: None,
    })
}

/// The places where debug info or a profile says that `select_idle_cpu` is inlined.
fn inlined(facts: &Facts) -> Result<Search, Rejected> {
    let no = |why: String, remedy: Option<String>| Rejected {
        what: INLINED.into(),
        why,
        remedy,
    };
    // First, for where there are no kprobes debug info would not help.
    let only_kprobe = |why| format!("only a kprobe can enter inlined code, and: {why}");
    if let Some(why) = why_not_kprobe(facts, [WAKEUP]) {
        return Err(no(only_kprobe(why), None));
    }
    let known = match &facts.inlined {
        Answer::Found(known) => known,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return Err(no(why.clone(), Some(debuginfo_remedy(facts))));
        }
    };
    let copies: Vec<_> = inlined_copies(facts, SEARCH, &SEARCH_HOSTS).collect();
    if let Some(why) = unusable_hosts(facts, &copies) {
        return Err(no(only_kprobe(why), None));
    }
    let probes: Vec<_> = copies
        .iter()
        .map(|copy| at("search_began_kprobe", copy))
        .collect();
    let from = match &known.source {
        InlineSource::Debuginfo(path) => format!("debug info {}", path.display()),
        InlineSource::Profile(path) => format!("profile {}", path.display()),
    };
    if probes.is_empty() {
        return Err(no(
            format!("{from} has no copy of {SEARCH} inlined into {WAKEUP}"),
            None,
        ));
    }
    Ok(Search {
        fidelity: Fidelity::Inlined,
        probes,
        inlined_from: Some(from),
    })
}

/// What makes the inlined search visible.
fn debuginfo_remedy(facts: &Facts) -> String {
    let install = facts.debuginfo_command.as_ref().map_or_else(
        || "install the kernel's debug info".to_owned(),
        |command| format!("install the kernel's debug info with '{command}'"),
    );
    format!(
        "{install}, or run 'sisprobe profile make --vmlinux FILE' on a machine that has it and \
         bring the profile here"
    )
}

/// How `select_idle_core` calls can be timed, and by which probes.
fn core_timing(facts: &Facts, rejected: &mut Vec<Rejected>) -> (Option<CoreTiming>, Vec<Probe>) {
    let mut no = |why: String, remedy: Option<String>| {
        rejected.push(Rejected {
            what: "timing of select_idle_core".into(),
            why,
            remedy,
        });
        (None, Vec::new())
    };
    if let Some(why) = facts.tracing.kprobes.why_not() {
        return no(why.into(), None);
    }
    let variants = variants(facts, CORE);
    let copies: Vec<_> = inlined_copies(facts, CORE, &CORE_HOSTS).collect();
    if let ([_, ..], [copy, ..]) = (variants.as_slice(), copies.as_slice()) {
        let why = format!(
            "{} is a symbol, but {} has a copy of {CORE} inlined",
            names(&variants),
            copy.host
        );
        return no(why, None);
    }
    if !variants.is_empty() {
        let forbidden = || why_not_kprobe(facts, variants.iter().map(|s| s.name.as_str()));
        return match unusable(&variants).or_else(forbidden) {
            Some(bad) => no(bad, None),
            None => (
                Some(CoreTiming::Exact),
                pairs("core_began_kprobe", "core_ended_kretprobe", &variants),
            ),
        };
    }
    if let Some(why) = unusable_hosts(facts, &copies) {
        return no(why, None);
    }
    let probes: Vec<_> = copies
        .iter()
        .map(|copy| at("core_stepped_kprobe", copy))
        .collect();
    if probes.is_empty() {
        return no(
            format!("{CORE} is no symbol, and no debug info tells where it is inlined"),
            Some(debuginfo_remedy(facts)),
        );
    }
    (Some(CoreTiming::Inlined), probes)
}

fn variants(facts: &Facts, function: &str) -> Vec<Symbol> {
    facts
        .symbols
        .found()
        .map(|symbols| symbols.variants(function))
        .unwrap_or_default()
}

/// Why probes on these symbols would not see the whole function, if so.
fn unusable(variants: &[Symbol]) -> Option<String> {
    variants.iter().find_map(|symbol| {
        if symbol.is_partial() {
            Some(format!("{} is only a part of the function", symbol.name))
        } else if symbol.copies > 1 {
            Some(format!(
                "/proc/kallsyms has {} {} times",
                symbol.name, symbol.copies
            ))
        } else {
            None
        }
    })
}

/// The copies of `function` in `hosts`, in clones of those (`.constprop.0`) and in parts of them
/// (`.cold`).
fn inlined_copies<'a>(
    facts: &'a Facts,
    function: &'a str,
    hosts: &'a [&str],
) -> impl Iterator<Item = &'a InlinedCopy> {
    facts
        .inlined
        .found()
        .into_iter()
        .flat_map(move |known| known.copies_of(function))
        .filter(move |copy| {
            let host = copy.host.split('.').next().unwrap_or_default();
            hosts.contains(&host)
        })
}

/// Why kprobes inside the hosts of `copies` would not see all of them, if so.
fn unusable_hosts(facts: &Facts, copies: &[&InlinedCopy]) -> Option<String> {
    copies.iter().find_map(|copy| {
        let symbols = facts.symbols.found()?.named(&copy.host).len();
        if symbols == 1 {
            why_not_kprobe(facts, [copy.host.as_str()])
        } else {
            Some(format!("/proc/kallsyms has {} {symbols} times", copy.host))
        }
    })
}

/// A kretprobe and a kprobe on each of `symbols`, the returns first.
fn pairs(begins: &'static str, ends: &'static str, symbols: &[Symbol]) -> Vec<Probe> {
    let on = |program, kind| {
        symbols
            .iter()
            .map(move |symbol| probe(program, kind, &symbol.name))
    };
    on(ends, ProbeKind::Kretprobe)
        .chain(on(begins, ProbeKind::Kprobe))
        .collect()
}

fn at(program: &'static str, copy: &InlinedCopy) -> Probe {
    Probe {
        program,
        kind: ProbeKind::Kprobe,
        symbol: copy.host.clone(),
        offset: copy.entry,
    }
}

fn names(symbols: &[Symbol]) -> String {
    let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    names.join(", ")
}
