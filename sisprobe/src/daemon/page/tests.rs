//! The page's files as they are served, and what they promise each other.

use std::{collections::BTreeSet, io::Read as _, time::Duration};

use axum::{
    body::{Body, HttpBody as _},
    http::{HeaderMap, Request, StatusCode},
};
use flate2::read::GzDecoder;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::assets::{ASSETS, POLICY};
use crate::{
    daemon::{App, Options, Publisher, source},
    report::{Figures, Observation},
    sink::{
        chart::{THEME, variable},
        prometheus::tests::observation,
        sample,
    },
};

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    /// As it would be without compression.
    text: String,
    /// Bytes that were sent.
    size: usize,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

fn app() -> (Publisher, App) {
    let (publisher, source) = source(Duration::from_secs(1));
    (publisher, App::new(source, Options::default()).unwrap())
}

async fn ask(app: &App, path: &str, header: Option<(&str, &str)>) -> Answer {
    let mut request = Request::get(path);
    if let Some((name, value)) = header {
        request = request.header(name, value);
    }
    let router = TowerToHyperService::new(app.clone().router());
    let response = router.call(request.body(Body::empty()).unwrap()).await;
    let (head, mut body) = response.unwrap().into_parts();
    let mut bytes = Vec::new();
    while let Some(frame) =
        std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await
    {
        bytes.extend_from_slice(frame.unwrap().data_ref().unwrap());
    }
    let size = bytes.len();
    if head.headers.contains_key("content-encoding") {
        let mut plain = Vec::new();
        let mut gzip = GzDecoder::new(&bytes[..]);
        gzip.read_to_end(&mut plain).unwrap();
        bytes = plain;
    }
    Answer {
        status: head.status,
        headers: head.headers,
        text: String::from_utf8(bytes).unwrap(),
        size,
    }
}

#[tokio::test]
async fn files_have_their_types_and_a_policy_and_are_sent_once() {
    let (_publisher, app) = app();
    for asset in &ASSETS {
        let answer = ask(&app, asset.path, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", asset.path);
        assert_eq!(answer.header("content-type"), asset.content_type);
        assert_eq!(answer.header("content-security-policy"), POLICY);
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.text, asset.text);
        let tag = answer.header("etag");
        let again = ask(&app, asset.path, Some(("if-none-match", tag))).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{}", asset.path);
        assert_eq!((again.text.as_str(), again.header("etag")), ("", tag));
        let other = ask(&app, asset.path, Some(("if-none-match", "\"0\""))).await;
        assert_eq!(other.text, asset.text);
    }
}

fn asset(path: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.path == path).unwrap().text
}

/// What stands between `before` and the next `after`, each time.
fn between<'a>(text: &'a str, before: &str, after: char) -> BTreeSet<&'a str> {
    let pieces = text.split(before).skip(1);
    pieces
        .filter_map(|piece| piece.split(after).next())
        .collect()
}

/// Also in the sense of XML: with its empty elements closed, and attributes that have no value
/// given one.
#[test]
fn the_page_is_well_formed() {
    let mut xml = asset("/").replacen("<!doctype html>", "", 1);
    for void in ["meta", "link"] {
        let mut closed = String::new();
        for (index, piece) in xml.split(&format!("<{void} ")).enumerate() {
            if index == 0 {
                closed += piece;
                continue;
            }
            closed += &format!("<{void} {}", piece.replacen('>', "/>", 1));
        }
        xml = closed;
    }
    xml = xml.replace(" hidden>", " hidden=\"\">");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let of = |name: &'static str| {
        let nodes = document.descendants();
        nodes.filter(move |node| node.has_tag_name(name)).count()
    };
    for landmark in ["header", "main", "footer", "nav", "h1", "title"] {
        assert_eq!(of(landmark), 1, "{landmark}");
    }
    assert_eq!(of("table"), of("caption"));
    let mut ids = BTreeSet::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "{id} is there twice");
        }
        for forbidden in ["style", "onclick", "onload"] {
            assert_eq!(node.attribute(forbidden), None, "{node:?}");
        }
        if node.has_tag_name("script") {
            assert!(node.attribute("src").is_some() && node.text().is_none());
        }
    }
    let references = ["aria-labelledby", "aria-describedby"];
    for node in document.descendants() {
        for name in references.iter().filter_map(|&name| node.attribute(name)) {
            assert!(ids.contains(name), "{name}");
        }
    }
}

