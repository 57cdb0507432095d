//! One group.

use serde::Serialize;

use super::{Fact, Table, fact};
use crate::{
    plan::Fidelity,
    policy::Policy,
    report::{Column, Figures, Group, Predicted, Report, Source},
    sink::{
        Unit,
        metric::Metric,
        number, paragraph, policies,
        rows::{self, BarRow},
        timeline::{self, Span},
        words,
    },
};

/// The longest bar, in parts of which a bar's length is told.
const BAR: usize = 1000;

/// One group.
#[derive(Clone, Debug, Serialize)]
pub struct GroupView {
    /// As in the report.
    pub name: String,
    /// With its CPUs.
    pub heading: String,
    /// Its load now, and how much came through.
    pub facts: Vec<Fact>,
    /// Mean and percentiles.
    pub times: Table,
    /// How searches ended.
    pub outcomes: Table,
    /// Where there are no outcomes, why.
    pub no_outcomes: Option<String>,
    /// What is known of searches and the policy, in pieces.
    pub policy: Vec<String>,
    /// What policies make of the group's load.
    pub predictions: Table,
    /// The figures by which search policies are compared.
    pub efficiency: Vec<String>,
    /// Those that counted something.
    pub histograms: Vec<HistogramView>,
    /// What the charts show, in words.
    pub charts: ChartWords,
}

/// One histogram as rows of powers of two.
#[derive(Clone, Debug, Serialize)]
pub struct HistogramView {
    /// The field of the report's figures that it shows.
    pub key: &'static str,
    /// What is counted, with the unit.
    pub title: String,
    /// All rows together.
    pub count: u64,
    /// From the first to the last that is not empty.
    pub rows: Vec<RowView>,
}

/// A row of a histogram.
#[derive(Clone, Debug, Serialize)]
pub struct RowView {
    /// `[16, 32)`.
    pub label: String,
    /// Values in it.
    pub count: u64,
    /// Length of the bar, 0 to 1000.
    pub bar: usize,
    /// Predicted depths that lie in it; mostly empty.
    pub mark: String,
}

/// The charts in words, for who does not see them.
#[derive(Clone, Debug, Serialize)]
pub struct ChartWords {
    /// Of the depth.
    pub depth: String,
    /// Of the heatmap.
    pub heatmap: String,
    /// Ends in seconds since the probes were enabled; with another the charts are others.
    pub until: f64,
}

impl GroupView {
    pub(super) fn of(
        group: &Group,
        report: &Report,
        chosen: &[Policy],
        columns: &[Column],
    ) -> Self {
        let source = &report.source;
        let fidelity = source.fidelity;
        let figures = &group.figures;
        let told = policies::told(source, chosen);
        Self {
            name: group.name.clone(),
            heading: paragraph::heading(group),
            facts: facts(group, report, &told),
            times: times(figures, fidelity),
            outcomes: outcomes(figures),
            no_outcomes: (fidelity == Fidelity::Bracketed || figures.searches() == 0).then(|| {
                let why = paragraph::outcomes(figures, fidelity).pop();
                why.unwrap_or_else(|| "no search yet".into())
            }),
            policy: paragraph::policy(figures, source),
            predictions: predictions(group, source, &told),
            efficiency: paragraph::efficiency(figures, fidelity),
            histograms: histograms(group, source, &told),
            charts: ChartWords {
                depth: timeline::depth_in_words(columns, Span::UntilNow),
                heatmap: timeline::heatmap_in_words(columns, Span::UntilNow),
                until: columns.last().map_or(0.0, Column::to),
            },
        }
    }
}

