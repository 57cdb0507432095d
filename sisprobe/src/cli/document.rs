//! Files to be looked at: captures, and the reports that `sisprobe --json` writes.

use std::path::Path;

use serde::{Deserialize, de::IgnoredAny};

use crate::{
    capture::{self, Capture},
    failure::Failure,
    report::Report,
    sink::json,
};

/// What is in a file.
pub(super) enum Document {
    /// A capture.
    Capture(Box<Capture>),
    /// Reports of one measurement, each of everything since its start; never none.
    Reports(Vec<Report>),
}

/// Reads a file, compressed or not, and finds out what it is.
///
/// # Errors
///
/// [`Failure::Usage`]: it cannot be read, or is neither.
pub(super) fn read(path: &Path) -> Result<Document, Failure> {
    let usage = |error: capture::CaptureError| Failure::Usage(error.to_string());
    let text = capture::text(path).map_err(usage)?;
    let name = path.display().to_string();
    if !is_report(&text) {
        return match capture::parse(&text, &name) {
            Ok(capture) => Ok(Document::Capture(Box::new(capture))),
            Err(error) => Err(usage(error)),
        };
    }
    let refused = |error: String| Failure::Usage(format!("{name}: {error}"));
    let text = String::from_utf8(text).map_err(|error| refused(error.to_string()))?;
    reports(&text).map(Document::Reports).map_err(refused)
}

/// Reads a capture file.
///
/// # Errors
///
/// As [`read`]; also where it is a report.
pub(super) fn capture(path: &Path) -> Result<Capture, Failure> {
    match read(path)? {
        Document::Capture(capture) => Ok(*capture),
        Document::Reports(_) => Err(Failure::Usage(format!(
            "{} is what 'sisprobe --json' writes, a report, and no capture file: 'sisprobe show' \
             and 'sisprobe model --from' take it",
            path.display()
        ))),
    }
}

/// Whether the first JSON value is the document of a report. What is broken is none.
fn is_report(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Form {
        #[serde(rename = "report")]
        _report: IgnoredAny,
    }
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Form>();
    matches!(values.next(), Some(Ok(_)))
}

/// One document over all lines, or one a line.
fn reports(text: &str) -> Result<Vec<Report>, String> {
    if let Ok(report) = json::read(text) {
        return Ok(vec![report]);
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
    lines
        .map(|(line, number)| json::read(line).map_err(|error| format!("line {number}: {error}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use tempfile::TempDir;

    use super::*;
    use crate::{capture::sample as captures, sink::sample};

    fn written(text: &[u8]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn lines(elapsed: &[u32]) -> Vec<u8> {
        let mut text = Vec::new();
        for &elapsed in elapsed {
            json::write_line(&mut text, &sample::report(1, elapsed)).unwrap();
        }
        text
    }

    fn refused(text: &[u8]) -> String {
        let (_folder, path) = written(text);
        let failure = read(&path).err().unwrap();
        assert_eq!(failure.status(), 2);
        failure.to_string()
    }

    #[test]
    fn what_is_in_a_file_is_found_out() {
        let (_folder, path) = written(&capture::to_json(&captures::capture(1)).unwrap());
        assert!(matches!(read(&path), Ok(Document::Capture(_))));
        let (_folder, path) = written(&lines(&[1, 2]));
        assert!(matches!(read(&path), Ok(Document::Reports(all)) if all.len() == 2));
        assert!(
            capture(&path)
                .unwrap_err()
                .to_string()
                .contains("sisprobe show")
        );
        let mut pretty = Vec::new();
        json::write_pretty(&mut pretty, &sample::report(1, 5)).unwrap();
        let (_folder, path) = written(&pretty);
        assert!(matches!(read(&path), Ok(Document::Reports(all)) if all.len() == 1));
    }

    #[test]
    fn what_is_neither_is_told_with_its_place() {
        assert!(refused(b"").contains("x is no capture file, or not all of it: EOF"));
        assert!(refused(b"{}").contains("missing field"));
        let mut cut = lines(&[1, 2]);
        cut.truncate(cut.len() - 9);
        assert!(refused(&cut).contains("line 2: not a sisprobe report"));
        assert!(refused(b"\x28\xb5\x2f\xfd junk").contains("tried to read"));
    }
}
