//! A comparison as one JSON document: `{"schema_version": 1, "comparison": {…}}`.

use serde::Serialize;

use crate::compare::Comparison;

/// Raised when a field changes its name or meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    comparison: &'a Comparison,
}

/// Over many lines.
///
/// # Errors
///
/// None that can be met: the fields are plain.
pub fn json(comparison: &Comparison) -> serde_json::Result<String> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        comparison,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