fn facts(group: &Group, report: &Report, told: &[Policy]) -> Vec<Fact> {
    let (figures, fidelity) = (&group.figures, report.source.fidelity);
    let mut facts = Vec::new();
    if let Some(state) = &group.state {
        facts.extend([
            fact(
                "utilisation now",
                number::share(state.sum_util, state.capacity),
            ),
            fact(
                "idle CPUs now",
                format!("{} of {}", state.idle_cpus, state.cpus),
            ),
            fact("nr_running now", state.nr_running.to_string()),
        ]);
        if let Some(llc) = &state.llc {
            let claim = if llc.has_idle_cores { "yes" } else { "no" };
            facts.push(fact("has_idle_cores", claim));
            if let Some(kernel) = llc.nr_idle_scan.filter(|_| told.contains(&Policy::SisUtil)) {
                let now = llc.nr_idle_scan_now;
                facts.push(fact(
                    "nr_idle_scan",
                    format!("{kernel}, computed now {now}"),
                ));
            }
        }
    }
    facts.push(fact("wake-ups", figures.wakeups.to_string()));
    if fidelity != Fidelity::Bracketed {
        let searches = figures.searches();
        let share = number::share(searches, figures.wakeups);
        facts.push(fact("searches", format!("{searches} ({share})")));
    }
    facts.push(fact("forks", figures.forks.to_string()));
    facts.push(fact("execs", figures.execs.to_string()));
    facts
}

/// Mean and percentiles of all that counted something.
pub(in crate::sink) fn times(figures: &Figures, fidelity: Fidelity) -> Table {
    let rows = paragraph::table(figures, fidelity, Unit::Us).into_iter();
    let rows = rows.map(|(name, cells)| std::iter::once(name).chain(cells).collect());
    let columns: Vec<&str> = std::iter::once("what").chain(paragraph::COLUMNS).collect();
    Table::new(&columns, rows.collect())
}

/// How searches ended; without a row where none did.
pub(in crate::sink) fn outcomes(figures: &Figures) -> Table {
    let searches = figures.searches();
    let rows = figures.outcomes.iter().map(|(&name, &count)| {
        vec![
            words::outcome(name).into(),
            words::outcome_meaning(name).into(),
            count.to_string(),
            number::share(count, searches),
        ]
    });
    let rows = if searches == 0 {
        Vec::new()
    } else {
        rows.collect()
    };
    Table::new(&["outcome", "meaning", "searches", "share"], rows)
}

fn predictions(group: &Group, source: &Source, told: &[Policy]) -> Table {
    let rows = told.iter().filter_map(|&policy| {
        let mut said = group.predictions.iter();
        let said = said.find(|said| said.policy == policy)?;
        let active = if source.policy.policy == Some(policy) {
            format!("{policy} (active)")
        } else {
            policy.to_string()
        };
        Some(match &said.predicted {
            Predicted::Depth { cpus, searching } => vec![
                active,
                number::mean(cpus.mean),
                format!("{} to {}", cpus.least, cpus.most),
                number::percent(Some(searching * 100.0)),
            ],
            Predicted::NotAvailable(why) => {
                vec![active, format!("not available here: {why}")]
            }
        })
    });
    Table::new(
        &["policy", "depth, mean", "on its CPUs", "searching"],
        rows.collect(),
    )
}

fn histograms(group: &Group, source: &Source, told: &[Policy]) -> Vec<HistogramView> {
    let (figures, fidelity) = (&group.figures, source.fidelity);
    // In the unit in which they are counted: the bounds are then those of JSON.
    let unit = Unit::Ns;
    let shown = Metric::ALL.into_iter().filter_map(|metric| {
        let histogram = metric.histogram(figures);
        let marks = match metric {
            Metric::Scanned => policies::marks(group, told, fidelity),
            Metric::Duration | Metric::Limit | Metric::Core => Vec::new(),
        };
        let rows = rows::marked(histogram, metric.labels(unit), BAR, &marks);
        (!rows.is_empty()).then(|| HistogramView {
            key: metric.key(),
            title: metric.title(fidelity, unit),
            count: histogram.count(),
            rows: rows.into_iter().map(row).collect(),
        })
    });
    shown.collect()
}

fn row(row: BarRow) -> RowView {
    let marks = row.marks.iter();
    let marks: Vec<String> = marks
        .map(|mark| format!("{} {}", mark.name, mark.number))
        .collect();
    RowView {
        label: row.label,
        count: row.count,
        bar: row.filled,
        mark: marks.join(", "),
    }
}
