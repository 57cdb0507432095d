//! The best way to see the search.

use super::{
    AttachMethod, Fidelity, INLINED, PlanError, Probe, ProbeKind, Rejected, Request, SEARCH,
    WAKEUP,
    attach::{untraceable, why_not_kprobe, wrong_params},
    sites::{debuginfo_remedy, inlined_copies, names, unusable, unusable_copies, variants},
};
use crate::kernel::{Answer, Facts};

/// Parameters of `select_idle_cpu` since 5.12.
const SEARCH_PARAMS: usize = 4;

/// Functions of a wake-up that the compiler may inline [`SEARCH`] into (kernel/sched/fair.c).
const SEARCH_HOSTS: [&str; 2] = [WAKEUP, "select_idle_sibling"];

/// Probes that tell when the search begins and, with fidelity `exact`, ends.
pub(super) struct Search {
    pub(super) fidelity: Fidelity,
    pub(super) probes: Vec<Probe>,
    pub(super) inlined_from: Option<String>,
}

/// The probes of the best fidelity within `request`; better ones go to `rejected`, and why.
pub(super) fn best_search(
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
            Probe::on("search_ended_fexit", ProbeKind::Fexit, SEARCH),
            Probe::on("search_began_fentry", ProbeKind::Fentry, SEARCH),
        ]
    } else if let Some(why) = why_not_kprobe(facts, variants.iter().map(|s| s.name.as_str())) {
        return Err(no(
            format!("{} can take kprobes only, and: {why}", names(&variants)),
            None,
        ));
    } else {
        Probe::pairs("search_began_kprobe", "search_ended_kretprobe", &variants)
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
    if let Some(why) = unusable_copies(facts, &copies) {
        return Err(no(why, None));
    }
    let probes: Vec<_> = copies
        .iter()
        .map(|copy| Probe::inside("search_began_kprobe", copy))
        .collect();
    let from = known.source.to_string();
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
