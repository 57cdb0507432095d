//! What a reader must know before trusting the figures.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::Part;
use crate::{
    plan::Fidelity,
    report::Report,
    sink::{page::HealthView, words},
};

/// Warnings of a capture at most; sisprobe itself gives a few.
const MOST: usize = 16;
/// The longest one, in characters.
const LENGTH: usize = 1000;

/// All of it; nothing where there is nothing to be said.
pub(super) fn list(parts: &[Part<'_>]) -> Markup {
    let mut notices: Vec<String> = differences(parts).into_iter().collect();
    for part in parts {
        let of_part = of(part).into_iter().take(MOST);
        notices.extend(of_part.map(|notice| {
            let notice = format!("{}: {notice}", part.name);
            words::clean(&notice, LENGTH)
        }));
    }
    html! {
        @if !notices.is_empty() {
            ul.notice aria-label="Warnings" {
                @for notice in &notices {
                    li { (notice) }
                }
            }
        }
    }
}

fn of(part: &Part<'_>) -> Vec<String> {
    let capture = part.capture;
    let Some(report) = &part.report else {
        return vec!["no run came to its end, so there are no figures".into()];
    };
    let mut notices = Vec::new();
    if report.source.fidelity == Fidelity::Bracketed {
        let meaning = words::fidelity(Fidelity::Bracketed);
        notices.push(format!("fidelity bracketed: {meaning}"));
    }
    let health = HealthView::of(&report.health, None);
    if !health.is_good {
        notices.push(health.verdict);
    }
    let planned = capture.planned_runs as usize;
    if capture.runs.len() < planned {
        notices.push(format!(
            "aborted after {} of {planned} runs",
            capture.runs.len()
        ));
    }
    let failed = capture.runs.iter().filter(|run| !run.counts()).count();
    if failed == capture.runs.len() {
        notices.push("no run ended well; the figures are of all of them".into());
    } else if failed == 1 {
        notices.push("1 run failed and is left out".into());
    } else if failed > 0 {
        notices.push(format!("{failed} runs failed and are left out"));
    }
    notices.extend(report.source.warnings.iter().cloned());
    notices
}

/// What should be the same of all captures and is not.
fn differences(parts: &[Part<'_>]) -> Option<String> {
    let differ = |what: &dyn Fn(&Part<'_>) -> String| {
        parts.iter().map(what).collect::<BTreeSet<_>>().len() > 1
    };
    // What has no run says nothing.
    let of_report = |of: &dyn Fn(&Report) -> String| {
        let reports = parts.iter().filter_map(|part| part.report.as_ref());
        reports.map(of).collect::<BTreeSet<_>>().len() > 1
    };
    let kernel = |part: &Part<'_>| {
        let machine = &part.capture.machine;
        format!("{:?} {:?}", machine.build_id, machine.release)
    };
    let differences = [
        ("kernel", differ(&kernel)),
        (
            "kernel options",
            differ(&|part| format!("{:?}", part.capture.machine.options)),
        ),
        (
            "topology",
            differ(&|part| format!("{:?}", part.capture.machine.topology)),
        ),
        (
            "fidelity",
            of_report(&|report| report.source.fidelity.to_string()),
        ),
        (
            "attach method",
            of_report(&|report| report.source.attach.to_string()),
        ),
        (
            "groups",
            of_report(&|report| report.source.group_by.to_string()),
        ),
    ];
    let names: Vec<&str> = differences
        .into_iter()
        .filter_map(|(name, is_different)| is_different.then_some(name))
        .collect();
    let list = names.join(", ");
    (!names.is_empty()).then(|| format!("Not the same for all captures: {list}."))
}
