//! One capture.

use maud::{Markup, html};

use super::{
    Part, facts,
    figures::figure,
    overview::{FIGURES, figures},
    table,
};
use crate::{
    capture::Capture,
    report::{Group, Report},
    sink::{
        done,
        figure::{OverTime, busiest},
        number,
        page::{self, Fact, HealthView, Table},
        words::clean,
    },
};

/// Groups that are shown, those with the most searches.
const GROUPS: usize = 8;
/// Probes that are shown.
const PROBES: usize = 24;
/// Columns of a chart over time: one is then a few pixels wide.
const COLUMNS: usize = 100;
/// The longest name of a group, in characters.
const NAME: usize = 40;

/// All of `part`. The machine is told once for all that were measured on it: `before` are those
/// that were told already.
pub(super) fn section(part: &Part<'_>, before: &[Part<'_>]) -> Markup {
    let (id, capture) = (&part.id, part.capture);
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (part.name) }
            (facts("What was done", &done::what(capture)))
            @if let Some(report) = &part.report {
                (groups(report))
                (outcomes(report))
                (over_time(id, capture))
                (how(report))
            }
            (machine(part, before))
        }
    }
}

/// The figures of all groups together, and of the busiest.
fn groups(report: &Report) -> Markup {
    let mut busy: Vec<&Group> = report.groups.iter().collect();
    busy.retain(|group| !group.figures.is_empty());
    busy.sort_by_key(|group| std::cmp::Reverse((group.figures.searches(), group.figures.wakeups)));
    let shown = &busy[..busy.len().min(GROUPS)];
    let total = report.total();
    let row = |name: &str, cpus: String, of: &_| {
        [clean(name, NAME), cpus]
            .into_iter()
            .chain(figures(of, report))
            .collect()
    };
    let mut rows: Vec<Vec<String>> = vec![row("all groups", String::new(), &total)];
    rows.extend(shown.iter().map(|group| {
        row(
            &group.name,
            clean(&group.cpus.to_string(), NAME),
            &group.figures,
        )
    }));
    let columns: Vec<&str> = ["group", "CPUs"].into_iter().chain(FIGURES).collect();
    let left: u64 = busy[shown.len()..]
        .iter()
        .map(|group| group.figures.wakeups)
        .fold(0, u64::saturating_add);
    let empty = report.groups.len() - busy.len();
    html! {
        h3 { "Groups" }
        (table("groups", "All runs that count added up, the busiest groups first", &Table::new(&columns, rows)))
        @if busy.len() > shown.len() {
            p.rest {
                (busy.len() - shown.len()) " more groups, with "
                (number::share(left, total.wakeups))
                " of the wake-ups, are left out here; 'sisprobe show' tells of all."
            }
        }
        @if empty > 0 {
            p.rest { "Through " (empty) " of the groups no wake-up came." }
        }
    }
}

/// How searches ended, and the times and counts of all groups together.
fn outcomes(report: &Report) -> Markup {
    let total = report.total();
    let fidelity = report.source.fidelity;
    let outcomes = page::outcomes(&total);
    html! {
        div.pair {
            div {
                h3 { "Times and counts" }
                (table("times", "Mean and percentiles, all groups together", &page::times(&total, fidelity)))
            }
            @if !outcomes.rows.is_empty() {
                div {
                    h3 { "Outcomes" }
                    (table("outcomes", "How searches ended, all groups together", &outcomes))
                }
            }
        }
    }
}

/// The run whose wall time is in the middle: all groups together, and the depth in the busiest,
/// since a prediction is of an LLC.
fn over_time(id: &str, capture: &Capture) -> Markup {
    let all = OverTime::of(capture, None, None, COLUMNS);
    let busiest = all.as_ref().ok().and_then(|all| busiest(&all.run.report));
    let depth = OverTime::of(capture, None, busiest, COLUMNS);
    html! {
        div.pair {
            @if let Ok(all) = all {
                (figure(
                    &format!("{id}-heatmap"),
                    &format!("Search time over time: {}", clean(&all.title(), NAME)),
                    &all.heatmap(),
                    &all.heatmap_in_words(),
                ))
            }
            @if let Ok(depth) = depth {
                (figure(
                    &format!("{id}-depth"),
                    &format!("Scanned against predicted: {}", clean(&depth.title(), NAME)),
                    &depth.depth(),
                    &depth.depth_in_words(),
                ))
            }
        }
        @if capture.counted().len() > 1 {
            p.rest { "Of the runs that count, the one whose wall time is in the middle." }
        }
    }
}

/// How it was measured, and what was missed.
fn how(report: &Report) -> Markup {
    let health = HealthView::of(&report.health, None);
    let mut source: Vec<Fact> = vec![done::fact("fidelity", page::fidelity(report))];
    source.extend(
        page::how(report)
            .into_iter()
            .map(|fact| done::fact(&fact.name, fact.value)),
    );
    source.push(done::fact("missed or lost", &health.verdict));
    source.push(done::fact("lost, by kind", health.lost.join("; ")));
    let mut probes = health.probes;
    let more = probes.rows.len().saturating_sub(PROBES);
    probes.rows.truncate(PROBES);
    for row in &mut probes.rows {
        row[0] = clean(&row[0], 2 * NAME);
    }
    html! {
        h3 { "How it was measured" }
        (facts("Probes and fidelity", &source))
        (table("probes", "Probes, and what each missed in all runs that count", &probes))
        @if more > 0 {
            p.rest { (more) " more probes are left out here." }
        }
    }
}

fn machine(part: &Part<'_>, before: &[Part<'_>]) -> Markup {
    let machine = &part.capture.machine;
    let same = before
        .iter()
        .find(|other| other.capture.machine == *machine);
    html! {
        h3 { "Machine" }
        @if let Some(same) = same {
            p { "The same as of " a href={ "#" (same.id) } { (same.name) } "." }
        } @else {
            (facts("As the first run began", &done::machine(machine)))
        }
    }
}
