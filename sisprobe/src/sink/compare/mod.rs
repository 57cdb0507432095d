//! A comparison in the forms in which people of this field post and read them.

mod csv;
mod grid;
mod html;
mod json;
mod markdown;
mod number;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use self::{
    csv::csv,
    html::{STYLE, page, table_html},
    json::{SCHEMA_VERSION, json},
    markdown::markdown,
    text::{text, warnings},
};

/// How the tables are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// The base as 1.00, the others in percent of it, with deviations and verdicts.
    #[default]
    Ab,
    /// Values, each with its difference from the base in percent.
    TwoColumn,
    /// Percentiles of the search time, with deviations.
    Percentile,
}
