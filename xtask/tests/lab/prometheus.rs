//! A real Prometheus scrapes the daemon: what it stores is what sisprobe says, and every query of
//! the dashboards and rules has an answer.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use xtask::lab::free_port;

use crate::served::{Served, get};

/// Scraped so often, in seconds.
const SCRAPE: u64 = 2;
/// How long the server gathers before it is asked: rates in the dashboards look back 20 s.
const GATHER: Duration = Duration::from_secs(45);

/// The server's figures are those of the daemon, and every query has an answer.
pub fn stores_what_sisprobe_says(served: &Served) {
    check_text(&served.get("/metrics").expect("metrics"));
    let server = Server::start(&served.address());
    let reports = gather(served);
    let target = &server.api("/api/v1/targets")["data"]["activeTargets"][0];
    assert_eq!(target["health"], "up", "{target}");
    compare(&server, &reports);
    quantiles(&server, served);
    ask_all(&server);
}

/// promtool finds nothing to complain about.
fn check_text(text: &str) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), text).expect("written");
    let checked = Command::new(program("promtool"))
        .args(["check", "metrics"])
        .stdin(fs::File::open(file.path()).expect("a file"))
        .output()
        .expect("promtool runs");
    let words = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && words.is_empty(), "{words}");
}

/// The rules and the example configuration are well-formed, and the rules do what their tests say.
#[test]
fn rules_are_held_to_their_tests() {
    for arguments in [
        ["check", "config", "prometheus.yml"],
        ["test", "rules", "rules.test.yml"],
    ] {
        let checked = Command::new(program("promtool"))
            .args(arguments)
            .current_dir(dashboards().join("prometheus"))
            .output()
            .expect("promtool runs");
        let words = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{arguments:?}: {words}");
    }
}

/// A Prometheus server with the project's own rules.
struct Server {
    child: Child,
    port: u16,
    _folder: TempDir,
}

impl Server {
    fn start(target: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = folder.path().join("prometheus.yml");
        let rules = dashboards().join("prometheus/rules.yml");
        let text = format!(
            "global: {{scrape_interval: {SCRAPE}s, evaluation_interval: {SCRAPE}s}}\n\
             rule_files: [{}]\n\
             scrape_configs:\n  - job_name: sisprobe\n    static_configs: [{{targets: ['{target}']}}]\n",
            rules.display()
        );
        fs::write(&config, text).expect("written");
        let port = free_port().expect("a port");
        let child = Command::new(program("prometheus"))
            .arg(format!("--config.file={}", config.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                folder.path().join("data").display()
            ))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path().join("log")).expect("a log"))
            .spawn()
            .expect("prometheus runs");
        let server = Self {
            child,
            port,
            _folder: folder,
        };
        let began = Instant::now();
        while get(&server.url("/-/ready")).is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "no Prometheus");
            thread::sleep(Duration::from_millis(200));
        }
        server
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn api(&self, path: &str) -> Value {
        let text = get(&self.url(path)).unwrap_or_else(|| panic!("{path} is refused"));
        serde_json::from_str(&text).expect("JSON")
    }

    /// The result of a query now.
    fn query(&self, query: &str) -> Vec<Value> {
        let answer = self.api(&format!("/api/v1/query?query={}", escape(query)));
        answer["data"]["result"]
            .as_array()
            .expect("a result")
            .clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody asks for its data any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// For a URL: all but what never means anything there.
fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

fn program(name: &str) -> PathBuf {
    xtask::prometheus::programs()
        .expect("Debian's package")
        .join(name)
}

fn dashboards() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../dashboards")
}

/// The daemon's reports while the server gathers, each once.
fn gather(served: &Served) -> Vec<Value> {
    let began = Instant::now();
    let mut reports: Vec<Value> = Vec::new();
    while began.elapsed() < GATHER {
        let report = served.report();
        if reports
            .last()
            .is_none_or(|last| last["elapsed"] != report["elapsed"])
        {
            reports.push(report);
        }
        thread::sleep(Duration::from_millis(150));
    }
    reports
}

/// Sum, count and buckets of search times that the server stored in one scrape are those of the
/// report of that moment.
fn compare(server: &Server, reports: &[Value]) {
    // Scrapes and reports of one moment are known by the wake-ups counted for both LLCs.
    let wakeups = |llc: usize| {
        let select = format!("{{group=\"LLC {llc}\",path=\"wakeup\"}}");
        series(server, &format!("sisprobe_wakeups_total{select}[1m]"))
    };
    let (first, second) = (wakeups(0), wakeups(1));
    let sums = series(
        server,
        "sisprobe_search_duration_seconds_sum{group=\"LLC 1\"}[1m]",
    );
    let buckets = server.query("sisprobe_search_duration_seconds_bucket{group=\"LLC 1\"}[1m]");
    let scanned = server.query("sisprobe_search_scanned_cpus_bucket{group=\"LLC 1\"}[1m]");
    let mut compared = 0;
    for scrape in first.keys() {
        let same = |report: &&Value| {
            let told = |llc: usize| number(&report["groups"][llc]["figures"]["wakeups"]);
            told(0) == first[scrape] && told(1) == second[scrape]
        };
        let Some(report) = reports.iter().find(same) else {
            continue;
        };
        let group = &report["groups"][1];
        assert_eq!(group["name"], "LLC 1");
        let duration = &group["figures"]["duration"];
        let sum = number(&duration["sum"]) / 1e9;
        assert!(
            (sums[scrape] - sum).abs() <= sum * 1e-12,
            "{} {sum}",
            sums[scrape]
        );
        buckets_agree(&buckets, scrape, duration, |le| le * 1e9);
        // A whole number of CPUs is below the next one.
        buckets_agree(&scanned, scrape, &group["figures"]["scanned"], |le| {
            le + 1.0
        });
        compared += 1;
    }
    assert!(
        compared >= 3,
        "{compared} scrapes of {} could be compared with {} reports",
        first.len(),
        reports.len()
    );
}

