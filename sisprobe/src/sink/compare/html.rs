//! Comparison tables as HTML: a piece for other pages, and a page of its own.

use super::{
    Form,
    grid::{self, Column, Grid},
    words,
};
use crate::compare::{Comparison, Verdict};

/// The colours and lines of [`table_html`]; by names that begin with `compare`.
pub const STYLE: &str = include_str!("style.css");

/// A page of its own, which loads nothing.
pub fn page(comparison: &Comparison, form: Form) -> String {
    let title = format!("{} against {}", comparison.new.join(", "), comparison.base);
    let title = escaped(&title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body class=\"compare-page\">\n<h1>{title}</h1>\n{}</body>\n</html>\n",
        table_html(comparison, form)
    )
}

/// The tables of `form` as a `<section class="compare">`, warnings before and notes behind them.
/// Its classes are `compare`, `warning`, `told`, `better`, `worse` and `left`.
pub fn table_html(comparison: &Comparison, form: Form) -> String {
    let mut html = "<section class=\"compare\">\n".to_owned();
    let warnings = comparison.warnings.iter();
    let warnings: Vec<String> = warnings.map(|line| format!("Warning: {line}")).collect();
    html += &list("warning", &warnings);
    for grid in grid::of(comparison, form) {
        html += &table(&grid);
    }
    let mut below = words::footnotes(comparison, form);
    below.extend(comparison.notes.iter().cloned());
    html += &list("note", &below);
    html + "</section>\n"
}

fn list(class: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = (lines.iter())
        .map(|line| format!("<li>{}</li>\n", escaped(line)))
        .collect();
    format!("<ul class=\"{class}\">\n{lines}</ul>\n")
}

fn table(grid: &Grid) -> String {
    let heading = escaped(&grid.heading);
    // What scrolls by itself must be within reach of the keyboard, and then needs a name.
    let mut html = format!(
        "<div tabindex=\"0\" role=\"region\" aria-label=\"{heading}\"><table>\n\
         <caption>{heading}</caption>\n<thead><tr>"
    );
    for column in &grid.columns {
        let name = escaped(&unpadded(&column.name, column));
        let class = class(if column.is_left { &["left"] } else { &[] });
        html += &format!("<th scope=\"col\"{class}>{name}</th>");
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &grid.rows {
        html += "<tr>";
        for (cell, column) in row.iter().zip(&grid.columns) {
            let mut classes = vec![];
            classes.extend(column.is_left.then_some("left"));
            classes.extend(match cell.verdict {
                Some(Verdict::Better) => Some("told better"),
                Some(Verdict::Worse) => Some("told worse"),
                Some(Verdict::Differs) => Some("told"),
                _ => None,
            });
            let class = class(&classes);
            let text = unpadded(&cell.text, column);
            html += &format!("<td{class}>{}</td>", escaped(&text));
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table></div>\n"
}

/// Without the blanks that only put digits below each other: a browser would leave one of them.
fn unpadded(text: &str, column: &Column) -> String {
    let text = text.trim();
    if column.is_left {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace("( ", "(")
}

fn class(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!(" class=\"{}\"", names.join(" ")),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            _ if character.is_control() => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
