//! What things are called in every output.

use crate::{
    plan::{AttachMethod, CoreTiming, Fidelity},
    report::{GroupBy, OutcomeName, Source},
};

/// `text` from a file that anybody may have written, in one line of at most `most` characters:
/// nothing in it that a terminal obeys.
pub(super) fn clean(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let mut clean: String = letters.by_ref().take(most).map(harmless).collect();
    if letters.next().is_some() {
        clean.pop();
        clean.push('…');
    }
    clean
}

/// The same of many lines, of any length.
pub(super) fn clean_lines(text: &str) -> String {
    let line_break = |c| if c == '\n' { c } else { harmless(c) };
    text.chars().map(line_break).collect()
}

fn harmless(c: char) -> char {
    // Marks of direction turn a line around.
    let turns =
        matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || turns {
        '\u{fffd}'
    } else {
        c
    }
}

/// What the figures enclose, in a few words.
pub(super) const fn fidelity(fidelity: Fidelity) -> &'static str {
    match fidelity {
        Fidelity::Exact => "entry to return of select_idle_cpu",
        Fidelity::Inlined => "start of the inlined search to return of select_task_rq_fair",
        Fidelity::Bracketed => "the whole of select_task_rq_fair; searches are not told apart",
    }
}

pub(super) const fn attach(method: AttachMethod) -> &'static str {
    match method {
        AttachMethod::Fentry => "fentry and fexit",
        AttachMethod::Kprobe => "kprobe and kretprobe",
    }
}

pub(super) const fn core_timing(timing: Option<CoreTiming>) -> &'static str {
    match timing {
        Some(CoreTiming::Exact) => "each call, entry to return",
        Some(CoreTiming::Inlined) => "each inlined call, with the step to the next core",
        None => "not timed",
    }
}

/// What a group is, where it is something else than an LLC.
pub(super) fn group_by(source: &Source) -> Option<String> {
    let what = match source.group_by {
        GroupBy::Llc => return None,
        GroupBy::Cpu => "CPU on which the wake-up ran".into(),
        GroupBy::Smt => "core on which the wake-up ran".into(),
        GroupBy::Numa => "NUMA node".into(),
        GroupBy::System => "system, all CPUs together".into(),
        GroupBy::Shard | GroupBy::ShardV2 => format!(
            "{}, of size {}, on which the wake-up ran",
            source.group_by,
            source.shard_size.unwrap_or_default()
        ),
    };
    let apart = if source.group_by.is_part_of_llc() {
        "; what came from other LLCs is told apart"
    } else {
        ""
    };
    Some(what + apart)
}

/// How a search ended.
pub(super) const fn outcome(name: OutcomeName) -> &'static str {
    match name {
        OutcomeName::IdleCore => "idle core",
        OutcomeName::IdleCpu => "idle CPU",
        OutcomeName::BudgetExhausted => "none in budget",
        OutcomeName::DomainExhausted => "none in domain",
        OutcomeName::Skipped => "skipped",
    }
}

/// What an outcome means, for those who see the word for the first time.
pub(super) const fn outcome_meaning(name: OutcomeName) -> &'static str {
    match name {
        OutcomeName::IdleCore => "found a core with all its siblings idle",
        OutcomeName::IdleCpu => "found an idle CPU, but no idle core",
        OutcomeName::BudgetExhausted => "found none, and left CPUs unlooked at",
        OutcomeName::DomainExhausted => "found none among all CPUs the task may use",
        OutcomeName::Skipped => "the policy ended it before the first CPU",
    }
}
