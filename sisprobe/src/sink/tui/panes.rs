//! The histograms of one group.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Style},
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{
    draw::{BOLD, DIM},
    view::{Pane, View},
};
use crate::{
    histogram::Histogram,
    plan::Fidelity,
    report::{Group, Report},
    sink::{
        metric::Metric,
        policies,
        rows::{self, BAR, BarRow, Labels, Mark},
    },
};

/// Columns below which two histograms side by side have no room for bars.
const SIDE_BY_SIDE: u16 = 64;
/// Bars shorter than this ask for narrower columns.
const SHORT: usize = 20;
/// Columns below which what points at a row has no room for names.
const NAMED: usize = 60;
const MARKS: Style = Style::new().fg(Color::Yellow);
const BARS: Style = Style::new().fg(Color::Cyan);

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    report: &Report,
    group: &Group,
    view: &mut View,
) {
    let wanted = view.scroll;
    let mut scrolled = 0isize;
    let mut pane = |metric, area| {
        let moved = draw_one(frame, area, report, group, metric, view);
        if moved.abs() > scrolled.abs() {
            scrolled = moved;
        }
    };
    match view.pane {
        Pane::One(metric) => pane(metric, area),
        Pane::Both if area.width < SIDE_BY_SIDE => pane(Metric::Duration, area),
        Pane::Both => {
            let [left, _, right] = Layout::horizontal([
                Constraint::Fill(1),
                Constraint::Length(2),
                Constraint::Fill(1),
            ])
            .areas(area);
            pane(Metric::Duration, left);
            pane(Metric::Scanned, right);
        }
    }
    debug_assert!(scrolled.abs() <= wanted.abs());
    view.scroll = scrolled;
}

/// Returns how far the rows were scrolled, which is less than asked for at their ends.
fn draw_one(
    frame: &mut Frame<'_>,
    area: Rect,
    report: &Report,
    group: &Group,
    metric: Metric,
    view: &View,
) -> isize {
    let fidelity = report.source.fidelity;
    let title = metric.title(fidelity, view.unit);
    let histogram = metric.histogram(&group.figures);
    if histogram.is_empty() {
        let lines = vec![
            Line::styled(title, BOLD),
            Line::styled(why_empty(report, metric), DIM),
        ];
        frame.render_widget(Paragraph::new(lines), area);
        return 0;
    }
    let width = area.width.into();
    let marks = if metric == Metric::Scanned {
        let told = policies::told(&report.source, &view.chosen);
        policies::marks(group, &told, fidelity)
    } else {
        Vec::new()
    };
    let rows = histogram_rows(histogram, metric.labels(view.unit), width, &marks);
    let counts: Vec<u64> = rows.iter().map(|row| row.count).collect();
    let room = usize::from(area.height).saturating_sub(1);
    let (part, scrolled) = part(&counts, room, view.scroll);
    let place = format!("  {}-{} of {}", part.start + 1, part.end, rows.len());
    let has_room = title.len() + place.len() <= width;
    let mut heading = Line::styled(title, BOLD);
    if part.len() < rows.len() && has_room {
        heading.push_span(Span::styled(place, DIM));
    }
    let columns = Columns::of(&rows, width);
    let lines = rows[part].iter().map(|row| columns.line(row, width));
    let lines: Vec<Line<'_>> = std::iter::once(heading).chain(lines).collect();
    frame.render_widget(Paragraph::new(lines), area);
    scrolled
}

fn why_empty(report: &Report, metric: Metric) -> &'static str {
    let source = &report.source;
    match metric {
        Metric::Limit if source.fidelity == Fidelity::Bracketed => {
            "not told with fidelity bracketed"
        }
        Metric::Core if source.core_timing.is_none() => "select_idle_core is not timed here",
        _ => "nothing counted",
    }
}

/// Widths of label and count.
struct Columns {
    label: usize,
    count: usize,
}

