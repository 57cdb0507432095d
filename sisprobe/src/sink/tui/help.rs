//! The help over the screen: keys, and what the words mean.

use ratatui::{
    Frame,
    layout::{Constraint, Flex, Layout, Rect},
    text::Line,
    widgets::{Block, Clear, Paragraph, Wrap},
};
use sisprobe_common::slot::Outcome;

use super::draw::{BOLD, enclosed};
use crate::{
    plan::Fidelity,
    report::{OutcomeName, Report},
    sink::words,
};

/// The ones that a small screen must show first.
const KEYS: [(&str, &str); 11] = [
    ("q esc ctrl-c", "quit"),
    ("? h", "this help"),
    ("left right tab", "choose the group"),
    ("a", "all groups in a table"),
    ("m", "both, duration, scanned, core or limit"),
    ("p", "depths of all policies"),
    ("c", "since the start, or last interval"),
    ("u", "durations in ns or us"),
    ("space f", "freeze"),
    ("up down", "scroll the histograms"),
    ("page home end", "many groups at once"),
];

pub(super) fn draw(frame: &mut Frame<'_>, report: &Report) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    lines.extend(
        KEYS.iter()
            .map(|(key, what)| Line::from(format!("{key:<15}{what}"))),
    );
    lines.push(Line::default());
    lines.push(Line::from(enclosed(report)));
    lines.push(Line::from(format!("policy {}", report.source.policy)));
    if report.source.fidelity != Fidelity::Bracketed {
        for name in Outcome::ALL.map(OutcomeName::from) {
            let (word, meaning) = (words::outcome(name), words::outcome_meaning(name));
            lines.push(Line::from(format!("{word:<15}{meaning}")));
        }
    }
    let warnings = report.source.warnings.iter();
    lines.extend(warnings.map(|warning| Line::styled(warning.as_str(), BOLD)));
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
