//! All groups in one table.

use ratatui::{Frame, layout::Rect, text::Line, widgets::Paragraph};

use super::{
    draw::{CHOSEN, DIM},
    view::View,
};
use crate::{
    plan::Fidelity,
    report::{Group, OutcomeName, Report},
    sink::{Unit, metric::Metric, number},
};

struct Column {
    head: String,
    cell: fn(&Group, &Report, Unit) -> String,
}

/// From the one that says most to the one that says least; those that do not fit are left out.
fn columns(report: &Report, unit: Unit) -> Vec<Column> {
    let column = |head: &str, cell| Column {
        head: head.into(),
        cell,
    };
    let mut columns = vec![
        column("wake-ups", |group, report, _| {
            number::rate(group.figures.wakeups, report.elapsed)
        }),
        column(&format!("p50 {}", unit.name()), |group, _, unit| {
            percentile(group, Metric::Duration, 0.5, unit)
        }),
        column(&format!("p99 {}", unit.name()), |group, _, unit| {
            percentile(group, Metric::Duration, 0.99, unit)
        }),
        column("scanned", |group, _, unit| {
            Metric::Scanned.mean(&group.figures.scanned, unit)
        }),
    ];
    if report.source.fidelity != Fidelity::Bracketed {
        columns.insert(
            1,
            column("searches", |group, report, _| {
                number::rate(group.figures.searches(), report.elapsed)
            }),
        );
        columns.push(column("limit", |group, _, unit| {
            Metric::Limit.mean(&group.figures.limit, unit)
        }));
        columns.push(column("skipped", |group, _, _| {
            let figures = &group.figures;
            number::share(figures.outcome(OutcomeName::Skipped), figures.searches())
        }));
    }
    columns.push(column("CPUs", |group, _, _| group.cpus.to_string()));
    columns
}

fn percentile(group: &Group, metric: Metric, q: f64, unit: Unit) -> String {
    let percentile = metric.histogram(&group.figures).percentile(q);
    percentile.map_or("-".into(), |percentile| {
        number::percentile(percentile, |value| metric.number(value, unit))
    })
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report, view: &View) {
    let (head, rows) = table(report, view.unit, area.width.into());
    let room = usize::from(area.height).saturating_sub(1).max(1);
    // Whole pages, so that the rows stand still while the choice moves.
    let first = view.group / room * room;
    let rows = rows.into_iter().enumerate().skip(first).take(room);
    let rows = rows.map(|(index, row)| {
        let line = Line::from(row);
        if index == view.group {
            line.style(CHOSEN)
        } else {
            line
        }
    });
    let lines: Vec<Line<'_>> = std::iter::once(Line::styled(head, DIM))
        .chain(rows)
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// Head and rows, no wider than `width` as far as the names of the groups allow.
fn table(report: &Report, unit: Unit, width: usize) -> (String, Vec<String>) {
    let names = report.groups.iter().map(|group| group.name.as_str());
    let mut rows: Vec<String> = pad(names.clone().map(String::from).collect(), false);
    let name_width = rows.first().map_or(0, String::len);
    let mut head = " ".repeat(name_width);
    for column in columns(report, unit) {
        let cells = report
            .groups
            .iter()
            .map(|group| (column.cell)(group, report, unit));
        let mut cells: Vec<String> = std::iter::once(column.head).chain(cells).collect();
        cells = pad(cells, true);
        if head.len() + 2 + cells[0].len() > width {
            break;
        }
        let mut cells = cells.into_iter();
        for line in std::iter::once(&mut head).chain(&mut rows) {
            line.push_str("  ");
            line.push_str(&cells.next().unwrap_or_default());
        }
    }
    (head, rows)
}

fn pad(cells: Vec<String>, right: bool) -> Vec<String> {
    let width = cells.iter().map(String::len).max().unwrap_or(0);
    let pad = |cell: String| {
        if right {
            format!("{cell:>width$}")
        } else {
            format!("{cell:<width$}")
        }
    };
    cells.into_iter().map(pad).collect()
}