impl Columns {
    /// As wide as bpftrace has them, unless that leaves too little for the bars.
    fn of(rows: &[BarRow], width: usize) -> Self {
        let widest = |len: fn(&BarRow) -> usize| rows.iter().map(len).max().unwrap_or(0);
        let needed = Self {
            label: widest(|row| row.label.len()),
            count: widest(|row| row.count.to_string().len()) + 1,
        };
        let usual = Self {
            label: rows::LABEL,
            count: rows::COUNT,
        };
        let fits = needed.label <= usual.label && needed.count <= usual.count;
        if fits && width >= usual.bar_room() + SHORT {
            usual
        } else {
            needed
        }
    }

    /// Columns that everything but the bar takes, its edges included.
    const fn bar_room(&self) -> usize {
        self.label + self.count + 3
    }

    fn line(&self, row: &BarRow, width: usize) -> Line<'static> {
        let (label, count) = (self.label, self.count);
        Line::from_iter([
            Span::raw(format!("{:<label$}{:>count$}", row.label, row.count)),
            Span::styled(" |", DIM),
            Span::styled(row.bar(), BARS),
            Span::styled("|", DIM),
            Span::styled(pointer(row, width), MARKS),
        ])
    }
}

/// What points at a row, short where there is little room: ` < 5`.
fn pointer(row: &BarRow, width: usize) -> String {
    match row.marks.as_slice() {
        [] => String::new(),
        [first] if width < NAMED => format!(" < {}", first.number),
        [first, rest @ ..] if width < NAMED => format!(" < {} +{}", first.number, rest.len()),
        _ => row.pointer("<-", width * 2 / 5),
    }
}

/// The rows, with bars as long as `width` allows beside what points at them.
fn histogram_rows(
    histogram: &Histogram,
    labels: Labels,
    width: usize,
    marks: &[Mark],
) -> Vec<BarRow> {
    let rows = rows::marked(histogram, labels, BAR, marks);
    let pointers = rows.iter().map(|row| pointer(row, width).chars().count());
    let bar = width
        .saturating_sub(Columns::of(&rows, width).bar_room())
        .saturating_sub(pointers.max().unwrap_or(0));
    if bar >= BAR {
        rows
    } else {
        rows::marked(histogram, labels, bar, marks)
    }
}

/// Which `room` rows to show, and how far that is from those that hold most values, which are
/// shown unless the user scrolls.
fn part(counts: &[u64], room: usize, scroll: isize) -> (Range<usize>, isize) {
    let spare = counts.len().saturating_sub(room);
    let held = |start: usize| -> u64 { counts[start..].iter().take(room).sum() };
    // The first of the best.
    let best = (0..=spare)
        .rev()
        .max_by_key(|&start| held(start))
        .unwrap_or(0);
    let start = best.saturating_add_signed(scroll).min(spare);
    let end = (start + room).min(counts.len());
    (start..end, start as isize - best as isize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_shown_where_there_is_room() {
        assert_eq!(part(&[1, 2, 3], 3, 0), (0..3, 0));
        assert_eq!(part(&[1, 2, 3], 9, 5), (0..3, 0));
        assert_eq!(part(&[], 9, -1), (0..0, 0));
    }

    #[test]
    fn else_those_that_hold_most() {
        assert_eq!(part(&[0, 0, 5, 9, 1, 0], 2, 0), (2..4, 0));
        assert_eq!(part(&[1, 1, 1, 1], 2, 0), (0..2, 0));
        assert_eq!(part(&[1, 2], 0, 0), (0..0, 0));
    }

    #[test]
    fn scrolling_stops_at_the_ends() {
        let counts = [0, 0, 5, 9, 1, 0];
        assert_eq!(part(&counts, 2, 1), (3..5, 1));
        assert_eq!(part(&counts, 2, 99), (4..6, 2));
        assert_eq!(part(&counts, 2, -99), (0..2, -2));
    }
}
