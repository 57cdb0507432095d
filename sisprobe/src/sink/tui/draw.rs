//! One screen: header, groups, the chosen group or the overview, status.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{
    help, overview, panes, predictions,
    view::{View, Window},
};
use crate::{
    plan::Fidelity,
    report::{Group, Report},
    sink::{Unit, number, paragraph, policies, words},
};

pub(super) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
pub(super) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
pub(super) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);
pub(super) const ALARM: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);

/// Lines below which the histogram is not squeezed while there is something else to leave out.
const HISTOGRAM: usize = 5;

/// A report and how it differs from the one before.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) total: Report,
    /// The last interval; none before there was one, or where it cannot be told.
    pub(super) delta: Option<Report>,
}

impl Shown {
    pub(super) const fn groups(&self) -> usize {
        self.total.groups.len()
    }

    /// The figures of the window that the user chose.
    fn report(&self, window: Window) -> &Report {
        match (window, &self.delta) {
            (Window::LastInterval, Some(delta)) => delta,
            _ => &self.total,
        }
    }

    fn window_name(&self, window: Window) -> String {
        match (window, &self.delta) {
            (Window::LastInterval, Some(delta)) => {
                format!("last {}", number::seconds(delta.elapsed))
            }
            _ => format!("since the start, {}", number::seconds(self.total.elapsed)),
        }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, shown: &Shown, view: &mut View) {
    let report = shown.report(view.window);
    let source = &report.source;
    let warnings = usize::from(!source.warnings.is_empty() && frame.area().height > 8);
    let [header, warning, tabs, body, status] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(warnings as u16),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());

    frame.render_widget(header_line(shown, view), header);
    frame.render_widget(Line::styled(source.warnings.join(" | "), ALARM), warning);
    frame.render_widget(tab_line(&report.groups, view, tabs.width.into()), tabs);
    if view.overview {
        overview::draw(frame, body, report, view);
    } else if let Some(group) = report.groups.get(view.group) {
        draw_group(frame, body, report, group, view);
    } else {
        frame.render_widget("no group to show", body);
    }
    frame.render_widget(status_line(report, status.width.into()), status);
    if view.help {
        help::draw(frame, report);
    }
}

fn header_line<'a>(shown: &'a Shown, view: &View) -> Line<'a> {
    let mut line = Line::default();
    line.push_span(Span::styled("sisprobe ", BOLD));
    if view.frozen {
        line.push_span(Span::styled(
            "FROZEN",
            ALARM.add_modifier(Modifier::REVERSED),
        ));
        line.push_span(" ");
    }
    line.push_span(shown.window_name(view.window));
    line.push_span("  ");
    let source = &shown.total.source;
    line.push_span(format!("policy {}  ", source.policy.name()));
    line.push_span(Span::styled(source.release.as_str(), DIM));
    line
}

/// The groups' names, as many as fit with the chosen one among them.
fn tab_line(groups: &[Group], view: &View, width: usize) -> Line<'static> {
    let all = std::iter::once("all").chain(groups.iter().map(|group| group.name.as_str()));
    let names: Vec<&str> = all.collect();
    let chosen = if view.overview { 0 } else { view.group + 1 };
    let mut line = Line::default();
    for (index, name) in names
        .iter()
        .enumerate()
        .skip(first_tab(&names, chosen, width))
    {
        let style = if index == chosen {
            CHOSEN
        } else {
            Style::new()
        };
        line.push_span(Span::styled(format!(" {name} "), style));
    }
    line
}

/// The least number of names to leave out at the front for the chosen one to be seen whole.
fn first_tab(names: &[&str], chosen: usize, width: usize) -> usize {
    let mut room = width;
    let upto = names.iter().take(chosen + 1).rev();
    let fitting = upto.take_while(|name| {
        let fits = name.len() + 2 <= room;
        room = room.saturating_sub(name.len() + 2);
        fits
    });
    (chosen + 1).saturating_sub(fitting.count().max(1))
}

