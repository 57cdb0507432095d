//! The report as one JSON document: `{"schema_version": 2, "report": {…}}`.
//!
//! All figures are counts since the start, durations in ns, `elapsed` in seconds. Histograms are
//! sparse: see [`crate::histogram::Histogram`]. Beside the figures of a group stands what follows
//! from them, `efficiency`; it is computed anew where a report is read back.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::report::{Efficiency, Group, Health, Report, Source};

/// Raised when a field changes its name or meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 2;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    report: Whole<'a>,
}

/// [`Report`] with what follows from its figures.
#[derive(Serialize)]
struct Whole<'a> {
    source: &'a Source,
    elapsed: f64,
    groups: Vec<WholeGroup<'a>>,
    health: &'a Health,
}

#[derive(Serialize)]
struct WholeGroup<'a> {
    #[serde(flatten)]
    group: &'a Group,
    efficiency: Option<Efficiency>,
}

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

#[derive(Deserialize)]
struct Owned {
    report: Report,
}

/// Why a document could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Not JSON, or not a report.
    #[error("not a sisprobe report: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Written by a sisprobe with another schema.
    #[error(
        "the report has schema version {found}, this sisprobe reads {SCHEMA_VERSION}; \
         read it with the sisprobe that wrote it"
    )]
    Version {
        /// The version that it has.
        found: u32,
    },
}

/// One document over many lines, for files.
///
/// # Errors
///
/// What `out` answers.
pub fn write_pretty(out: &mut impl Write, report: &Report) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(report))?;
    writeln!(out)
}

/// One document on one line, for streams.
///
/// # Errors
///
/// What `out` answers.
pub fn write_line(out: &mut impl Write, report: &Report) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &document(report))?;
    writeln!(out)
}

/// Reads back what [`write_pretty`] or [`write_line`] wrote.
///
/// # Errors
///
/// [`ReadError`], if it is no such document, or one of another [`SCHEMA_VERSION`].
pub fn read(text: &str) -> Result<Report, ReadError> {
    let Version { schema_version } = serde_json::from_str(text)?;
    if schema_version != SCHEMA_VERSION {
        return Err(ReadError::Version {
            found: schema_version,
        });
    }
    let Owned { report } = serde_json::from_str(text)?;
    Ok(report)
}

fn document(report: &Report) -> Document<'_> {
    // Named one by one, so that no field of a report is forgotten.
    let Report {
        source,
        elapsed,
        groups,
        health,
    } = report;
    let groups = groups.iter().map(|group| WholeGroup {
        group,
        efficiency: Efficiency::of(&group.figures, source.fidelity),
    });
    Document {
        schema_version: SCHEMA_VERSION,
        report: Whole {
            source,
            elapsed: *elapsed,
            groups: groups.collect(),
            health,
        },
    }
}
