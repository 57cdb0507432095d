//! A comparison for spreadsheets: plain numbers, one row for each metric, case, load and side.

use std::io;

use crate::compare::{Comparison, statistics::Test};

const COLUMNS: [&str; 19] = [
    "metric",
    "unit",
    "better",
    "case",
    "load",
    "base",
    "new",
    "base_runs",
    "base_mean",
    "base_std",
    "new_runs",
    "new_mean",
    "new_std",
    "compare_percent",
    "verdict",
    "test",
    "p",
    "interval_low_percent",
    "interval_high_percent",
];

/// With a heading line (RFC 4180). What is not known is empty.
///
/// # Errors
///
/// None that can be met: it is written to memory.
pub fn csv(comparison: &Comparison) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for table in &comparison.tables {
        let metric = &table.metric;
        for row in &table.rows {
            for (name, compared) in comparison.new.iter().zip(&row.new) {
                let Some(compared) = compared else { continue };
                let (low, high) = compared.interval_percent.unzip();
                writer.serialize((
                    (&metric.name, &metric.unit, metric.better),
                    (&row.case, &row.load, &comparison.base, name),
                    (row.base.runs(), row.base.mean, row.base.std),
                    (compared.side.runs(), compared.side.mean, compared.side.std),
                    (compared.percent, compared.verdict),
                    (compared.test.map(test), compared.p, low, high),
                ))?;
            }
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

const fn test(test: Test) -> &'static str {
    match test {
        Test::Welch => "welch",
        Test::MannWhitney => "mann_whitney",
    }
}
