//! Comparisons as they are written.

use serde_json::Value;

use super::*;
use crate::{
    bench::{Better, Metric},
    capture::{Capture, sample},
    compare::{Choice, Comparison, Named},
};

/// Three runs with this mean and this deviation in percent, of a setting of an A/B matrix.
fn cell(setting: &str, case: &str, load: &str, mean: f64, std: f64) -> Capture {
    let mut capture = sample::capture(3);
    let cell = capture.cell.as_mut().unwrap();
    (cell.setting, cell.load) = (setting.into(), None);
    capture.labels.insert("case".into(), case.into());
    capture.labels.insert("load".into(), load.into());
    for (run, place) in capture.runs.iter_mut().zip([-1.0, 0.0, 1.0]) {
        run.metrics = vec![Metric {
            name: "ops".into(),
            unit: "1/s".into(),
            better: Better::Higher,
            value: mean * (1.0 + place * std / 100.0),
        }];
    }
    capture
}

fn comparison(captures: &[Capture]) -> Comparison {
    let named: Vec<Named<'_>> = (captures.iter().enumerate())
        .map(|(place, capture)| Named {
            name: format!("file {place}"),
            capture,
        })
        .collect();
    Comparison::of(&named, &Choice::default()).unwrap()
}

/// Figures of tables that were posted.
fn published() -> Comparison {
    let cells = [
        ("TCP_RR", "28 threads", 0.30, 0.9874, 0.32),
        ("TCP_RR", "168 threads", 0.20, 2.7777, 3.78),
        ("process-pipe", "5 groups", 0.20, 0.9492, 0.01),
        ("normal", "1 mthread group", 17.92, 1.1923, 23.67),
    ]
    .map(|(case, load, base_std, mean, std)| {
        [
            cell("base", case, load, 5000.0, base_std),
            cell("patch", case, load, 5000.0 * mean, std),
        ]
    });
    comparison(&cells.concat())
}

#[test]
fn the_ab_form_is_as_published() {
    let text = text(&published(), Form::Ab);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("ops, 1/s, higher is better: patch against base")
    );
    for (line, (as_published, more)) in lines.zip([
        (
            "case                    load            baseline(std%)  compare%( std%)",
            "    n  verdict             p      99 % interval",
        ),
        (
            "TCP_RR                  28 threads       1.00 (  0.30)   -1.26 (  0.32)",
            "  3+3  worse          0.0078    [-2.44, -0.08]",
        ),
        (
            "TCP_RR                  168 threads      1.00 (  0.20)  +177.77 ( 3.78)",
            "  3+3  better         0.0012  [+118.22, +237.32]",
        ),
        (
            "process-pipe            5 groups         1.00 (  0.20)   -5.08 (  0.01)",
            "  3+3  worse",
        ),
        (
            "normal                  1 mthread group  1.00 ( 17.92)  +19.23 ( 23.67)",
            "  3+3  no difference",
        ),
    ]) {
        let rest = line.strip_prefix(as_published);
        let rest = rest.unwrap_or_else(|| panic!("{line}\n{as_published}"));
        assert!(rest.starts_with(&more[..12]), "{rest}\n{more}");
    }
    assert!(
        text.contains("Welch's t-test: with fewer than 5 runs"),
        "{text}"
    );
    assert!(!text.contains("Mann-Whitney"), "{text}");
}

#[test]
fn two_columns() {
    let text = text(&published(), Form::TwoColumn);
    let block = text.split("\n\n").next().unwrap();
    assert_eq!(
        block,
        "ops, 1/s, higher is better\n\
         Test:                                base                patch\n\
         TCP_RR 28 threads:       5000 (0.00 pct)     4937 (-1.26 pct)*\n\
         TCP_RR 168 threads:      5000 (0.00 pct)   13888 (177.77 pct)*\n\
         process-pipe 5 groups:   5000 (0.00 pct)     4746 (-5.08 pct)*\n\
         normal 1 mthread group:  5000 (0.00 pct)     5961 (19.23 pct)"
    );
    assert!(text.contains("* where it is more than noise"), "{text}");
}

#[test]
fn percentiles() {
    let text = text(&published(), Form::Percentile);
    assert_eq!(text.matches("search time in ns, ").count(), 4);
    let block = text.split("\n\n").next().unwrap();
    assert_eq!(
        block,
        "search time in ns, TCP_RR 28 threads\n\
         percentile   base  stddev  patch  stddev\n\
         \x20       50   2303       0   2303       0\n\
         \x20       90   4095       0   4095       0\n\
         \x20       95   4607       0   4607       0\n\
         \x20       99   9215       0   9215       0\n\
         \x20     99.5  18431       0  18431       0\n\
         \x20     99.9  18431       0  18431       0"
    );
}

