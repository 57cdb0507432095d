//! The best way to time the looks at cores.

use super::{
    CORE, CoreTiming, Probe, Rejected, SEARCH, WAKEUP,
    attach::why_not_kprobe,
    sites::{debuginfo_remedy, inlined_copies, names, unusable, unusable_copies, variants},
};
use crate::kernel::Facts;

/// Functions of a wake-up that the compiler may inline [`CORE`] into (kernel/sched/fair.c).
const CORE_HOSTS: [&str; 3] = [WAKEUP, "select_idle_sibling", SEARCH];

/// How `select_idle_core` calls can be timed, and by which probes.
pub(super) fn core_timing(
    facts: &Facts,
    rejected: &mut Vec<Rejected>,
) -> (Option<CoreTiming>, Vec<Probe>) {
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
                Probe::pairs("core_began_kprobe", "core_ended_kretprobe", &variants),
            ),
        };
    }
    if let Some(why) = unusable_copies(facts, &copies) {
        return no(why, None);
    }
    let probes: Vec<_> = copies
        .iter()
        .map(|copy| Probe::inside("core_stepped_kprobe", copy))
        .collect();
    if probes.is_empty() {
        return no(
            format!("{CORE} is no symbol, and no debug info tells where it is inlined"),
            Some(debuginfo_remedy(facts)),
        );
    }
    (Some(CoreTiming::Inlined), probes)
}
