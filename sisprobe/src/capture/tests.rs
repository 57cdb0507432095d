//! Capture files as they are written, read and refused.

use std::{fs, path::PathBuf};

use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{file::Document, *};

fn document(capture: &Capture) -> Value {
    json!({ "schema_version": SCHEMA_VERSION, "capture": capture })
}

fn refused(document: &Value) -> String {
    let text = document.to_string();
    parse(text.as_bytes(), "x.json").unwrap_err().to_string()
}

fn written(name: &str, capture: &Capture) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write(&path, capture).unwrap();
    (folder, path)
}

#[test]
fn what_is_written_is_read_back() {
    let capture = sample::capture(3);
    for name in ["runs.json", "runs.json.zst"] {
        let (_folder, path) = written(name, &capture);
        assert_eq!(read(&path).unwrap(), capture);
    }
    let size = |name| {
        let (_folder, path) = written(name, &capture);
        fs::metadata(path).unwrap().len()
    };
    assert!(size("runs.json.zst") * 3 < size("runs.json"));
}

#[test]
fn series_can_be_passed_over() {
    let mut capture = sample::capture(3);
    let (_folder, path) = written("runs.json.zst", &capture);
    capture.runs.iter_mut().for_each(|run| run.series.clear());
    assert_eq!(read_without_series(&path).unwrap(), capture);
    fs::write(&path, "{}").unwrap();
    let error = read_without_series(&path).unwrap_err().to_string();
    assert!(error.contains("missing field"), "{error}");
}

/// Whatever a later sisprobe writes, it must read this.
#[test]
fn the_first_version_stays_readable() {
    const FIRST: &str = include_str!("../../tests/fixtures/capture/version-1.json");
    let capture = parse(FIRST.as_bytes(), "version-1.json").unwrap();
    assert_eq!(capture.command, ["hackbench", "-g", "4"]);
    assert_eq!(capture.cell.as_ref().unwrap().load, Some(50));
    assert_eq!(capture.runs.len(), 2);
    for (run, times) in capture.runs.iter().zip([5, 10]) {
        let figures = &run.report.groups[0].figures;
        assert_eq!(figures.wakeups, 120_000 * times);
        assert_eq!(figures.duration.count(), 16_741 * times);
        assert_eq!(run.series[0].looks.len(), 5);
        assert_eq!(run.metrics[0].unit, "s");
        assert!(run.counts());
    }
    let unknown = FIRST.replacen("\"capture\":{", "\"capture\":{\"later\":[1],", 1);
    assert_ne!(unknown, FIRST);
    assert_eq!(parse(unknown.as_bytes(), "").unwrap(), capture);
}

#[test]
fn a_later_version_is_told_as_one() {
    let mut later = document(&sample::capture(1));
    later["schema_version"] = json!(SCHEMA_VERSION + 1);
    let told = "x.json has schema version 2, this sisprobe reads up to 1";
    assert!(refused(&later).starts_with(told));
    later["capture"] = json!("of another form");
    assert!(refused(&later).starts_with(told));
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    let text = document(&sample::capture(1)).to_string();
    let told = |text: &[u8]| parse(text, "x.json").unwrap_err().to_string();
    assert_eq!(
        told(b""),
        "x.json is no capture file, or not all of it: EOF while parsing a value at line 1 column 0"
    );
    for end in (1..text.len()).step_by(101) {
        let error = told(&text.as_bytes()[..end]);
        assert!(error.contains("line 1 column"), "{error}");
    }
    let mut other_scheme = document(&sample::capture(1));
    let group = &mut other_scheme["capture"]["runs"][0]["report"]["groups"][0];
    group["figures"]["scanned"]["top"] = json!(32);
    assert!(refused(&other_scheme).contains("histogram top is 32, that of this figure is 13"));
    let mut no_row = document(&sample::capture(1));
    let series = &mut no_row["capture"]["runs"][0]["series"][0];
    series["columns"][0]["durations"]["99"] = json!(1);
    assert!(refused(&no_row).contains("there is no row 99"));
}

#[test]
fn what_cannot_be_unpacked_is_refused() {
    let (_folder, path) = written("cut.zst", &sample::capture(1));
    let packed = fs::read(&path).unwrap();
    for end in [4, 5, packed.len() / 2, packed.len() - 1] {
        fs::write(&path, &packed[..end]).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("cut.zst"), "{error}");
    }
}

#[test]
fn what_unpacks_to_no_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.zst");
    let blanks = std::io::Read::take(std::io::repeat(b' '), (512 << 20) + 1);
    let packed = zstd::encode_all(blanks, 1).unwrap();
    assert!(packed.len() < 1 << 20);
    fs::write(&path, packed).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.ends_with("has more than 512 MiB of text, which no capture has"));
}

#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/runs.json");
    let error = write(&path, &sample::capture(1)).unwrap_err().to_string();
    assert!(error.contains("none/runs.json; the answer was: No such file"));
}

#[test]
fn statuses_are_those_of_a_shell() {
    assert_eq!(Exit::Status(3).code(), 3);
    assert_eq!(Exit::Signal(9).code(), 137);
    assert_eq!(Exit::Status(-1).code(), 255);
}

/// Writes captures to try readers on, those of a large machine among them:
/// `SISPROBE_CAPTURES=FOLDER cargo test -p sisprobe --lib -- --ignored captures_to_try`.
#[test]
#[ignore = "writes files"]
fn captures_to_try() {
    let folder = std::env::var_os("SISPROBE_CAPTURES").expect("SISPROBE_CAPTURES");
    let folder = PathBuf::from(folder);
    for (name, capture) in [
        ("small.json", sample::capture(3)),
        ("bracketed.json", sample::bracketed(3)),
        ("large.json", sample::large(32, 10, 240)),
        ("large.json.zst", sample::large(32, 10, 240)),
    ] {
        write(&folder.join(name), &capture).unwrap();
    }
}

/// docs/capture-format.md must have every field that is not the report's.
#[test]
fn every_field_is_documented() {
    const FORMAT: &str = include_str!("../../../docs/capture-format.md");
    let document = document(&sample::capture(1));
    let capture = &document["capture"];
    let run = &capture["runs"][0];
    let series = &run["series"][0];
    for object in [
        &document,
        capture,
        &capture["machine"],
        &capture["machine"]["topology"],
        &capture["probes"],
        &capture["cell"],
        run,
        series,
        &series["columns"][0],
        &series["looks"][0],
        &run["metrics"][0],
    ] {
        for field in object.as_object().unwrap().keys() {
            let documented = [format!("`{field}`"), format!("\"{field}\"")];
            assert!(
                documented.iter().any(|name| FORMAT.contains(name)),
                "{field}"
            );
        }
    }
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    fn schema<C: JsonSchema>() -> String {
        let schema = schema_for!(Document<C>);
        serde_json::to_string_pretty(&schema).unwrap() + "\n"
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/capture.schema.json");
    let schema = schema::<Capture>();
    if std::env::var_os("SISPROBE_BLESS").is_some() {
        fs::write(path, &schema).unwrap();
    }
    let published = fs::read_to_string(path).unwrap();
    assert!(
        published == schema,
        "docs/capture.schema.json is not that of the types; SISPROBE_BLESS=1 writes it"
    );
}
