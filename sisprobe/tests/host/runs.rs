//! `sisprobe capture` and `sisprobe ab`, as far as nothing is measured.

use crate::command::expect;

#[test]
fn what_cannot_be_meant_is_refused() {
    for (arguments, words) in [
        (&["capture"][..], "COMMAND"),
        (&["capture", "--duration", "1s", "--", "true"], "--duration"),
        (&["capture", "--runs", "0", "--", "true"], "--runs"),
        (&["capture", "--label", "kernel", "--", "true"], "KEY=VALUE"),
        (&["capture", "--metric", "a=(", "--", "true"], "--metric"),
        (
            &["capture", "--bench", "none such", "--", "true"],
            "--bench",
        ),
        (&["ab", "--", "true"], "--set"),
        (&["ab", "--set", "SIS_UTIL", "--", "true"], "NAME:FEATURE"),
        (&["ab", "--set", "a:SIS_UTIL"], "COMMAND"),
        (
            &["ab", "--set", "a:SIS_UTIL", "--loads", "0", "--", "true"],
            "--loads",
        ),
        (&["ab", "--restore", "--set", "a:SIS_UTIL"], "--restore"),
    ] {
        expect(arguments, 2, words);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_runs() {
    let ran = tempfile::tempdir().expect("a folder");
    let ran = ran.path().join("ran").display().to_string();
    let arguments = ["capture", "-o", "/none/runs.json", "--", "touch", &ran];
    let told = expect(&arguments, 1, "/none/runs.json");
    assert!(told.stderr.contains("Nothing was run"), "{}", told.stderr);
    assert!(!std::path::Path::new(&ran).exists());
}
