//! The cells of each form, before they become text, Markdown or HTML.

use std::iter::once;

use super::{Form, number, words};
use crate::compare::{Compared, Comparison, Row, Table, Verdict};

/// One table.
pub(super) struct Grid {
    /// What it is of.
    pub(super) heading: String,
    pub(super) columns: Vec<Column>,
    /// Each has a cell for each column.
    pub(super) rows: Vec<Vec<Cell>>,
}

pub(super) struct Column {
    pub(super) name: String,
    /// Characters at least.
    pub(super) width: usize,
    /// Blanks before it at least.
    pub(super) gap: usize,
    pub(super) is_left: bool,
}

pub(super) struct Cell {
    pub(super) text: String,
    /// What it tells of its side, where it tells that.
    pub(super) verdict: Option<Verdict>,
}

impl Cell {
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            verdict: None,
        }
    }

    fn told(text: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            text: text.into(),
            verdict: Some(verdict),
        }
    }
}

/// Names and other words.
fn left(name: &str, width: usize) -> Column {
    Column {
        name: name.into(),
        width,
        gap: 1,
        is_left: true,
    }
}

/// Numbers.
fn right(name: &str) -> Column {
    Column {
        name: name.into(),
        width: 0,
        gap: 2,
        is_left: false,
    }
}

/// Widths of case and load in tables as they are posted.
const CASE: usize = 23;
const LOAD: usize = 15;
/// `no difference`, so that all tables have their columns in the same place.
const VERDICT: usize = 13;

/// The tables of `form`.
pub(super) fn of(comparison: &Comparison, form: Form) -> Vec<Grid> {
    let tables = &comparison.tables;
    match form {
        Form::Ab => (tables.iter())
            .flat_map(|table| ab(comparison, table))
            .collect(),
        Form::TwoColumn => (tables.iter())
            .map(|table| two_column(comparison, table))
            .collect(),
        Form::Percentile => percentile(comparison),
    }
}

/// One for each side: beside each other they would be wider than any screen.
fn ab<'a>(comparison: &'a Comparison, table: &'a Table) -> impl Iterator<Item = Grid> + 'a {
    let sides = comparison.new.iter().enumerate();
    sides.filter_map(|(place, name)| {
        let rows = table.rows.iter().filter_map(|row| {
            let compared = row.new.get(place)?.as_ref()?;
            Some(ab_row(row, compared))
        });
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty()).then(|| Grid {
            heading: format!(
                "{}: {name} against {}",
                words::metric(&table.metric),
                comparison.base
            ),
            columns: vec![
                left("case", CASE),
                left("load", LOAD),
                Column {
                    gap: 1,
                    ..right("baseline(std%)")
                },
                right("compare%( std%)"),
                right("n"),
                Column {
                    gap: 2,
                    ..left("verdict", VERDICT)
                },
                right("p"),
                right("99 % interval"),
            ],
            rows,
        })
    })
}

fn ab_row(row: &Row, compared: &Compared) -> Vec<Cell> {
    vec![
        Cell::new(&row.case),
        Cell::new(&row.load),
        Cell::new(number::baseline(&row.base)),
        Cell::new(number::compared(compared.percent, &compared.side)),
        Cell::new(words::runs(&row.base, &compared.side)),
        Cell::told(compared.verdict.words(), compared.verdict),
        Cell::new(number::p(compared.p)),
        Cell::new(number::interval(compared.interval_percent)),
    ]
}

fn two_column(comparison: &Comparison, table: &Table) -> Grid {
    let names = once(&comparison.base).chain(&comparison.new);
    let rows = table.rows.iter().map(|row| {
        let test = match row.load.as_str() {
            "" => format!("{}:", row.case),
            load => format!("{} {load}:", row.case),
        };
        let base = format!("{} (0.00 pct) ", number::value(row.base.mean));
        let new = row.new.iter().map(|compared| match compared {
            None => Cell::new("- "),
            Some(compared) => {
                let mark = if compared.verdict.is_told() { '*' } else { ' ' };
                let percent = number::signed(compared.percent);
                let percent = percent.strip_prefix('+').unwrap_or(&percent);
                let value = number::value(compared.side.mean);
                Cell::told(format!("{value} ({percent} pct){mark}"), compared.verdict)
            }
        });
        let cells = [Cell::new(test), Cell::new(base)].into_iter();
        cells.chain(new).collect()
    });
    Grid {
        heading: words::metric(&table.metric),
        columns: once(left("Test:", 0))
            .chain(names.map(|name| right(name)))
            .collect(),
        rows: rows.collect(),
    }
}

/// One for each case and load.
fn percentile(comparison: &Comparison) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    for table in &comparison.percentiles {
        let (what, percentile) = words::percentile(&table.metric);
        for row in &table.rows {
            let load = format!("{} {}", row.case, row.load);
            let heading = format!("{what} in ns, {}", load.trim_end());
            let cells = percentile_row(percentile, row);
            match grids.iter_mut().find(|grid| grid.heading == heading) {
                Some(grid) => grid.rows.push(cells),
                None => grids.push(Grid {
                    heading,
                    columns: percentile_columns(comparison),
                    rows: vec![cells],
                }),
            }
        }
    }
    grids
}

fn percentile_columns(comparison: &Comparison) -> Vec<Column> {
    let names = once(&comparison.base).chain(&comparison.new);
    let sides = names.flat_map(|name| [right(name), right("stddev")]);
    once(right("percentile")).chain(sides).collect()
}

fn percentile_row(percentile: &str, row: &Row) -> Vec<Cell> {
    let std = |std: Option<f64>| Cell::new(std.map_or("-".into(), number::value));
    let mut cells = vec![
        Cell::new(percentile),
        Cell::new(number::value(row.base.mean)),
        std(row.base.std),
    ];
    for compared in &row.new {
        match compared {
            None => cells.extend([Cell::new("-"), Cell::new("-")]),
            Some(compared) => cells.extend([
                Cell::told(number::value(compared.side.mean), compared.verdict),
                std(compared.side.std),
            ]),
        }
    }
    cells
}
