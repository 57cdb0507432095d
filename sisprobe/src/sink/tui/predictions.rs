//! What every policy says of one group, in place of its histograms.

use ratatui::{Frame, layout::Rect, text::Line, widgets::Paragraph};

use super::{
    draw::{BOLD, DIM, heading_lines},
    view::View,
};
use crate::{
    policy::Policy,
    report::{Group, Report},
    sink::{paragraph, policies},
};

/// Lines of the table below which the state of the CPUs is left out.
const ROWS: usize = 6;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    report: &Report,
    group: &Group,
    view: &mut View,
) {
    let width = area.width.into();
    let height = usize::from(area.height);
    let source = &report.source;
    let mut lines = heading_lines(group, width);
    let state = policies::state(group, source, &[Policy::SisUtil]);
    let state = paragraph::wrap(&state, width);
    if lines.len() + state.len() + ROWS < height {
        lines.extend(state.into_iter().map(Line::from));
    }
    let told = policies::told(source, &Policy::ALL);
    let rows = policies::table(group, source, &told, width);
    if rows.is_empty() {
        lines.push(Line::styled(why_none(group), DIM));
        view.scroll = 0;
    } else {
        lines.push(Line::styled(policies::head(width), DIM));
        let spare = rows
            .len()
            .saturating_sub(height.saturating_sub(lines.len()));
        let first = usize::try_from(view.scroll).unwrap_or(0).min(spare);
        view.scroll = first as isize;
        lines.extend(rows.into_iter().skip(first).map(|row| {
            let line = Line::from(row.line);
            if row.is_active {
                line.style(BOLD)
            } else {
                line
            }
        }));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

const fn why_none(group: &Group) -> &'static str {
    if group.state.is_none() {
        "nothing is predicted: its CPUs were not looked at"
    } else {
        "nothing is predicted: policies go by whole LLCs"
    }
}
