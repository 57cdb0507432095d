//! What other policies would have done, as a table or as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::SCHEMA_VERSION;
use crate::{
    report::{Report, Source},
    whatif::{LlcAnswer, PolicyAnswer, WhatIf},
};

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    source: &'a Source,
    intervals: u64,
    llcs: Vec<LlcAnswer>,
}

/// One document.
///
/// # Errors
///
/// None that can be met: the answers are plain numbers.
pub fn json(what_if: &WhatIf, last: &Report) -> serde_json::Result<String> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        source: &last.source,
        intervals: what_if.intervals(),
        llcs: what_if.answers(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// A table for each LLC, with what was measured as its first row.
pub fn text(what_if: &WhatIf, last: &Report) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "active policy  {}", last.source.policy);
    let _ = writeln!(text, "fidelity       {}", last.source.fidelity);
    let _ = writeln!(
        text,
        "searched: part of the wake-ups for which CPUs would be looked at; budget: CPUs that a \
         search may\nlook at, in the mean; missed: part of the searches that would find none \
         though a full scan would,\nif idle CPUs stand anywhere in the order of the scan with the \
         same chance (hypergeometric). The\nload at the end of each of {} intervals stands for \
         the whole of it.",
        what_if.intervals()
    );
    for answer in what_if.answers() {
        text.push('\n');
        llc(&mut text, &answer, last);
    }
    text
}

fn llc(text: &mut String, answer: &LlcAnswer, last: &Report) {
    let group = last
        .groups
        .iter()
        .find(|group| group.llc == Some(answer.llc));
    let cpus = group.map_or_else(String::new, |group| group.cpus.to_string());
    let _ = writeln!(
        text,
        "LLC {} (CPUs {cpus}): {} wake-ups, {} searches",
        answer.llc, answer.wakeups, answer.searches
    );
    let mut row = |cells: [&str; 4]| {
        let [name, searched, budget, missed] = cells;
        let _ = writeln!(
            text,
            "  {name:<24} {searched:>10} {budget:>10} {missed:>10}"
        );
    };
    row(["", "searched", "budget", "missed"]);
    let measured = &answer.measured;
    row([
        "measured",
        &percent(measured.searched),
        &cpus_of(measured.scanned),
        &percent(measured.failed),
    ]);
    let mut unavailable = String::new();
    for policy in &answer.policies {
        row_of(policy, &mut row, &mut unavailable);
    }
    text.push_str(
        "  measured: CPUs scanned in place of the budget, searches that found none in \
                   place of those missed\n",
    );
    text.push_str(&unavailable);
}

fn row_of(answer: &PolicyAnswer, row: &mut impl FnMut([&str; 4]), unavailable: &mut String) {
    match &answer.not_available {
        Some(why) => {
            row([answer.policy.name(), "-", "-", "-"]);
            let _ = writeln!(
                unavailable,
                "  {} is not available here: {why}",
                answer.policy
            );
        }
        None => row([
            answer.policy.name(),
            &percent(answer.searched),
            &cpus_of(answer.budget),
            &percent(answer.missed),
        ]),
    }
}

fn percent(part: Option<f64>) -> String {
    part.map_or("-".into(), |part| format!("{:.2} %", part * 100.0))
}

fn cpus_of(cpus: Option<f64>) -> String {
    cpus.map_or("-".into(), super::number::mean)
}