fn draw_group(frame: &mut Frame<'_>, area: Rect, report: &Report, group: &Group, view: &mut View) {
    if view.policies {
        predictions::draw(frame, area, report, group, view);
        return;
    }
    let room = usize::from(area.height).saturating_sub(HISTOGRAM);
    let lines = group_lines(report, group, view, area.width.into(), room);
    let [text, histogram] =
        Layout::vertical([Constraint::Length(lines.len() as u16), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(lines), text);
    panes::draw(frame, histogram, report, group, view);
}

/// What is told in words, as much as fits into `room` lines, the most telling first; in the
/// order in which it is read.
fn group_lines(
    report: &Report,
    group: &Group,
    view: &View,
    width: usize,
    room: usize,
) -> Vec<Line<'static>> {
    let figures = &group.figures;
    let fidelity = report.source.fidelity;
    let wrapped = |pieces: &[String]| -> Vec<Line<'static>> {
        let lines = paragraph::wrap(pieces, width).into_iter();
        lines.map(Line::from).collect()
    };
    let rates = paragraph::rates(figures, report.elapsed, fidelity);
    let efficiency = paragraph::efficiency_in_short(figures, fidelity);
    let told = policies::told(&report.source, &view.chosen);
    let mut state = policies::state(group, &report.source, &told);
    let active = told
        .iter()
        .position(|&policy| Some(policy) == report.source.policy.policy);
    let (active, others) = told.split_at(active.map_or(0, |index| index + 1));
    let predicted = |told| -> Vec<String> {
        let mut pieces = policies::in_short(group, told);
        if let Some(first) = pieces.first_mut() {
            first.insert_str(0, "predicted ");
        }
        pieces
    };
    state.extend(predicted(active));
    // (place in the order of what to leave out last, lines)
    let sections = [
        (1, heading_lines(group, width)),
        (0, wrapped(&rates)),
        (2, wrapped(&paragraph::outcomes(figures, fidelity))),
        (
            5,
            alarming(wrapped(&paragraph::policy(figures, &report.source))),
        ),
        (6, wrapped(&efficiency)),
        (4, wrapped(&state)),
        (7, wrapped(&predicted(others))),
        (3, table_lines(group, fidelity, view.unit, width)),
    ];
    let mut fits = [false; 8];
    let mut room = room;
    for rank in 0..sections.len() {
        for (index, (_, lines)) in sections.iter().enumerate().filter(|(_, s)| s.0 == rank) {
            if lines.len() <= room {
                fits[index] = true;
                room -= lines.len();
            }
        }
    }
    let kept = sections.into_iter().zip(fits).filter(|(_, fits)| *fits);
    kept.flat_map(|((_, lines), _)| lines).collect()
}

/// What must be noticed is seen from afar.
fn alarming(lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    let lines = lines.into_iter().map(|line| {
        if line.to_string().contains(paragraph::OVER_LIMIT) {
            line.style(ALARM)
        } else {
            line
        }
    });
    lines.collect()
}

pub(super) fn heading_lines(group: &Group, width: usize) -> Vec<Line<'static>> {
    let mut pieces = vec![paragraph::heading(group)];
    pieces.extend(paragraph::others(&group.figures));
    let lines = paragraph::wrap(&pieces, width).into_iter();
    lines.map(|line| Line::styled(line, BOLD)).collect()
}

fn table_lines(group: &Group, fidelity: Fidelity, unit: Unit, width: usize) -> Vec<Line<'static>> {
    let table = paragraph::table(&group.figures, fidelity, unit);
    if table.is_empty() {
        return Vec::new();
    }
    let name_width = 16;
    let cells = table.iter().flat_map(|(_, cells)| cells);
    let cell_width = cells.map(String::len).max().unwrap_or(0).max(6) + 2;
    // Whole columns only, from the left.
    let columns = (width.saturating_sub(name_width) / cell_width).min(paragraph::COLUMNS.len());
    let line = |name: &str, cells: [&str; 6]| {
        let cells = cells.iter().take(columns);
        let cells: String = cells.map(|cell| format!("{cell:>cell_width$}")).collect();
        format!("{name:<name_width$}{cells}")
    };
    let head = Line::styled(line("", paragraph::COLUMNS), DIM);
    let rows = table
        .iter()
        .map(|(name, cells)| Line::from(line(name, cells.each_ref().map(String::as_str))));
    std::iter::once(head).chain(rows).collect()
}

fn status_line(report: &Report, width: usize) -> Line<'static> {
    let health = &report.health;
    let (misses, lost) = (health.misses(), health.lost());
    let style = if misses.known > 0 || lost > 0 {
        ALARM
    } else {
        Style::new()
    };
    let source = &report.source;
    let pieces = [
        format!("{} by {}", source.fidelity, source.attach),
        format!("lost {lost}"),
        format!("misses {}", paragraph::misses(misses)),
    ];
    // What does not fit on one line is left out.
    let state = paragraph::wrap(&pieces, width).swap_remove(0);
    let hint = "? help  q quit";
    let gap = width.saturating_sub(state.len() + hint.len());
    let mut line = Line::from(Span::styled(state, style));
    if gap >= 2 {
        line.push_span(Span::styled(format!("{}{hint}", " ".repeat(gap)), DIM));
    }
    line
}

/// The words of the help that depend on the run.
pub(super) fn enclosed(report: &Report) -> String {
    let fidelity = report.source.fidelity;
    format!("{fidelity}: {}", words::fidelity(fidelity))
}
