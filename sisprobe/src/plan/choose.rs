//! The best plan that this kernel allows.

use super::{
    AttachMethod, Fidelity, LOOK, Plan, PlanError, Probe, ProbeKind, Request, WAKEUP,
    attach::method,
    core_calls::core_timing,
    search::best_search,
    sites::{names, variants},
};
use crate::kernel::{Answer, Facts};

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
            Probe::on("entered_fentry", ProbeKind::Fentry, WAKEUP),
            Probe::on("left_fexit", ProbeKind::Fexit, WAKEUP),
            Probe::on("looked_fexit", ProbeKind::Fexit, LOOK),
        ),
        AttachMethod::Kprobe => (
            Probe::on("entered_kprobe", ProbeKind::Kprobe, WAKEUP),
            Probe::on("left_kretprobe", ProbeKind::Kretprobe, WAKEUP),
            Probe::on("looked_kretprobe", ProbeKind::Kretprobe, LOOK),
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
    let variants = names(&variants(facts, function));
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
