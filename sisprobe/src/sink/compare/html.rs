//! Comparison tables as HTML: a piece for other pages, and a page of its own.

use super::{
    Form,
    grid::{self, Grid},
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
    let is_left = |place: usize| grid.columns.get(place).is_some_and(|column| column.is_left);
    let mut html = format!(
        "<div><table>\n<caption>{}</caption>\n<thead><tr>",
        escaped(&grid.heading)
    );
    for (place, column) in grid.columns.iter().enumerate() {
        let name = escaped(&column.name);
        let class = class(if is_left(place) { &["left"] } else { &[] });
        html += &format!("<th scope=\"col\"{class}>{name}</th>");
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &grid.rows {
        html += "<tr>";
        for (place, cell) in row.iter().enumerate() {
            let mut classes = vec![];
            classes.extend(is_left(place).then_some("left"));
            classes.extend(match cell.verdict {
                Some(Verdict::Better) => Some("told better"),
                Some(Verdict::Worse) => Some("told worse"),
                Some(Verdict::Differs) => Some("told"),
                _ => None,
            });
            let class = class(&classes);
            html += &format!("<td{class}>{}</td>", escaped(cell.text.trim()));
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table></div>\n"
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
