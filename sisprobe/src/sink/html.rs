//! Captures as one page that needs nothing but itself: to be mailed, put beside results, printed.

mod capture;
mod figures;
mod notices;
mod overview;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    compare::{self, Form},
    page::{Fact, Table},
    words::{clean, clean_lines},
};
use crate::{capture::Capture, compare::Comparison, report::Report};

/// The look of the web page, and what is there of it in a report alone.
const STYLE: &str = include_str!("../../assets/page/style.css");
const REPORT_STYLE: &str = include_str!("../../assets/report.css");

/// The longest name of a capture, in characters.
const NAME: usize = 60;

/// A capture as the page calls it, and its runs added up.
struct Part<'a> {
    name: String,
    /// Its place in the page.
    id: String,
    capture: &'a Capture,
    /// None without a run.
    report: Option<Report>,
}

/// The page of `captures`, each with its name, and of what differs between them.
pub fn page(captures: &[(String, &Capture)], comparison: Option<&Comparison>) -> String {
    let parts: Vec<Part<'_>> = (captures.iter().zip(1..))
        .map(|((name, capture), number)| Part {
            name: clean(name, NAME),
            id: format!("capture-{number}"),
            capture,
            report: capture.joined(),
        })
        .collect();
    let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
    let title = format!("{} – sisprobe", clean(&names.join(", "), NAME));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("sisprobe ", env!("CARGO_PKG_VERSION")));
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(compare::STYLE)) (PreEscaped(REPORT_STYLE)) }
            }
            body {
                a.skip href="#overview" { "Skip to the overview" }
                header {
                    h1 { "What the search for an idle CPU cost" }
                    (contents(&parts, comparison.is_some()))
                }
                (notices::list(&parts))
                main {
                    (overview::section(&parts))
                    @if let Some(comparison) = comparison {
                        section aria-labelledby="comparison" {
                            h2 #comparison { "Comparison" }
                            (PreEscaped(compare::table_html(comparison, Form::Ab)))
                        }
                    }
                    (figures::section(&parts))
                    @for (index, part) in parts.iter().enumerate() {
                        (capture::section(part, &parts[..index]))
                    }
                }
                footer {
                    p { "Made by sisprobe " (env!("CARGO_PKG_VERSION")) "." }
                }
            }
        }
    };
    clean_lines(&page.into_string())
}

fn contents(parts: &[Part<'_>], is_compared: bool) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul.pieces {
                li { a href="#overview" { "overview" } }
                @if is_compared {
                    li { a href="#comparison" { "comparison" } }
                }
                li { a href="#distributions" { "distributions" } }
                @for part in parts {
                    li { a href={ "#" (part.id) } { (part.name) } }
                }
            }
        }
    }
}

/// A table that scrolls by itself where the window is narrow.
fn table(class: &str, caption: &str, table: &Table) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table class=(class) {
                caption { (caption) }
                thead {
                    tr {
                        @for column in &table.columns {
                            th scope="col" { (column) }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (index, cell) in row.iter().enumerate() {
                                @if index == 0 {
                                    th scope="row" { (cell) }
                                } @else {
                                    td { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Names and values, one below the other.
fn facts(caption: &str, facts: &[Fact]) -> Markup {
    html! {
        table.environment {
            caption { (caption) }
            tbody {
                @for fact in facts {
                    tr {
                        th scope="row" { (fact.name) }
                        td { (fact.value) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
