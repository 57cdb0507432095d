//! How long `sisprobe compare` takes: two captures of 32 LLCs, ten runs each, with and without a
//! series of full length, read on two threads and compared.
//!
//! `cargo run --release -p sisprobe --example compare_time`

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sisprobe::{
    capture::{self, Capture},
    compare::{Choice, Comparison, Named},
    sink::compare::{Form, text},
};

const CAPTURE: &str = include_str!("../tests/fixtures/capture/version-1.json");
const LLCS: usize = 32;
const RUNS: usize = 10;
const REPEATS: usize = 15;

fn main() {
    let folder = std::env::temp_dir().join(format!("sisprobe-compare-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for columns in [0, 60, 100] {
        for suffix in ["json", "json.zst"] {
            let files = ["base", "new"].map(|name| folder.join(format!("{name}.{suffix}")));
            for (place, file) in files.iter().enumerate() {
                write(file, place, columns);
            }
            measure(&files, columns, suffix);
        }
    }
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

/// The capture of the tests, many times over.
fn write(file: &Path, place: usize, columns: usize) {
    let mut document: Value = serde_json::from_str(CAPTURE).expect("a document");
    let run = document["capture"]["runs"][0].clone();
    let runs = (0..RUNS).map(|number| {
        let mut run = run.clone();
        let name = |llc: usize| json!(format!("LLC {llc}"));
        let groups = (0..LLCS).map(|llc| {
            let mut group = run["report"]["groups"][0].clone();
            group["name"] = name(llc);
            group["figures"]["wakeups"] = json!(600_000 + 1_000 * number + 7_000 * place);
            group
        });
        run["report"]["groups"] = groups.collect();
        let repeated = |what: &Value| -> Value {
            let all = what.as_array().expect("an array").iter().cycle();
            all.take(columns).cloned().collect()
        };
        let series = (0..LLCS).map(|llc| {
            let mut series = run["series"][0].clone();
            series["group"] = name(llc);
            series["columns"] = repeated(&series["columns"]);
            series["looks"] = repeated(&series["looks"]);
            series
        });
        run["series"] = series.collect();
        run
    });
    document["capture"]["runs"] = runs.collect();
    document["capture"]["planned_runs"] = json!(RUNS);
    let capture: Capture = serde_json::from_value(document["capture"].take()).expect("a capture");
    capture::write(file, &capture).expect("the file can be written");
}

fn measure(files: &[PathBuf; 2], columns: usize, suffix: &str) {
    let size = fs::metadata(&files[0]).expect("a file").len();
    // The least: what else the machine does can only add to it.
    let times = (0..REPEATS).map(|_| once(files));
    let (all, reading) = times.min().unwrap_or_default();
    println!(
        "{columns:>3} columns, {suffix:<8} {:>6.1} MB a file: {:>6.1} ms, {:>6.1} ms of them to read",
        size as f64 / 1e6,
        all.as_secs_f64() * 1e3,
        reading.as_secs_f64() * 1e3,
    );
}

/// All of it, and the reading alone.
fn once(files: &[PathBuf; 2]) -> (Duration, Duration) {
    let began = Instant::now();
    let read = |file: &PathBuf| capture::read_without_series(file).expect("a capture");
    let [base, new] = files;
    let (base, new) = thread::scope(|scope| {
        let base = scope.spawn(|| read(base));
        let new = read(new);
        (base.join().expect("no panic"), new)
    });
    let reading = began.elapsed();
    let named = [("base", &base), ("new", &new)].map(|(name, capture)| Named {
        name: name.into(),
        capture,
    });
    let comparison = Comparison::of(&named, &Choice::default()).expect("they can be compared");
    assert!(text(&comparison, Form::Ab).contains("10+10"));
    (began.elapsed(), reading)
}
