//! A real browser opens the page that `sisprobe report` makes of two big captures.

mod captures;

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use xtask::{
    command, compile,
    setup::{self, Part},
};

use captures::Setting;

/// On a desktop and on a phone, by day and by night. What it looks like is left in the folder
/// `report` beside the tests' programs, for somebody who looks.
#[test]
fn a_browser_shows_it_whole_and_without_a_complaint() {
    setup::ensure(&[Part::Test]).expect("a browser, and node to drive it");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of the run before");
    }
    fs::create_dir_all(&folder).expect("a folder");
    let told = look(&page(&folder), &folder);

    assert_eq!(told["problems"], Value::Array(Vec::new()));
    let views = list(&told["views"]);
    // Each view asks for the page, and for nothing else.
    assert_eq!(views.len(), 4);
    let asked = list(&told["requests"]);
    assert_eq!(asked.len(), views.len(), "{asked:?}");
    for address in asked {
        let address = address.as_str().expect("an address");
        let is_page = address.starts_with("file://") && address.ends_with("/report.html");
        assert!(is_page, "{address} is not the page");
    }
    for view in views {
        let name = view["name"].as_str().expect("a name");
        assert_eq!(view["overhang"], 0, "{name} scrolls to the side");
        has_figures(view, name);
        has_comparison(view, name);
        let picture = folder.join(format!("{name}-whole.png"));
        assert!(picture.is_file(), "{}", picture.display());
    }
    assert_eq!(views[0]["paper"], views[2]["paper"]);
    assert_ne!(views[0]["paper"], views[1]["paper"], "no night");
}

/// Makes the page in the folder, of two captures beside it.
fn page(folder: &Path) -> String {
    let files = [
        ("sis_util.json", Setting::SisUtil),
        ("no_sis_util.json", Setting::Full),
    ];
    for (name, setting) in files {
        captures::write(&folder.join(name), setting);
    }
    let binary = compile::debug_binary().unwrap_or_else(|error| panic!("{error:#}"));
    let mut sisprobe = Command::new(binary);
    sisprobe
        .arg("report")
        .args(files.map(|(name, _)| name))
        .args(["-o", "report.html"])
        .current_dir(folder);
    output(&mut sisprobe);
    format!("file://{}", folder.join("report.html").display())
}

fn look(url: &str, folder: &Path) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/report.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(url).arg(folder);
    serde_json::from_str(&output(&mut node)).expect("JSON")
}

/// Two of times, two of CPUs, and two over time of either capture; none is empty or wider than
/// the window.
fn has_figures(view: &Value, name: &str) {
    let figures = list(&view["figures"]);
    assert_eq!(figures.len(), 4 + 2 * 2, "{name}: {figures:?}");
    let widest = if name.starts_with("phone") {
        375.0
    } else {
        1280.0
    };
    for figure in figures {
        let number = |key: &str| figure[key].as_f64().unwrap_or(0.0);
        let is_there = number("height") > 100.0 && (200.0..widest).contains(&number("width"));
        assert!(is_there && number("marks") > 10.0, "{name}: {figure}");
    }
}

/// The tables tell that the second setting searches longer, with all runs, and scroll by
/// themselves where they are too wide.
fn has_comparison(view: &Value, name: &str) {
    let tables = list(&view["comparison"]);
    assert!(!tables.is_empty(), "{name}: no comparison");
    for table in tables {
        assert_eq!(table["box"], "auto", "{name}: {table}");
    }
    let runs = format!("{0}+{0}", captures::RUNS);
    for metric in [
        "time, s",
        "search time p50",
        "search time p99",
        "scanned mean",
    ] {
        let is_of_it = |table: &&Value| table["caption"].as_str().unwrap_or("").starts_with(metric);
        let table = tables.iter().find(is_of_it);
        let table = table.unwrap_or_else(|| panic!("{name}: no table of {metric}: {tables:?}"));
        let row = list(&list(&table["rows"])[0]);
        for cell in ["hackbench", &runs, "worse"] {
            assert!(row.contains(&cell.into()), "{name}: no {cell}: {table}");
        }
    }
    if name.starts_with("phone") {
        let is_wider = |table: &Value| table["overhang"].as_u64() > Some(0);
        assert!(tables.iter().any(is_wider), "{name}: nothing to scroll");
    }
}

fn output(program: &mut Command) -> String {
    command::output(program).unwrap_or_else(|error| panic!("{error:#}"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}
