//! Capture files: one JSON document, `{"schema_version": 1, "capture": {…}}`, compressed where the
//! name ends in `.zst`. See docs/capture-format.md.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use super::{Capture, skipped::Skipped};
use crate::whole_file;

/// Raised when a field changes its name or meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// The most text that is read, in bytes: enough for a thousand CPUs, one by one, in ten runs.
const MOST_TEXT: u64 = 512 << 20;
/// What a file compressed by zstd begins with (RFC 8878, 3.1.1).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// zstd's own default.
const ZSTD_LEVEL: i32 = 3;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Document<C> {
    /// The version of the form.
    schema_version: u32,
    /// What was measured.
    capture: C,
}

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

/// Why a capture file could not be read or written.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// It cannot be read at all.
    #[error("tried to read {path}; the answer was: {error}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// It holds more than any capture does.
    #[error("{path} has more than {} MiB of text, which no capture has", MOST_TEXT >> 20)]
    TooLarge {
        /// The file.
        path: String,
    },
    /// Not JSON, not a capture, or cut short.
    #[error("{path} is no capture file, or not all of it: {error}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong, with line and column.
        error: serde_json::Error,
    },
    /// Written by a later sisprobe.
    #[error(
        "{path} has schema version {found}, this sisprobe reads up to {SCHEMA_VERSION}; read it \
         with the sisprobe that wrote it"
    )]
    Version {
        /// The file.
        path: String,
        /// The version that it has.
        found: u32,
    },
    /// It cannot be written.
    #[error("tried to write {path}; the answer was: {error}. What was there before is unchanged")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

/// Reads a capture file, compressed or not.
///
/// # Errors
///
/// [`CaptureError`]: it cannot be read, or is no capture.
pub fn read(path: &Path) -> Result<Capture, CaptureError> {
    parse(&text(path)?, &path.display().to_string())
}

/// Reads a capture file as [`read`] does, but leaves the series out, which take most of a file's
/// room and most of the time to read it.
///
/// # Errors
///
/// [`CaptureError`]: it cannot be read, or is no capture. What is wrong inside of a series is not
/// seen.
pub fn read_without_series(path: &Path) -> Result<Capture, CaptureError> {
    let capture: Capture<Skipped> = parse_as(&text(path)?, &path.display().to_string())?;
    Ok(capture.into())
}

/// The text of a capture file, or of another one, compressed or not.
///
/// # Errors
///
/// [`CaptureError::Read`] and [`CaptureError::TooLarge`].
pub fn text(path: &Path) -> Result<Vec<u8>, CaptureError> {
    let name = || path.display().to_string();
    let unread = |error| CaptureError::Read {
        path: name(),
        error,
    };
    let text = File::open(path).and_then(unpacked).map_err(unread)?;
    text.ok_or_else(|| CaptureError::TooLarge { path: name() })
}

/// None where there is too much of it.
fn unpacked(mut file: File) -> io::Result<Option<Vec<u8>>> {
    let mut magic = Vec::new();
    Read::by_ref(&mut file)
        .take(ZSTD_MAGIC.len() as u64)
        .read_to_end(&mut magic)?;
    let packed = magic == ZSTD_MAGIC;
    let whole = io::Cursor::new(magic).chain(file);
    let mut text = Vec::new();
    if packed {
        let plain = zstd::Decoder::new(whole)?;
        plain.take(MOST_TEXT + 1).read_to_end(&mut text)?;
    } else {
        whole.take(MOST_TEXT + 1).read_to_end(&mut text)?;
    }
    Ok((text.len() as u64 <= MOST_TEXT).then_some(text))
}

/// Reads the text of a capture file, which errors call `path`.
///
/// # Errors
///
/// [`CaptureError`]: it is no capture.
pub fn parse(text: &[u8], path: &str) -> Result<Capture, CaptureError> {
    parse_as(text, path)
}

fn parse_as<C: DeserializeOwned>(text: &[u8], path: &str) -> Result<C, CaptureError> {
    let error = match serde_json::from_slice::<Document<C>>(text) {
        Ok(document) if document.schema_version <= SCHEMA_VERSION => return Ok(document.capture),
        Ok(document) => {
            return Err(CaptureError::Version {
                path: path.into(),
                found: document.schema_version,
            });
        }
        Err(error) => error,
    };
    // A later version fails somewhere; that it is one says more.
    match serde_json::from_slice(text) {
        Ok(Version { schema_version }) if schema_version > SCHEMA_VERSION => {
            Err(CaptureError::Version {
                path: path.into(),
                found: schema_version,
            })
        }
        _ => Err(CaptureError::Malformed {
            path: path.into(),
            error,
        }),
    }
}

/// The text of a capture file.
///
/// # Errors
///
/// What the serializer answers.
pub fn to_json(capture: &Capture) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(&Document {
        schema_version: SCHEMA_VERSION,
        capture,
    })?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a capture file whole or not at all, compressed where the name ends in `.zst`.
///
/// # Errors
///
/// [`CaptureError::Write`].
pub fn write(path: &Path, capture: &Capture) -> Result<(), CaptureError> {
    let failed = |error| CaptureError::Write {
        path: path.display().to_string(),
        error,
    };
    let mut bytes = to_json(capture).map_err(|error| failed(error.into()))?;
    if path.extension().is_some_and(|suffix| suffix == "zst") {
        bytes = zstd::encode_all(bytes.as_slice(), ZSTD_LEVEL).map_err(failed)?;
    }
    whole_file::write(path, &bytes).map_err(failed)
}
