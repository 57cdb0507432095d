//! The report as plain text, at most [`WIDTH`] columns wide.

use std::fmt::{self, Write};

use super::{
    Unit,
    metric::Metric,
    number, paragraph, policies,
    rows::{self, BAR},
    words,
};
use crate::{
    plan::Fidelity,
    policy::Policy,
    report::{Group, Health, Report, Source},
};

/// No line is longer, unless a path, a warning, a CPU list or a policy's name makes it so.
pub const WIDTH: usize = 100;

/// What the reader chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The unit of durations.
    pub unit: Unit,
    /// Policies whose predictions are told besides that of the active one.
    pub policies: Vec<Policy>,
}

/// Turns the reports of one run into text: [`Text::header`] once, [`Text::interval`] for each
/// interval, [`Text::summary`] at the end.
#[derive(Debug)]
pub struct Text {
    options: Options,
    last: Option<Report>,
}

impl Text {
    /// For one run.
    pub const fn new(options: Options) -> Self {
        Self {
            options,
            last: None,
        }
    }

    /// How and on what it is measured.
    pub fn header(&self, report: &Report) -> String {
        let mut out = String::new();
        written(header(&mut out, &report.source));
        out
    }

    /// What happened since the last call, or since the start the first time. `report` is
    /// everything since the start, as always.
    pub fn interval(&mut self, report: &Report) -> String {
        let mut out = String::new();
        let delta = self.last.as_ref().map(|last| report.since(last));
        let (shown, what) = match &delta {
            Some(Ok(delta)) => (delta, format!("last {}", number::seconds(delta.elapsed))),
            Some(Err(shrunk)) => (report, format!("since the start: {shrunk}")),
            None => (report, "since the start".into()),
        };
        written(self.one_interval(&mut out, shown, report.elapsed, &what));
        self.last = Some(report.clone());
        out
    }

    /// Everything since the start, and how far it can be trusted.
    pub fn summary(&self, report: &Report) -> String {
        let mut out = String::new();
        written(self.whole_summary(&mut out, report));
        out
    }

    /// The same under a heading of its own, for what was not measured just now.
    pub(super) fn under(&self, heading: &str, report: &Report) -> String {
        let mut out = String::new();
        written(self.whole(&mut out, heading, report));
        out
    }

    fn one_interval(&self, out: &mut String, shown: &Report, now: f64, what: &str) -> fmt::Result {
        writeln!(out, "--- {} ({what})", number::seconds(now))?;
        let active = &shown.source.policy;
        if (self.last.as_ref()).is_some_and(|last| last.source.policy != *active) {
            writeln!(out, "The policy is now {active}")?;
        }
        self.groups(out, shown)?;
        let (misses, lost) = (shown.health.misses(), shown.health.lost());
        if misses.known > 0 || lost > 0 {
            writeln!(
                out,
                "Not counted: probe misses {}",
                paragraph::misses(misses)
            )?;
            indented(out, &paragraph::lost(&shown.health))?;
            writeln!(out)?;
        }
        Ok(())
    }

    fn whole_summary(&self, out: &mut String, report: &Report) -> fmt::Result {
        let elapsed = number::seconds(report.elapsed);
        let heading = format!("everything since the start, {elapsed}");
        self.whole(out, &heading, report)
    }

    fn whole(&self, out: &mut String, heading: &str, report: &Report) -> fmt::Result {
        writeln!(out, "=== {heading}")?;
        self.groups(out, report)?;
        health(out, &report.health)
    }

    /// Each with an empty line after it, except that several in which nothing was counted share
    /// one at the end.
    fn groups(&self, out: &mut String, report: &Report) -> fmt::Result {
        let groups = report.groups.iter();
        let empty: Vec<&Group> = groups.filter(|group| group.figures.is_empty()).collect();
        let together = empty.len() > 1;
        for group in &report.groups {
            if together && group.figures.is_empty() {
                continue;
            }
            self.group(out, group, report)?;
            writeln!(out)?;
        }
        if together {
            writeln!(out, "{}\n", paragraph::empty_groups(&empty))?;
        }
        Ok(())
    }

