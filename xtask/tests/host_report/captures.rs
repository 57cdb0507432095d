//! Two captures of a big machine, made of the one that the reader of capture files is tested with.

use std::{fs, path::Path};

use serde_json::{Map, Value, json};

/// The capture of two runs on a machine of 16 CPUs.
const CAPTURE: &str = include_str!("../../../sisprobe/tests/fixtures/capture/version-1.json");

pub const LLCS: u64 = 32;
pub const RUNS: u64 = 10;
/// CPUs of an LLC, of which two are a core.
const CPUS: u64 = 8;
/// Columns of a run, each of a second.
const COLUMNS: u64 = 20;

/// Under which setting a capture was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// SIS_UTIL
    SisUtil,
    /// NO_SIS_UTIL: every search may look at all CPUs, and takes twice as long.
    Full,
}

/// Writes a capture of [`LLCS`] and [`RUNS`] under that setting.
pub fn write(file: &Path, setting: Setting) {
    let mut document: Value = serde_json::from_str(CAPTURE).expect("a capture");
    let capture = &mut document["capture"];
    machine(&mut capture["machine"], setting);
    let (name, features) = match setting {
        Setting::SisUtil => ("sis_util", "SIS_UTIL"),
        Setting::Full => ("no_sis_util", "NO_SIS_UTIL"),
    };
    capture["cell"]["setting"] = json!(name);
    capture["cell"]["features"] = json!([features]);
    capture["planned_runs"] = json!(RUNS);
    let model = capture["runs"][0].take();
    capture["runs"] = (0..RUNS)
        .map(|number| run(model.clone(), number, setting))
        .collect();
    fs::write(file, document.to_string()).expect("the file can be written");
}

fn machine(machine: &mut Value, setting: Setting) {
    machine["features"][1]["enabled"] = json!(setting == Setting::SisUtil);
    let topology = &mut machine["topology"];
    let all = cpus(0, LLCS * CPUS);
    for set in ["possible", "present", "online"] {
        topology[set] = json!(all);
    }
    topology["nodes"][0]["cpus"] = json!(all);
    let llc = |number| {
        let cpus = cpus(number * CPUS, CPUS);
        json!({"number": number, "cpus": cpus, "cache_id": number, "level": 3})
    };
    topology["llcs"] = (0..LLCS).map(llc).collect();
    let core = |number| json!({"cpus": cpus(number * 2, 2)});
    topology["cores"] = (0..LLCS * CPUS / 2).map(core).collect();
}

fn run(mut run: Value, number: u64, setting: Setting) -> Value {
    let seconds = COLUMNS as f64;
    run["wall_time"] = json!(seconds + number as f64 / 100.0);
    let time = match setting {
        Setting::SisUtil => 5.0,
        Setting::Full => 5.6,
    };
    run["metrics"][0]["value"] = json!(time + (number * 7 % RUNS) as f64 / 50.0);
    let report = &mut run["report"];
    report["elapsed"] = json!(seconds);
    if setting == Setting::Full {
        report["source"]["sis_features"] = json!([]);
        report["source"]["policy"] = json!({"policy": "full", "because": "SIS_UTIL is off"});
    }
    let group = report["groups"][0].take();
    report["groups"] = (0..LLCS)
        .map(|llc| self::group(group.clone(), llc, number, setting))
        .collect();
    let series = run["series"][0].take();
    run["series"] = (0..LLCS)
        .map(|llc| self::series(series.clone(), llc, setting))
        .collect();
    run
}

/// The longest searches are more in some runs.
fn group(mut group: Value, llc: u64, run: u64, setting: Setting) -> Value {
    group["name"] = json!(format!("LLC {llc}"));
    group["llc"] = json!(llc);
    group["cpus"] = json!(cpus(llc * CPUS, CPUS));
    let figures = &mut group["figures"];
    let more = run * 3 % RUNS * 50;
    add(&mut figures["duration"], 8192, more);
    add(&mut figures["scanned"], 7, more);
    grow(&mut figures["outcomes"]["idle_cpu"], |count| count + more);
    if setting == Setting::Full {
        longer(&mut figures["duration"]);
        let skipped = figures["outcomes"]["skipped"].as_u64().expect("a count");
        figures["outcomes"]["skipped"] = json!(0);
        let none_found = &mut figures["outcomes"]["domain_exhausted"];
        grow(none_found, |count| count + skipped);
        for what in ["scanned", "limit"] {
            counts(&mut figures[what]).remove("0");
            add(&mut figures[what], CPUS, skipped);
        }
    }
    // The capture is of five seconds.
    times(figures, load(llc) * COLUMNS / 5);
    group
}

/// The seconds of the capture over and over, some with twice as much and some with nothing to do.
fn series(mut series: Value, llc: u64, setting: Setting) -> Value {
    series["group"] = json!(format!("LLC {llc}"));
    for what in ["columns", "looks"] {
        let models = series[what].as_array().expect("a list");
        let seconds = (0..COLUMNS).zip(models.iter().cycle());
        series[what] = seconds
            .map(|(second, model)| {
                let mut one = model.clone();
                if what == "looks" {
                    one["at"] = json!((second + 1) as f64);
                    return one;
                }
                if setting == Setting::Full {
                    later(&mut one["durations"]);
                }
                grow(&mut one["scanned"]["sum"], |sum| match setting {
                    Setting::SisUtil => sum,
                    Setting::Full => 2 * sum,
                });
                times(&mut one, load(llc) * [2, 1, 0, 1][second as usize % 4]);
                one["from"] = json!(second as f64);
                one["to"] = json!((second + 1) as f64);
                one["predicted"] = model["predicted"].clone();
                one
            })
            .collect();
    }
    series
}

/// The first LLCs have more to do than the last.
fn load(llc: u64) -> u64 {
    1 + (LLCS - llc) / 8
}

/// All counts and sums in it so many times.
fn times(value: &mut Value, factor: u64) {
    match value {
        Value::Object(members) => {
            let members = members.iter_mut().filter(|(name, _)| *name != "top");
            members.for_each(|(_, member)| times(member, factor));
        }
        Value::Number(number) if number.is_u64() => grow(value, |count| count * factor),
        _ => {}
    }
}

/// Every time in a histogram is twice as long, which has a bucket too.
fn longer(histogram: &mut Value) {
    grow(&mut histogram["sum"], |sum| 2 * sum);
    rename(counts(histogram), |least| 2 * least);
}

/// The same in a column, whose rows are the powers of two.
fn later(durations: &mut Value) {
    rename(durations.as_object_mut().expect("rows"), |row| row + 1);
}

fn rename(counts: &mut Map<String, Value>, name: impl Fn(u64) -> u64) {
    let old = std::mem::take(counts);
    counts.extend(old.into_iter().map(|(key, count)| {
        let key = key.parse().expect("a whole number");
        (name(key).to_string(), count)
    }));
}

fn add(histogram: &mut Value, least: u64, more: u64) {
    grow(&mut histogram["sum"], |sum| sum + least * more);
    let count = counts(histogram)
        .entry(least.to_string())
        .or_insert(json!(0));
    grow(count, |count| count + more);
}

fn counts(histogram: &mut Value) -> &mut Map<String, Value> {
    histogram["counts"].as_object_mut().expect("counts")
}

fn grow(value: &mut Value, by: impl Fn(u64) -> u64) {
    *value = json!(by(value.as_u64().expect("a whole number")));
}

fn cpus(first: u64, count: u64) -> String {
    format!("{first}-{}", first + count - 1)
}
