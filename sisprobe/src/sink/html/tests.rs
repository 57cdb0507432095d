//! The page as it comes out: well-formed, by itself, complete.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::*;
use crate::{
    capture::{Exit, sample},
    compare::{Choice, Named},
};

/// As XML, which is stricter than HTML: every element closed, every attribute in quotes.
fn parsed<T>(page: &str, look: impl FnOnce(&Document<'_>) -> T) -> T {
    let body = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a document type");
    let closed: Vec<String> = body
        .split_inclusive('>')
        .map(|piece| match piece.starts_with("<meta ") {
            true => piece.replace('>', "/>"),
            false => piece.to_owned(),
        })
        .collect();
    let text = closed.concat();
    look(&Document::parse(&text).unwrap())
}

fn of(captures: &[Capture]) -> String {
    let named: Vec<(String, &Capture)> = captures
        .iter()
        .zip(1..)
        .map(|(capture, number)| (format!("capture {number}"), capture))
        .collect();
    page(&named, None)
}

fn text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

#[test]
fn a_page_stands_alone() {
    let page = of(&[sample::capture(2), sample::bracketed(2)]);
    for outside in [
        "http:", "https:", "//", "url(", "@import", "<script", "<link", "<img", "src=",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    parsed(&page, |document| {
        for node in document.descendants() {
            let href = node.attribute("href").unwrap_or("#");
            assert!(href.starts_with('#'), "{href}");
        }
    });
}

#[test]
fn every_place_that_is_pointed_at_is_there_once() {
    let page = of(&[sample::capture(3), sample::capture(1), sample::bracketed(2)]);
    parsed(&page, |document| {
        let ids: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        for node in document.descendants() {
            let links = node.attribute("href").map(|href| &href[1..]);
            let names = ["aria-labelledby", "aria-describedby"].map(|name| node.attribute(name));
            for place in links.into_iter().chain(names.into_iter().flatten()) {
                assert!(unique.contains(place), "{place}");
            }
        }
        // Every chart has a name and words, and is drawn.
        let charts = document
            .descendants()
            .filter(|node| node.attribute("role") == Some("img"));
        let charts: Vec<_> = charts.collect();
        assert_eq!(charts.len(), 4 + 3 * 2);
        for chart in charts {
            assert!(chart.attribute("aria-describedby").is_some());
            assert!(chart.descendants().any(|node| node.has_tag_name("svg")));
        }
    });
}

#[test]
fn texts_of_files_stay_texts() {
    let mut capture = sample::capture(1);
    let bad = "<script>alert(1)</script>\"'&\u{1b}[2J\u{0}";
    capture.labels = [(bad.into(), bad.into())].into();
    capture.command = vec![bad.into()];
    capture.machine.release = Some(bad.into());
    let run = &mut capture.runs[0];
    run.metrics[0].name = bad.into();
    run.metrics[0].unit = bad.into();
    run.report.groups[0].name = bad.into();
    run.report.source.warnings.push(bad.into());
    run.report.health.probes[0].name = bad.into();
    run.series[0].group = bad.into();
    let page = page(&[(bad.into(), &capture)], None);
    assert!(!page.contains("<script"));
    assert!(!page.contains(['\u{1b}', '\u{0}']));
    parsed(&page, |document| {
        let shown = text(document.root_element());
        assert!(shown.matches("<script>alert(1)</script>").count() > 8);
    });
}

#[test]
fn what_must_be_known_stands_first() {
    let mut aborted = sample::capture(3);
    aborted.runs.pop();
    aborted.runs[0].exit = Some(Exit::Status(1));
    aborted.runs[1].report.health.unmatched_exits = 3;
    aborted.runs[1]
        .report
        .source
        .warnings
        .push("a warning".into());
    let mut none = sample::capture(2);
    none.runs.clear();
    let page = of(&[aborted, sample::bracketed(2), none]);
    parsed(&page, |document| {
        let notices = document
            .descendants()
            .find(|node| node.attribute("aria-label") == Some("Warnings"));
        let notices = text(notices.unwrap());
        for expected in [
            "Not the same for all captures: fidelity.",
            "capture 1: aborted after 2 of 3 runs",
            "capture 1: 1 run failed and is left out",
            "capture 1: missed 0, some unknown; lost 3",
            "capture 1: a warning",
            "capture 2: fidelity bracketed",
            "capture 3: no run came to its end",
        ] {
            assert!(notices.contains(expected), "{expected}: {notices}");
        }
    });
    let page = of(&[sample::capture(1)]);
    assert!(!page.contains("aria-label=\"Warnings\""));
}

#[test]
fn a_comparison_has_its_place() {
    let captures = [sample::capture(2), sample::capture(3)];
    let captures = ["one", "<two>"].into_iter().zip(&captures);
    let named: Vec<Named<'_>> = (captures.clone())
        .map(|(name, capture)| Named {
            name: name.into(),
            capture,
        })
        .collect();
    let comparison = Comparison::of(&named, &Choice::default()).unwrap();
    let captures: Vec<_> = captures.map(|(name, one)| (name.into(), one)).collect();
    let page = page(&captures, Some(&comparison));
    parsed(&page, |document| {
        let headings = document
            .descendants()
            .filter(|node| node.has_tag_name("caption"));
        let of_metric = |node: &Node<'_, '_>| {
            node.text()
                .is_some_and(|text| text.starts_with("scanned mean"))
        };
        assert_eq!(headings.filter(of_metric).count(), 1);
    });
    assert!(page.contains("<h2 id=\"comparison\">Comparison</h2><section class=\"compare\">"));
    assert!(page.contains("<a href=\"#comparison\">"));
}

/// Where there are many groups, those that matter.
#[test]
fn a_large_machine_fits() {
    let captures = [sample::large(32, 10, 240), sample::large(32, 10, 240)];
    let page = of(&captures);
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    parsed(&page, |document| {
        let groups = document
            .descendants()
            .find(|node| node.attribute("class") == Some("groups"));
        let rows = groups
            .unwrap()
            .descendants()
            .filter(|node| node.has_tag_name("tr"));
        assert_eq!(rows.count(), 1 + 1 + 8);
    });
    assert!(page.contains("24 more groups, with "));
    assert!(page.contains("The same as of "));
}

/// Writes a page to look at: `SISPROBE_PAGE=FILE cargo test -- --ignored a_page_to_look_at`.
#[test]
#[ignore = "writes a file"]
fn a_page_to_look_at() {
    let path = std::env::var_os("SISPROBE_PAGE").expect("SISPROBE_PAGE");
    let mut second = sample::large(32, 10, 240);
    second.runs[3].exit = Some(Exit::Status(1));
    second.runs[4]
        .report
        .source
        .warnings
        .push("CPUs went offline during the run".into());
    std::fs::write(path, of(&[sample::large(32, 10, 240), second])).unwrap();
}