/// Each stored bucket has as many as the report has below its bound.
fn buckets_agree(stored: &[Value], scrape: &str, histogram: &Value, bound: impl Fn(f64) -> f64) {
    let counts = histogram["counts"].as_object().expect("counts");
    assert!(stored.len() > 3, "{} buckets", stored.len());
    for bucket in stored {
        let le = bucket["metric"]["le"].as_str().expect("a bound");
        let below = match le {
            "+Inf" => f64::INFINITY,
            le => bound(le.parse().expect("a number")),
        };
        let expected: f64 = counts
            .iter()
            .filter(|(least, _)| least.parse::<f64>().expect("a number") < below - 1e-6)
            .map(|(_, count)| number(count))
            .sum();
        let values = by_time(bucket);
        assert_eq!(values[scrape], expected, "le {le}");
    }
}

/// The quantiles that Prometheus computes from the buckets are within a bucket of sisprobe's.
fn quantiles(server: &Server, served: &Served) {
    let report = served.report();
    let counts = report["groups"][1]["figures"]["duration"]["counts"]
        .as_object()
        .expect("counts")
        .clone();
    let all: f64 = counts.values().map(number).sum();
    for q in [0.5, 0.99] {
        let query = format!(
            "histogram_quantile({q}, sisprobe_search_duration_seconds_bucket{{group=\"LLC 1\"}})"
        );
        let told = number(&server.query(&query)[0]["value"][1]) * 1e9;
        let mut values: Vec<(f64, f64)> = counts
            .iter()
            .map(|(least, count)| (least.parse().expect("a number"), number(count)))
            .collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut seen = 0.0;
        let (least, _) = *values
            .iter()
            .find(|(_, count)| {
                seen += count;
                seen >= q * all
            })
            .expect("a value");
        let (low, high) = (least.log2().floor() - 1.0, least.log2().floor() + 2.0);
        assert!(
            (low.exp2()..=high.exp2()).contains(&told),
            "p{q}: Prometheus has {told} ns, sisprobe {least}"
        );
    }
}

/// Every query of every panel and variable, and every rule, has an answer.
fn ask_all(server: &Server) {
    let mut silent = Vec::new();
    for file in ["overview", "llc"] {
        let path = dashboards().join(format!("grafana/{file}.json"));
        let dashboard: Value =
            serde_json::from_str(&fs::read_to_string(path).expect("a dashboard")).expect("JSON");
        for panel in dashboard["panels"].as_array().expect("panels") {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let expr = target["expr"].as_str().expect("a query");
                if server.query(&filled_in(expr)).is_empty() {
                    silent.push(format!("{file}, {}: {expr}", panel["title"]));
                }
            }
        }
    }
    assert!(silent.is_empty(), "no answer to:\n{}", silent.join("\n"));
    let groups = &server.api("/api/v1/rules")["data"]["groups"];
    for rule in groups
        .as_array()
        .expect("groups")
        .iter()
        .flat_map(|g| g["rules"].as_array().expect("rules").clone())
    {
        assert_eq!(rule["health"], "ok", "{rule}");
        if rule["type"] == "recording" {
            let name = rule["name"].as_str().expect("a name");
            assert!(!server.query(name).is_empty(), "{name} has no value");
        }
    }
}

/// With what Grafana puts in.
fn filled_in(expr: &str) -> String {
    [
        ("$__rate_interval", "20s"),
        ("$__range", "40s"),
        ("$__interval", "4s"),
        ("$job", "sisprobe"),
        ("$instance", ".+"),
        ("$group", ".+"),
    ]
    .iter()
    .fold(expr.to_owned(), |expr, (name, value)| {
        expr.replace(name, value)
    })
}

/// The values of the one series of `query`, by the time of the scrape.
fn series(server: &Server, query: &str) -> BTreeMap<String, f64> {
    let result = server.query(query);
    assert_eq!(result.len(), 1, "{query}");
    by_time(&result[0])
}

fn by_time(series: &Value) -> BTreeMap<String, f64> {
    let values = series["values"].as_array().expect("values");
    values
        .iter()
        .map(|pair| (pair[0].to_string(), number(&pair[1])))
        .collect()
}

/// Prometheus writes numbers as strings.
fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number"),
        other => other.as_f64().expect("a number"),
    }
}
