//! The help over the screen: keys, and what the words mean.

use ratatui::{
    Frame,
    layout::{Constraint, Flex, Layout, Rect},
    text::Line,
    widgets::{Block, Clear, Paragraph, Wrap},
};

use super::draw::{BOLD, enclosed};
use crate::{report::Report, sink::words};

/// The ones that a small screen must show first.
const KEYS: [(&str, &str); 9] = [
    ("q esc ctrl-c", "quit"),
    ("? h", "this help"),
    ("left right tab", "choose the LLC"),
    ("a", "all LLCs in a table"),
    ("m", "both, duration, scanned, core or limit"),
    ("c", "since the start, or last interval"),
    ("u", "durations in ns or us"),
    ("space f", "freeze"),
    ("up down", "scroll the histograms"),
];

pub(super) fn draw(frame: &mut Frame<'_>, report: &Report) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    lines.extend(
        KEYS.iter()
            .map(|(key, what)| Line::from(format!("{key:<15}{what}"))),
    );
    lines.push(Line::default());
    lines.push(Line::from(enclosed(report)));
    for &name in report
        .groups
        .first()
        .iter()
        .flat_map(|group| group.figures.outcomes.keys())
    {
        let (word, meaning) = (words::outcome(name), words::outcome_meaning(name));
        lines.push(Line::from(format!("{word:<15}{meaning}")));
    }
    lines.extend(
        report
            .source
            .warnings
            .iter()
            .map(|warning| Line::styled(warning.as_str(), BOLD)),
    );
    let area = middle(frame.area(), 66, lines.len() as u16 + 4);
    frame.render_widget(Clear, area);
    let block = Block::bordered().title("help");
    frame.render_widget(
        Paragraph::new(lines)
            .wrap(Wrap { trim: false })
            .block(block),
        area,
    );
}

fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let [area] = Layout::horizontal([Constraint::Max(width)])
        .flex(Flex::Center)
        .areas(area);
    let [area] = Layout::vertical([Constraint::Max(height)])
        .flex(Flex::Center)
        .areas(area);
    area
}
