//! `sisprobe compare` on files.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{expect, fixture, run, sisprobe};

/// Two captures, of which the second is twice as slow; beside them, in a folder of its own.
fn captures() -> (TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let paths = [path("stock.json"), path("patched.json")];
    let text = fs::read(fixture("capture/version-1.json")).expect("a capture");
    fs::write(&paths[0], &text).expect("a file");
    let mut slow: Value = serde_json::from_slice(&text).expect("JSON");
    for run in slow["capture"]["runs"].as_array_mut().expect("runs") {
        let value = &mut run["metrics"][0]["value"];
        *value = (2.0 * value.as_f64().expect("a number")).into();
    }
    fs::write(&paths[1], slow.to_string()).expect("a file");
    (folder, paths)
}

#[test]
fn a_table_whatever_the_verdict() {
    let (_folder, [stock, patched]) = captures();
    let told = expect(&["compare", &stock, &patched], 0, "patched against stock").stdout;
    let row = "hackbench               50 %             1.00 (  0.14)  -100.00 ( 0.14)  2+2  worse";
    assert!(told.contains(row), "{told}");
    for (options, words) in [
        (&["--format", "markdown"][..], "| hackbench | 50 % |"),
        (
            &["--format", "csv"],
            "time,s,lower,hackbench,50 %,stock,patched,2,",
        ),
        (&["--format", "json"], "\"schema_version\": 1"),
        (&["--format", "html"], "<!doctype html>"),
        (&["--form", "two-column"], "(-100.00 pct)*"),
        (
            &["--form", "percentile"],
            "search time in ns, hackbench 50 %",
        ),
        (
            &["--metric", "scanned_mean", "--group", "LLC 0"],
            "scanned mean, CPUs, lower is better",
        ),
    ] {
        expect(
            &[&["compare", &stock, &patched], options].concat(),
            0,
            words,
        );
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let (folder, [stock, patched]) = captures();
    let out = folder.path().join("out.html");
    let arguments = |out: &Path| {
        let out = out.display().to_string();
        ["compare", &stock, &patched, "--format", "html", "-o", &out].map(String::from)
    };
    let ended = run(&mut sisprobe(arguments(&out)));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""));
    let page = fs::read_to_string(&out).expect("the page");
    assert!(page.ends_with("</html>\n"), "{page}");
    let ended = run(&mut sisprobe(arguments(
        &folder.path().join("none/out.html"),
    )));
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.contains("none/out.html; the answer was"),
        "{}",
        ended.stderr
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (folder, [stock, patched]) = captures();
    let other = folder.path().join("other.json").display().to_string();
    let text = fs::read_to_string(&patched).expect("a capture");
    fs::write(&other, text.replace("\"unit\":\"s\"", "\"unit\":\"ms\"")).expect("a file");
    for (arguments, words) in [
        (&["compare"][..], "<BASE>"),
        (&["compare", &stock], "<NEW>"),
        (&["compare", &stock, &stock], "twice"),
        (&["compare", &stock, "/no/such"], "tried to read /no/such"),
        (
            &["compare", &stock, "/dev/null"],
            "/dev/null is no capture file",
        ),
        (
            &["compare", &stock, &other],
            "the metric time is in s (lower is better) here",
        ),
        (
            &["compare", &stock, &patched, "--metric", "x"],
            "there is no metric x",
        ),
        (
            &["compare", &stock, &patched, "--group", "LLC 7"],
            "has no group LLC 7",
        ),
        (
            &["compare", &stock, &patched, "--format", "pdf"],
            "markdown",
        ),
    ] {
        expect(arguments, 2, words);
    }
}

#[test]
fn warnings_go_with_every_format() {
    let (folder, [stock, patched]) = captures();
    let text = fs::read_to_string(&patched).expect("a capture");
    let other = folder.path().join("other.json").display().to_string();
    fs::write(
        &other,
        text.replace("\"fidelity\":\"inlined\"", "\"fidelity\":\"exact\""),
    )
    .expect("a file");
    let words = "fidelity differs: inlined in stock, exact in other";
    for format in ["table", "markdown", "json", "html"] {
        expect(&["compare", &stock, &other, "--format", format], 0, words);
    }
    let ended = run(&mut sisprobe([
        "compare", &stock, &other, "--format", "csv",
    ]));
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
}
