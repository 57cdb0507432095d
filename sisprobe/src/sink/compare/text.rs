//! Comparison tables as plain text.

use super::{
    Form,
    grid::{self, Column, Grid},
    words,
};
use crate::{
    compare::Comparison,
    sink::{paragraph, text::WIDTH},
};

/// The tables of `form`, warnings before and notes behind them.
pub fn text(comparison: &Comparison, form: Form) -> String {
    let mut text = warnings(comparison);
    for grid in grid::of(comparison, form) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &table(&grid);
    }
    text.push('\n');
    for line in words::footnotes(comparison, form) {
        text += &marked("", &line);
    }
    for note in &comparison.notes {
        text += &marked("note: ", note);
    }
    text
}

/// The warnings alone, a line for each; nothing where there is none.
pub fn warnings(comparison: &Comparison) -> String {
    let warnings = comparison.warnings.iter();
    warnings
        .map(|warning| marked("WARNING  ", warning))
        .collect()
}

/// In lines of at most [`WIDTH`] characters where words allow.
fn marked(mark: &str, line: &str) -> String {
    let line = printable(line);
    let lines = paragraph::wrap(&[line], WIDTH - mark.len());
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        let before = if place == 0 { mark } else { "" };
        text += &format!("{before:0$}{line}\n", mark.len());
    }
    text
}

fn table(grid: &Grid) -> String {
    let rows: Vec<Vec<String>> = (grid.rows.iter())
        .map(|row| row.iter().map(|cell| printable(&cell.text)).collect())
        .collect();
    let names: Vec<String> = (grid.columns.iter())
        .map(|column| printable(&column.name))
        .collect();
    let widths: Vec<usize> = (0..grid.columns.len())
        .map(|place| {
            let cells = rows.iter().chain([&names]).map(|row| length(&row[place]));
            cells.fold(grid.columns[place].width, usize::max)
        })
        .collect();
    let mut text = printable(&grid.heading) + "\n";
    for row in [&names].into_iter().chain(&rows) {
        text += line(&grid.columns, row, &widths).trim_end();
        text.push('\n');
    }
    text
}

fn line(columns: &[Column], row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (place, ((column, cell), &width)) in columns.iter().zip(row).zip(widths).enumerate() {
        if place > 0 {
            line += &" ".repeat(column.gap);
        }
        line += &match column.is_left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        };
    }
    line
}

/// Names come from files: what a terminal would obey is not passed on.
fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn length(text: &str) -> usize {
    text.chars().count()
}
