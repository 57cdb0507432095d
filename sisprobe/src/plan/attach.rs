//! Which attach points can carry the programs of the wake-up's entry, return and looks.

use super::{AttachMethod, FENTRY, LOOK, PlanError, Rejected, Request, WAKEUP};
use crate::kernel::{Answer, Btf, Facts};

/// Parameters of `select_task_rq_fair` since 5.11 (before, it took the domain flag as well).
const WAKEUP_PARAMS: usize = 3;

/// The attach method, and what stood against a better one.
pub(super) fn method(
    facts: &Facts,
    request: Request,
) -> Result<(AttachMethod, Option<Rejected>), PlanError> {
    let fentry = why_not_fentry(facts);
    let kprobe = why_not_kprobe(facts, [WAKEUP, LOOK]);
    match (request.attach, fentry, kprobe) {
        (None | Some(AttachMethod::Fentry), None, _) => Ok((AttachMethod::Fentry, None)),
        (Some(AttachMethod::Fentry), Some(why), _) => Err(PlanError::Request {
            option: "attach",
            value: AttachMethod::Fentry.to_string(),
            why,
            remedy: "Leave --attach away to use what this kernel offers".into(),
        }),
        (None, Some(why), None) => Ok((
            AttachMethod::Kprobe,
            Some(Rejected {
                what: FENTRY.into(),
                why,
                remedy: None,
            }),
        )),
        (Some(AttachMethod::Kprobe), _, None) => Ok((AttachMethod::Kprobe, None)),
        (Some(AttachMethod::Kprobe), _, Some(why)) => Err(PlanError::Request {
            option: "attach",
            value: AttachMethod::Kprobe.to_string(),
            why,
            remedy: "Leave --attach away to use what this kernel offers".into(),
        }),
        (None, Some(fentry), Some(kprobe)) => Err(PlanError::Missing {
            what: "a way to attach programs (fentry or kprobe)".into(),
            why: format!("fentry: {fentry}; kprobe: {kprobe}"),
            remedy: "A kernel with CONFIG_DEBUG_INFO_BTF and CONFIG_FUNCTION_TRACER, or with \
                     CONFIG_KPROBE_EVENTS, has one"
                .into(),
        }),
    }
}

fn why_not_fentry(facts: &Facts) -> Option<String> {
    if let Some(why) = facts.btf.why_not() {
        return Some(why.into());
    }
    if let Answer::Absent(why) = &facts.tracing.fentry {
        return Some(why.clone());
    }
    let btf = facts.btf.found()?;
    wrong_params(btf, WAKEUP, WAKEUP_PARAMS)
        .or_else(|| wrong_params(btf, LOOK, 1))
        .or_else(|| untraceable(facts, WAKEUP))
        .or_else(|| untraceable(facts, LOOK))
}

/// What keeps ftrace, and so a trampoline, from `function`; none also where it cannot be told.
pub(super) fn untraceable(facts: &Facts, function: &str) -> Option<String> {
    let traceable = facts.tracing.traceable.found()?;
    (!traceable.contains(function))
        .then(|| format!("{function} is not among ftrace's available_filter_functions"))
}

/// What keeps kprobes from `symbols`.
pub(super) fn why_not_kprobe<'a>(
    facts: &Facts,
    symbols: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if let Some(why) = facts.tracing.kprobes.why_not() {
        return Some(why.into());
    }
    // They could be attached and would never fire (kernel/kprobes.c, `kprobes_all_disarmed`).
    if facts.tracing.kprobes_enabled == Answer::Found(false) {
        return Some(
            "kprobes are switched off: write 1 to /sys/kernel/debug/kprobes/enabled".into(),
        );
    }
    let forbidden = facts.tracing.blacklist.found()?;
    symbols
        .into_iter()
        .find(|&symbol| forbidden.contains(symbol))
        .map(|symbol| format!("the kernel forbids kprobes on {symbol} (kprobes/blacklist)"))
}

/// What keeps `function` from taking fentry with `count` parameters.
pub(super) fn wrong_params(btf: &Btf, function: &str, count: usize) -> Option<String> {
    match btf.function(function) {
        None => Some(format!("{function} is not among the functions in BTF")),
        Some(params) if params.len() != count => Some(format!(
            "{function} takes ({}) here, not {count} parameters",
            params.join(", ")
        )),
        Some(_) => None,
    }
}
