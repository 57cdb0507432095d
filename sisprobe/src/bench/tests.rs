//! What holds for every reader.

use std::{collections::HashSet, fmt::Write as _, fs, path::Path};

use proptest::prelude::*;

use super::{Bench, BenchError, Better, MAX_METRICS, Metric, metric::is_name, put, reader::Reader};

/// A stored output, by its name without `.txt`.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../tests/fixtures/bench/", $name, ".txt"))
    };
}
pub(super) use fixture;

/// `reader` must find in `output` the figures that `wanted` lists, each as NAME=VALUE UNIT and
/// `+` where higher is better, `-` where lower is.
#[track_caller]
pub(super) fn check(reader: &Reader, output: &str, wanted: &str) {
    let text = |output: &str| in_words(&(reader.read)(output));
    assert_eq!(text(output), wanted);
    assert_eq!(text(&output.replace('\n', "\r\n")), wanted, "with CR LF");
}

fn in_words(metrics: &[Metric]) -> String {
    let mut words = String::new();
    for Metric {
        name,
        unit,
        better,
        value,
    } in metrics
    {
        let sign = if *better == Better::Higher { '+' } else { '-' };
        write!(words, " {name}={value}{unit}{sign}").expect("a String takes all");
    }
    words.trim_start().to_owned()
}

/// The stored outputs: name without `.txt`, and text.
fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bench");
    let mut fixtures: Vec<_> = fs::read_dir(folder)
        .expect("the folder of fixtures")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("text"))
        })
        .collect();
    fixtures.sort();
    assert!(fixtures.len() > 40, "{}", fixtures.len());
    fixtures
}

/// Which benchmark a stored output is of, by its name.
fn bench_of(name: &str) -> Bench {
    [
        ("perf-6.1-pipe", Bench::PerfSchedPipe),
        ("perf-", Bench::PerfSchedMessaging),
        ("dbench-", Bench::Tbench),
    ]
    .into_iter()
    .find(|(start, _)| name.starts_with(start))
    .map(|(_, bench)| bench)
    .or_else(|| Bench::all().find(|bench| name.starts_with(&bench.to_string())))
    .expect(name)
}

#[test]
fn each_fixture_is_recognised_by_its_form() {
    // Bare rows and numbers, and output without figures.
    let without_form = [
        "netperf-2.7.0-refused",
        "netperf-2.7.0-tcp_rr-three-bare",
        "netperf-2.7.0-udp_stream-bare",
        "perf-6.1-messaging-simple",
    ];
    for (name, output) in fixtures() {
        let bench = if without_form.contains(&name.as_str()) {
            Bench::None
        } else {
            bench_of(&name)
        };
        let script = ["./script"];
        assert_eq!(Bench::Auto.recognise(&script, &output), bench, "{name}");
        let metrics = Bench::Auto
            .read(&script, &output)
            .expect("auto never fails");
        assert_eq!(metrics.is_empty(), bench == Bench::None, "{name}");
    }
}

#[test]
fn the_command_comes_before_the_form() {
    let output = fixture!("hackbench-2.4");
    let read = |bench: Bench, command: &[&str]| {
        bench
            .read(command, output)
            .map(|metrics| in_words(&metrics))
    };
    let time = Ok("time=0.237s-".to_owned());
    assert_eq!(read(Bench::Auto, &["./script"]), time);
    assert_eq!(read(Bench::Auto, &["hackbench"]), time);
    assert_eq!(read(Bench::Hackbench, &["tbench"]), time);
    assert_eq!(read(Bench::Auto, &["tbench"]), Ok(String::new()));
    assert_eq!(read(Bench::None, &["hackbench"]), Ok(String::new()));
    let error = read(Bench::Tbench, &["hackbench"]).expect_err("no figures of tbench");
    assert!(matches!(
        error,
        BenchError::NoFigures {
            bench: Bench::Tbench,
            ..
        }
    ));
    assert!(
        error.to_string().starts_with("--bench tbench: looked in"),
        "{error}"
    );
}

#[test]
fn names_on_the_command_line() {
    let names: Vec<_> = Bench::all().map(|bench| bench.to_string()).collect();
    assert_eq!(
        names.join(" "),
        "auto none hackbench perf-sched-messaging perf-sched-pipe tbench schbench sysbench \
         netperf stress-ng"
    );
    for bench in Bench::all() {
        let json = serde_json::to_string(&bench).expect("a word");
        assert_eq!(json, format!("\"{bench}\""));
    }
}

#[test]
fn metrics_in_json() {
    let metric = Metric::higher("throughput", "MB/s", 1.5);
    let json = serde_json::to_string(&metric).expect("a metric");
    assert_eq!(
        json,
        r#"{"name":"throughput","unit":"MB/s","better":"higher","value":1.5}"#
    );
    assert_eq!(
        serde_json::from_str::<Metric>(&json).expect("its own"),
        metric
    );
}

#[test]
fn the_last_of_a_name_counts() {
    let mut metrics = vec![Metric::lower("a", "s", 1.0), Metric::lower("b", "s", 2.0)];
    put(&mut metrics, Metric::lower("a", "ms", 3.0));
    assert_eq!(in_words(&metrics), "a=3ms- b=2s-");
}

#[test]
fn each_fixture_is_in_the_readme() {
    let readme = include_str!("../../tests/fixtures/bench/README.md");
    for (name, _) in fixtures() {
        assert!(readme.contains(&format!("| {name} |")), "{name}");
    }
}

proptest! {
    #[test]
    fn arbitrary_text(output in ".{0,200}") {
        sound(&output);
    }

    /// Stored outputs in which pieces are replaced, so that readers get far into them.
    #[test]
    fn damaged_output(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), PIECES), 1..8),
    ) {
        let fixtures = fixtures();
        let mut words: Vec<&str> = which.get(&fixtures).1.split_inclusive([' ', '\n', '=']).collect();
        for (at, piece) in &changes {
            let at = at.index(words.len());
            words[at] = piece;
        }
        sound(&words.concat());
    }
}

/// What may stand where a number or a word did.
const PIECES: &str = "(nan|inf|-1|1e308|1e999|0|0\\.0|9{30}|-0|\\PC{0,5}|\n|: |=|\\] |th:|s|\
                      Total time: |Latency \\(ms\\):\n|THROUGHPUT=)";

/// Every reader must give finite figures under proper names, each once.
fn sound(output: &str) {
    for bench in Bench::all() {
        let Ok(metrics) = bench.read(&["./script"], output) else {
            continue;
        };
        assert!(metrics.len() <= MAX_METRICS);
        let names: HashSet<_> = metrics.iter().map(|metric| &metric.name).collect();
        assert_eq!(names.len(), metrics.len(), "{bench}: a name twice");
        for metric in metrics {
            assert!(metric.value.is_finite(), "{bench}: {metric:?}");
            assert!(is_name(&metric.name), "{bench}: {metric:?}");
        }
    }
}
