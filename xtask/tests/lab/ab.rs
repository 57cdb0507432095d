//! Settings held against each other on 6.1, and what is left where that is ended.

use std::time::Duration;

use serde_json::Value;

use crate::guest;

const LOADS: usize = 8;

/// With loads from a quarter of the CPUs on, three policies differ as they do by their models; the
/// same one twice does not.
#[test]
fn three_policies_and_one_twice() {
    let lab = guest::lab("6.1")
        .debuginfo(true)
        .timeout(Duration::from_secs(900));
    let outcome = guest::run(&lab, ". /with/ab.sh");
    let table = guest::left(&outcome, "three.txt");
    assert!(table.contains("baseline(std%)"), "{table}");
    assert_eq!(guest::left(&outcome, "again.txt"), table);

    let three = document(&guest::left(&outcome, "three.json"));
    assert_eq!(three["base"], "util", "{three}");
    let scanned = &of_metric(&three, "scanned_mean")["rows"];
    let rows = scanned.as_array().expect("rows");
    assert_eq!(rows.len(), LOADS);
    // Where there are as many tasks as CPUs, and more, SIS_UTIL looks at fewer CPUs than a search
    // without a bound, and so it is told.
    for row in &rows[LOADS / 2..] {
        let neither = &row["new"][1];
        let mean = |side: &Value| side["mean"].as_f64().expect("a mean");
        assert!(mean(&row["base"]) < mean(&neither["side"]), "{row}");
        assert_eq!(neither["verdict"], "worse", "{row}\n{table}");
    }

    let same = document(&guest::left(&outcome, "same.json"));
    let (mut cells, mut told) = (0, 0);
    for metric in same["tables"].as_array().expect("tables") {
        for row in metric["rows"].as_array().expect("rows") {
            cells += 1;
            let verdict = row["new"][0]["verdict"].as_str().expect("a verdict");
            told += i32::from(verdict != "no difference");
        }
    }
    assert!(cells >= 40, "{same}");
    // 5 % at most.
    let table = guest::left(&outcome, "same.txt");
    assert!(told * 20 <= cells, "{told} of {cells} differ:\n{table}");
}

#[test]
fn nothing_is_left_of_what_was_killed() {
    let lab = guest::lab("6.1").timeout(Duration::from_secs(900));
    let outcome = guest::run(&lab, ". /with/kills.sh");
    let said = |name, words: &[&str]| {
        let text = guest::left(&outcome, name);
        for word in words {
            assert!(text.contains(word), "{name} has no {word}: {text}");
        }
    };
    said(
        "full.txt",
        &[
            "small/one.json",
            "No space left",
            "unchanged",
            "sisprobe-rescued-",
        ],
    );
    said("rescued.txt", &["hackbench"]);
    said("nowhere.txt", &["/none/one.json", "Nothing was run"]);
    said("absent.txt", &["tried to start no-such-program"]);
}

fn document(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("one document");
    document["comparison"].clone()
}

fn of_metric<'a>(comparison: &'a Value, name: &str) -> &'a Value {
    let mut tables = comparison["tables"].as_array().expect("tables").iter();
    let of = |table: &&Value| table["metric"]["name"] == name;
    tables.find(of).unwrap_or_else(|| panic!("no {name}"))
}