    fn group(&self, out: &mut String, group: &Group, report: &Report) -> fmt::Result {
        let figures = &group.figures;
        let fidelity = report.source.fidelity;
        let heading = paragraph::heading(group);
        if figures.is_empty() {
            return writeln!(out, "{heading}: no wake-up came through");
        }
        writeln!(out, "{heading}")?;
        indented(out, &paragraph::rates(figures, report.elapsed, fidelity))?;
        indented(out, &paragraph::outcomes(figures, fidelity))?;
        let mut besides = paragraph::policy(figures, &report.source);
        besides.extend(paragraph::others(figures));
        indented(out, &besides)?;
        indented(out, &paragraph::efficiency(figures, fidelity))?;
        let told = policies::told(&report.source, &self.options.policies);
        indented(out, &policies::state(group, &report.source, &told))?;
        self.table(out, group, fidelity)?;
        predictions(out, group, &report.source, &told)?;
        let marks = policies::marks(group, &told, fidelity);
        for metric in Metric::ALL {
            let histogram = metric.histogram(figures);
            // The limit is told by its mean and percentiles.
            if histogram.is_empty() || metric == Metric::Limit {
                continue;
            }
            writeln!(out, "  {}", metric.title(fidelity, self.options.unit))?;
            let marks: &[_] = match metric {
                Metric::Scanned => &marks,
                _ => &[],
            };
            for row in rows::marked(histogram, metric.labels(self.options.unit), BAR, marks) {
                let line = format!("  {row}");
                let room = WIDTH.saturating_sub(line.chars().count());
                writeln!(out, "{line}{}", row.pointer("<-", room))?;
            }
        }
        Ok(())
    }

    fn table(&self, out: &mut String, group: &Group, fidelity: Fidelity) -> fmt::Result {
        let table = paragraph::table(&group.figures, fidelity, self.options.unit);
        if table.is_empty() {
            return Ok(());
        }
        let mut line = |name: &str, cells: &[&str]| {
            write!(out, "  {name:<18}")?;
            cells
                .iter()
                .try_for_each(|cell| write!(out, " {cell:>12}"))?;
            writeln!(out)
        };
        line("", &paragraph::COLUMNS)?;
        for (name, cells) in &table {
            line(name, &cells.each_ref().map(String::as_str))?;
        }
        Ok(())
    }
}

/// How far the policies would let a search look.
fn predictions(out: &mut String, group: &Group, source: &Source, told: &[Policy]) -> fmt::Result {
    let rows = policies::table(group, source, told, WIDTH - 2);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {}", policies::head(WIDTH - 2))?;
    rows.iter()
        .try_for_each(|row| writeln!(out, "  {}", row.line))
}

fn header(out: &mut String, source: &Source) -> fmt::Result {
    let mut line = |name: &str, value: &str| writeln!(out, "{name:<14}{value}");
    line("kernel", &source.release)?;
    let fidelity = source.fidelity;
    line(
        "fidelity",
        &format!("{fidelity}: {}", words::fidelity(fidelity)),
    )?;
    line("attached by", words::attach(source.attach))?;
    if let Some(from) = &source.inlined_from {
        line("addresses of", from)?;
    }
    line("core search", words::core_timing(source.core_timing))?;
    let features = match &source.sis_features {
        None => "unknown".into(),
        Some(features) if features.is_empty() => "none that bounds the search".into(),
        Some(features) => features.join(" "),
    };
    line("features", &features)?;
    line("policy", &source.policy.to_string())?;
    if let Some(groups) = words::group_by(source) {
        line("grouped by", &groups)?;
    }
    for warning in &source.warnings {
        line("WARNING", warning)?;
    }
    line(
        "percentiles",
        "at most 1/8 above the true value, never below it; exact below 16",
    )?;
    writeln!(out)
}

fn health(out: &mut String, health: &Health) -> fmt::Result {
    let figure = |figure: Option<u64>| figure.map_or("unknown".into(), |count| count.to_string());
    writeln!(
        out,
        "{:<58} {:>18} {:>18}",
        "probes", "missed, recursion", "missed, probe"
    )?;
    for probe in &health.probes {
        writeln!(
            out,
            "  {:<56} {:>18} {:>18}",
            probe.name,
            figure(probe.recursion_misses),
            figure(probe.probe_misses),
        )?;
    }
    paragraph::wrap(&paragraph::lost(health), WIDTH)
        .iter()
        .try_for_each(|line| writeln!(out, "{line}"))
}

fn indented(out: &mut String, pieces: &[String]) -> fmt::Result {
    paragraph::wrap(pieces, WIDTH - 2)
        .iter()
        .try_for_each(|line| writeln!(out, "  {line}"))
}

/// Writing to a String has no way to fail.
pub(super) fn written(result: fmt::Result) {
    debug_assert!(result.is_ok());
}
