//! A real browser opens the page: it shows what the daemon says, and goes on to.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde_json::Value;
use xtask::command;

use crate::served::Served;

/// The page in the browser, by day and by night, on a desktop and on a phone. What it looks like is
/// left in the folder `page` beside the tests' programs, for somebody who looks.
pub fn shows_what_sisprobe_says(served: &Served) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    fs::create_dir_all(&folder).expect("a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab/look.mjs");
    let origin = format!("http://{}/", served.address());
    let mut node = Command::new("node");
    node.arg(script).arg(&origin).arg(&folder);
    let told = command::output(&mut node).unwrap_or_else(|error| panic!("{error:#}"));
    let told: Value = serde_json::from_str(&told).expect("JSON");

    assert_eq!(told["problems"], Value::Array(Vec::new()));
    let requests = list(&told["requests"]);
    for request in requests {
        let url = request.as_str().expect("an address");
        assert!(url.starts_with(&origin), "{url} is not the daemon's");
    }
    for file in ["page/style.css", "page/events", "chart/heatmap.svg"] {
        let asked = |url: &Value| url.as_str().is_some_and(|url| url.contains(file));
        assert!(requests.iter().any(asked), "nobody asked for {file}");
    }
    let views = list(&told["views"]);
    assert_eq!(views.len(), 4);
    for view in views {
        let (name, looks) = (&view["name"], list(&view["looks"]));
        for look in looks {
            assert_eq!(look["connection"], "live", "{name}");
            assert_eq!(look["overhang"], 0, "{name} scrolls to the side");
            rows_agree(look);
        }
        assert_ne!(
            looks[0]["histograms"], looks[1]["histograms"],
            "{name}: nothing changes"
        );
    }
    assert!(folder.join("phone-dark-whole.png").is_file());
}

/// The counts of each histogram's rows are those of the report's buckets, put together by powers of
/// two; a row without a count may be between them.
fn rows_agree(look: &Value) {
    let groups = list(&look["report"]["groups"]);
    let group = groups.iter().find(|group| group["name"] == look["group"]);
    let figures = &group.expect("the group that is shown")["figures"];
    let histograms = list(&look["histograms"]);
    assert!(histograms.len() >= 3, "{histograms:?}");
    for histogram in histograms {
        let key = histogram["key"].as_str().expect("a key");
        let mut expected = BTreeMap::new();
        for (least, count) in figures[key]["counts"].as_object().expect("counts") {
            let least: u64 = least.parse().expect("a whole number");
            *expected.entry(least.checked_ilog2()).or_default() += whole(count);
        }
        let rows = list(&histogram["rows"]).iter();
        let shown: Vec<u64> = rows
            .map(|row| row[1].as_str().expect("text").parse().expect("a count"))
            .filter(|&count| count > 0)
            .collect();
        assert_eq!(shown, expected.into_values().collect::<Vec<u64>>(), "{key}");
    }
    let searches: u64 = (figures["duration"]["counts"]
        .as_object()
        .into_iter()
        .flatten())
    .map(|(_, count)| whole(count))
    .sum();
    assert!(searches > 100, "only {searches} searches were shown");
}

fn whole(count: &Value) -> u64 {
    count.as_u64().expect("a count")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}