#[test]
fn what_scripts_ask_for_is_in_the_page() {
    let ids = between(asset("/"), " id=\"", '"');
    let mut asked = 0;
    for file in ["/page/show.js", "/page/connection.js", "/page/charts.js"] {
        for before in ["byId(\"", "getElementById(\""] {
            for id in between(asset(file), before, '"') {
                assert!(ids.contains(id), "{file} asks for {id}");
                asked += 1;
            }
        }
    }
    assert!(asked >= 20, "{asked}");
    for chart in ["depth", "heatmap"] {
        assert!(asset("/page/charts.js").contains(&format!("\"{chart}\"")));
        assert!(ids.contains(chart) && ids.contains(&*format!("{chart}-words")));
    }
}

#[test]
fn nothing_comes_from_elsewhere() {
    for asset in &ASSETS {
        let text = asset.text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !text.contains("//www") && !text.contains("http"),
            "{}",
            asset.path
        );
    }
    let paths: BTreeSet<_> = ASSETS.iter().map(|asset| asset.path).collect();
    let page = asset("/");
    for link in between(page, "href=\"page/", '"').union(&between(page, "src=\"page/", '"')) {
        assert!(paths.contains(&*format!("/page/{link}")), "{link}");
    }
    for script in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
        for import in between(script.text, "from \"./", '"') {
            assert!(paths.contains(&*format!("/page/{import}")), "{import}");
        }
    }
}

/// By day and by night.
#[test]
fn all_colours_of_charts_are_in_the_style() {
    let style = asset("/page/style.css");
    for (_, name) in THEME {
        let set = format!("{}: #", variable(name));
        assert_eq!(style.matches(&set).count(), 2, "{set}");
    }
}