#[test]
fn lines_without_names_fit_the_screen() {
    let text = text(&published(), Form::Ab);
    let table = |line: &&str| line.contains("1.00 (") || line.starts_with("case");
    for line in text.lines().filter(|line| !table(line)) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn csv_has_plain_numbers() {
    let text = csv(&published()).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names.len(), first.len());
    let of = |name: &str| first[names.iter().position(|one| *one == name).unwrap()];
    assert_eq!(of("metric"), "ops");
    assert_eq!(of("better"), "higher");
    assert_eq!((of("base"), of("new")), ("base", "patch"));
    assert_eq!((of("base_runs"), of("new_runs")), ("3", "3"));
    assert!((of("new_mean").parse::<f64>().unwrap() - 4937.0).abs() < 1e-9);
    assert!((of("compare_percent").parse::<f64>().unwrap() + 1.26).abs() < 1e-9);
    assert_eq!((of("verdict"), of("test")), ("worse", "welch"));
    // Six metrics, four rows each.
    assert_eq!(text.lines().count(), 1 + 6 * 4);
    let cli = include_str!("../../../../docs/cli.md");
    for name in names {
        assert!(cli.contains(&format!("`{name}`")), "docs/cli.md: {name}");
    }
}

#[test]
fn json_is_documented() {
    fn check(value: &Value, cli: &str) {
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    assert!(cli.contains(&format!("`{name}`")), "docs/cli.md: {name}");
                    check(inner, cli);
                }
            }
            Value::Array(all) => all.iter().for_each(|inner| check(inner, cli)),
            _ => (),
        }
    }
    let json: Value = serde_json::from_str(&json(&published()).unwrap()).unwrap();
    assert_eq!(json["schema_version"], SCHEMA_VERSION);
    let comparison = &json["comparison"];
    assert_eq!(
        comparison["tables"][0]["rows"][0]["new"][0]["verdict"],
        "worse"
    );
    assert_eq!(
        comparison["percentiles"][5]["metric"]["name"],
        "search_time_p99.9"
    );
    check(&json, include_str!("../../../../docs/cli.md"));
}

/// Names that mean something to a terminal, to HTML and to Markdown.
fn hostile() -> Comparison {
    let name = "<b>\"a\"|*x*\u{1b}[31m\n&";
    comparison(&[
        cell(name, name, name, 1.0, 1.0),
        cell("new", name, name, 2.0, 1.0),
    ])
}

#[test]
fn names_are_no_instructions() {
    let comparison = hostile();
    for form in [Form::Ab, Form::TwoColumn, Form::Percentile] {
        let text = text(&comparison, form);
        assert!(!text.contains('\u{1b}'), "{text}");
        let markdown = markdown(&comparison, form);
        assert!(
            !markdown.contains('\u{1b}') && !markdown.contains("<b>"),
            "{markdown}"
        );
        let rows = markdown.lines().filter(|line| line.starts_with("| "));
        let columns: Vec<usize> = rows
            .map(|row| row.replace("\\|", "").matches('|').count())
            .collect();
        assert!(
            columns.iter().all(|count| [6, 9, 4].contains(count)),
            "{markdown}"
        );
        let page = page(&comparison, form);
        assert!(!page.contains("<b>") && !page.contains('\u{1b}'), "{page}");
        assert!(page.contains("&lt;b&gt;&quot;a&quot;"), "{page}");
        roxmltree::Document::parse(&table_html(&comparison, form)).unwrap();
    }
    let mut lines = csv(&comparison).unwrap();
    lines.retain(|character| character != '\u{1b}');
    assert!(lines.contains("\"<b>\"\"a\"\"|*x*[31m\n&\""), "{lines}");
}

#[test]
fn a_page_loads_nothing_and_tells_verdicts_by_class() {
    let page = page(&published(), Form::Ab);
    for loading in ["<script", "<link", "src=", "url(", "@import", "http"] {
        assert!(!page.contains(loading), "{loading}");
    }
    assert!(
        page.contains("<td class=\"left told better\">better</td>"),
        "{page}"
    );
    assert!(
        page.contains("<td class=\"left told worse\">worse</td>"),
        "{page}"
    );
    assert!(page.contains("prefers-color-scheme: dark"));
    let table = markdown(&published(), Form::Ab);
    assert!(table.contains(
        "| TCP\\_RR | 168 threads | 1.00 (  0.20) | +177.77 ( 3.78) | 3+3 | **better** |"
    ));
}
