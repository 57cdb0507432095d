//! Comparison tables as Markdown, with the pipe tables that GitHub and GitLab know.

use super::{
    Form,
    grid::{self, Grid},
    words,
};
use crate::compare::{Comparison, Verdict};

/// The tables of `form`, warnings before and notes behind them.
pub fn markdown(comparison: &Comparison, form: Form) -> String {
    let mut text = String::new();
    for warning in &comparison.warnings {
        text += &format!("- **Warning**: {}\n", escaped(warning));
    }
    for grid in grid::of(comparison, form) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &table(&grid);
    }
    text.push('\n');
    for line in words::footnotes(comparison, form) {
        text += &format!("- {}\n", escaped(&line));
    }
    for note in &comparison.notes {
        text += &format!("- Note: {}\n", escaped(note));
    }
    text
}

fn table(grid: &Grid) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let names = grid.columns.iter().map(|column| escaped(&column.name));
    let rules = grid.columns.iter().map(|column| match column.is_left {
        true => "---".into(),
        false => "---:".into(),
    });
    let mut text = format!("### {}\n\n", escaped(&grid.heading));
    text += &line(names.collect());
    text += &line(rules.collect());
    for row in &grid.rows {
        let cells = row.iter().map(|cell| {
            let text = escaped(cell.text.trim());
            let is_told = cell.verdict.is_some_and(Verdict::is_told);
            if is_told { format!("**{text}**") } else { text }
        });
        text += &line(cells.collect());
    }
    text
}

/// What Markdown would take for its own, and what would end the line or the cell.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            _ if character.is_control() => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