#[tokio::test]
async fn the_view_has_the_counts_of_the_report() {
    let (publisher, app) = app();
    let path = "/page/view?group=LLC%200";
    assert_eq!(
        ask(&app, path, None).await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
    for second in 1..=9 {
        assert!(publisher.publish(observation(sample::report(3, second))));
    }
    let report = sample::report(3, 9);
    let answer = ask(&app, path, None).await;
    assert_eq!(answer.header("content-type"), "application/json");
    let view: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(view["elapsed"], 9.0);
    let figures = &report.groups[0].figures;
    let shown = &view["group"]["histograms"];
    for (index, (key, histogram)) in [
        ("duration", &figures.duration),
        ("scanned", &figures.scanned),
        ("limit", &figures.limit),
        ("core_duration", &figures.core_duration),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(shown[index]["key"], key);
        assert_eq!(shown[index]["count"], histogram.count());
        let rows = shown[index]["rows"].as_array().unwrap();
        let counts = rows.iter().map(|row| row["count"].as_u64().unwrap());
        let counts: Vec<u64> = counts.filter(|&count| count > 0).collect();
        let expected = histogram.log2_rows().into_iter();
        let expected: Vec<u64> = expected.map(|(_, n)| n).filter(|&n| n > 0).collect();
        assert_eq!(counts, expected, "{key}");
    }
    // Of the last 9 s there is a rate.
    let wakeups = sample::figures(1).wakeups;
    let first = &view["groups"]["rows"][0];
    assert_eq!(
        (&first[0], &first[1]),
        (&"LLC 0".into(), &wakeups.to_string().into())
    );
    // Without a name, the first that counted something; of none there is none.
    let any: serde_json::Value =
        serde_json::from_str(&ask(&app, "/page/view", None).await.text).unwrap();
    assert_eq!(any["group"]["name"], "LLC 0");
    let none = ask(&app, "/page/view?group=nothing", None).await;
    let none: serde_json::Value = serde_json::from_str(&none.text).unwrap();
    assert!(none["group"].is_null());
    assert!(none["stale"].is_null());
}

#[tokio::test]
async fn charts_are_drawn_for_every_width() {
    let (publisher, app) = app();
    publisher.publish(observation(sample::report(2, 1)));
    for seconds in [2, 700] {
        publisher.publish(observation(sample::report(2, seconds)));
        for chart in ["depth", "heatmap"] {
            for width in ["", "&width=0", "&width=343", "&width=600", "&width=100000"] {
                let path = format!("/chart/{chart}.svg?group=LLC%200{width}");
                let answer = ask(&app, &path, None).await;
                assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
                assert_eq!(answer.header("content-type"), "image/svg+xml");
                roxmltree::Document::parse(&answer.text).unwrap();
                let colours = between(&answer.text, "=\"#", '"');
                assert!(colours.is_empty(), "no name for {colours:?}");
            }
        }
    }
    let none = ask(&app, "/chart/depth.svg?group=nothing", None).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn charts_are_compressed_for_who_wants_it() {
    let (publisher, app) = app();
    publisher.publish(observation(sample::report(2, 1)));
    publisher.publish(observation(sample::report(2, 9)));
    for chart in ["depth", "heatmap"] {
        let path = format!("/chart/{chart}.svg");
        let plain = ask(&app, &path, None).await;
        assert_eq!(plain.header("content-encoding"), "");
        assert_eq!(plain.size, plain.text.len());
        let small = ask(&app, &path, Some(("accept-encoding", "gzip, br"))).await;
        assert_eq!(small.header("content-encoding"), "gzip");
        assert_eq!(small.header("content-type"), "image/svg+xml");
        assert_eq!(small.text, plain.text);
        assert!(small.size * 3 < plain.size, "{} {}", small.size, plain.size);
        for answer in [plain, small] {
            assert_eq!(answer.header("vary"), "accept-encoding");
        }
    }
}

/// Made-up figures for a browser: `SISPROBE_PAGE=127.0.0.1:19747 cargo test -p sisprobe \
/// serves_a_browser -- --ignored`. Ends after `SISPROBE_PAGE_SECONDS`, 60 without it.
#[tokio::test]
#[ignore = "runs for a minute, for somebody who looks"]
async fn serves_a_browser() {
    let setting = |name, default: &str| std::env::var(name).unwrap_or_else(|_| default.into());
    let address = setting("SISPROBE_PAGE", "127.0.0.1:19747");
    let seconds: u32 = setting("SISPROBE_PAGE_SECONDS", "60").parse().unwrap();
    let (publisher, app) = app();
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    tokio::spawn(async { axum::serve(listener, app.router()).await });
    let mut moving = Moving::default();
    // Minutes in no time, then as they come.
    for _ in 0..500 {
        publisher.publish(moving.next());
    }
    for _ in 0..seconds {
        publisher.publish(moving.next());
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Two LLCs whose load goes up and down.
#[derive(Default)]
struct Moving {
    second: u32,
    figures: [Figures; 2],
}

impl Moving {
    fn next(&mut self) -> Observation {
        self.second += 1;
        let phase = f64::from(self.second) / 40.0;
        let load = 0.5 + 0.4 * phase.sin() + 0.1 * (phase * 7.3).sin();
        let mut report = sample::report(2, self.second);
        for (llc, figures) in self.figures.iter_mut().enumerate() {
            let depth = (8.0 * (1.0 - load)).max(0.0);
            let times = 1 + (load * 30.0) as u64 * (2 - llc as u64);
            let one = sample::figures(1);
            figures.wakeups += one.wakeups / 40 * times;
            for (name, count) in one.outcomes {
                *figures.outcomes.entry(name).or_default() += count / 40 * times;
            }
            figures.idle_cores_claimed += 30 * times;
            figures.at_limit += 20 * times;
            figures.before_limit += 90 * times;
            // A quiet time without a search.
            if llc == 1 && self.second % 200 < 40 {
                continue;
            }
            figures.limit.record(depth as u64, 200 * times);
            for (looked, count) in [(0.0, 20), (0.4, 60), (0.8, 100), (1.0, 40)] {
                figures
                    .scanned
                    .record((looked * depth) as u64, count * times);
            }
            for (factor, count) in [
                (0.3, 3),
                (0.7, 50),
                (1.0, 110),
                (1.8, 40),
                (4.0, 9),
                (17.0, 1),
            ] {
                let time = (700.0 + depth * 420.0) * factor;
                figures.duration.record(time as u64, count * times);
            }
            figures
                .core_duration
                .record((900.0 + 100.0 * depth) as u64, 10 * times);
        }
        for (group, figures) in report.groups.iter_mut().zip(&self.figures) {
            group.figures = figures.clone();
        }
        if self.second > 540 {
            report.source.warnings = vec!["the kernel refused fentry, so kprobes are used".into()];
        }
        observation(report)
    }
}
