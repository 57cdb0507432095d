//! Text and JSON of made-up reports.

use proptest::prelude::*;

use super::{
    Unit, json, sample,
    text::{Options, Text, WIDTH},
};
use crate::{
    histogram::Shrunk,
    policy::{ActivePolicy, Policy},
    report::{Figures, Group, GroupKind, Report},
};

fn text(unit: Unit) -> Text {
    Text::new(Options {
        unit,
        ..Options::default()
    })
}

/// Compares with a file of tests/fixtures; `UPDATE_FIXTURES=1` writes it anew, to be looked at.
pub(super) fn assert_fixture(name: &str, actual: &str) {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{name} differs; it is now:\n{actual}");
}

#[test]
fn a_whole_run_as_text() {
    let mut text = text(Unit::Ns);
    let mut out = text.header(&sample::report(2, 1));
    out += &text.interval(&sample::report(2, 1));
    out += &text.interval(&sample::report(2, 2));
    out += &text.summary(&sample::report(2, 2));
    assert_fixture("text-inlined.txt", &out);
}

#[test]
fn every_policy_as_text() {
    let text = Text::new(Options {
        policies: Policy::ALL.to_vec(),
        ..Options::default()
    });
    assert_fixture("text-policies.txt", &text.summary(&sample::report(1, 1)));
}

#[test]
fn a_policy_of_which_nothing_is_known_has_no_limit() {
    let mut report = sample::report(1, 1);
    report.source.policy = ActivePolicy {
        policy: None,
        because: "SIS_NEW is on, of which sisprobe knows nothing".into(),
    };
    let figures = &mut report.groups[0].figures;
    (figures.at_limit, figures.before_limit) = (0, 0);
    figures.limit = Figures::default().limit;
    let text = text(Unit::Ns);
    let header = text.header(&report);
    assert!(
        header.contains("policy        unknown: SIS_NEW is on, of which"),
        "{header}"
    );
    let out = text.summary(&report);
    assert!(out.contains("limit not known"), "{out}");
    for unknown in ["at limit", "predicted", "<-", "nr_idle_scan"] {
        assert!(!out.contains(unknown), "{unknown}: {out}");
    }
}

#[test]
fn a_policy_that_changes_is_told() {
    let mut text = text(Unit::Ns);
    let mut report = sample::report(1, 1);
    assert!(!text.interval(&report).contains("policy is now"));
    report.source.policy = ActivePolicy {
        policy: Some(Policy::Full),
        because: "no feature that bounds the search is on".into(),
    };
    report.elapsed = 2.0;
    let out = text.interval(&report);
    assert!(
        out.contains("\nThe policy is now full: no feature that"),
        "{out}"
    );
    assert!(!text.interval(&report).contains("policy is now"));
}

#[test]
fn searches_over_the_limit_stand_out() {
    let mut report = sample::report(1, 1);
    let text = text(Unit::Ns);
    assert!(text.summary(&report).contains("  over it 0 %"));
    report.groups[0].figures.over_limit = 1;
    let out = text.summary(&report);
    assert!(out.contains("OVER LIMIT 1, <0.1 % (0 expected)"), "{out}");
}

#[test]
fn the_kernels_number_is_held_against_the_model_only_while_it_is_kept() {
    let mut report = sample::report(1, 1);
    let text = Text::new(Options {
        policies: vec![Policy::SisUtil],
        ..Options::default()
    });
    let kept = "nr_idle_scan 4, computed now 5, difference +1";
    assert!(text.summary(&report).contains(kept));
    report.source.policy.policy = Some(Policy::SisProp);
    let out = text.summary(&report);
    assert!(
        out.contains("nr_idle_scan 5 computed now (the kernel keeps"),
        "{out}"
    );
}

#[test]
fn bracketed_says_what_it_cannot_tell() {
    let report = sample::bracketed(1, 10);
    let text = text(Unit::Us);
    let out = text.header(&report) + &text.summary(&report);
    assert_fixture("text-bracketed-us.txt", &out);
    assert!(!out.contains("in budget"), "no outcome is told");
    assert!(!out.contains("searches 0"), "unknown is not 0");
}

#[test]
fn no_line_is_wider_than_promised() {
    let mut report = sample::report(3, 3_000_000);
    // Great figures everywhere.
    report.groups[0].figures.duration.record(u64::MAX, 1 << 40);
    for unit in [Unit::Ns, Unit::Us] {
        let mut text = Text::new(Options {
            unit,
            policies: Policy::ALL.to_vec(),
        });
        let out = text.header(&report) + &text.interval(&report) + &text.summary(&report);
        for line in out.lines() {
            let is_long = line.chars().count() > WIDTH;
            let (row, mark) = line.split_once(" <- ").unwrap_or((line, ""));
            assert!(row.chars().count() <= WIDTH, "{line}");
            assert!(!is_long || !mark.contains(','), "{line}: for one name only");
        }
    }
}

#[test]
fn warnings_and_an_unknown_feature_state_are_told() {
    let mut report = sample::report(1, 1);
    report.source.warnings = vec!["a BPF scheduler is active".into()];
    report.source.sis_features = None;
    let out = text(Unit::Ns).header(&report);
    assert!(
        out.contains("WARNING       a BPF scheduler is active"),
        "{out}"
    );
    assert!(out.contains("features      unknown"), "{out}");
    report.source.sis_features = Some(Vec::new());
    let out = text(Unit::Ns).header(&report);
    assert!(
        out.contains("features      none that bounds the search"),
        "{out}"
    );
}

#[test]
fn an_interval_without_events_takes_one_line() {
    let mut text = text(Unit::Ns);
    let before = sample::report(1, 5);
    let mut now = before.clone();
    now.elapsed += 1.0;
    text.interval(&before);
    let expected = "--- 6.0 s (last 1.0 s)\nLLC 0: CPUs 0-7 (8): no wake-up came through\n\n";
    assert_eq!(text.interval(&now), expected);
}

#[test]
fn idle_groups_share_one_line() {
    let mut report = sample::by_cpu(8, 5);
    let text = text(Unit::Ns);
    let out = text.summary(&report);
    assert!(out.contains("\nCPU 2\n  wake-ups "), "{out}");
    let idle = "\n7 groups: no wake-up came through: CPUs 0-1,3-6; CPU 7\n\n";
    assert!(out.contains(idle), "{out}");
    assert_eq!(out.matches("no wake-up").count(), 1);
    assert!(
        out.contains("\nLLC 0, from other LLCs\n  wake-ups "),
        "{out}"
    );
    let header = text.header(&report);
    let grouped =
        "grouped by    CPU on which the wake-up ran; what came from other LLCs is told apart";
    assert!(header.contains(grouped), "{header}");

    // One alone is told as ever.
    report.groups.truncate(3);
    report.groups.remove(0);
    let out = text.summary(&report);
    assert!(out.contains("\nCPU 1: no wake-up came through\n"), "{out}");
}

#[test]
fn groups_are_headed_by_what_they_are() {
    let mut report = sample::by_cpu(8, 5);
    let heading = |group: &Group| super::paragraph::heading(group);
    assert_eq!(heading(&report.groups[2]), "CPU 2");
    assert_eq!(heading(&report.groups[7]), "CPU 7: no CPU online");
    assert_eq!(heading(&report.groups[8]), "LLC 0, from other LLCs");
    let group = &mut report.groups[2];
    group.name = "core 1".into();
    assert_eq!(heading(group), "core 1: CPUs 2 (1)");
    group.kind = GroupKind::Unknown;
    group.name = "LLC ?".into();
    assert_eq!(heading(group), "LLC ?: CPUs whose LLC is not known");
}

#[test]
fn losses_of_an_interval_are_told_in_it_alone() {
    let mut text = text(Unit::Ns);
    let mut report = sample::report(1, 5);
    report.health.probes[0].recursion_misses = Some(3);
    report.health.unmatched_entries = 2;
    let out = text.interval(&report);
    assert!(
        out.contains("Not counted: probe misses 3, some unknown"),
        "{out}"
    );
    assert!(out.contains("unmatched entries 2"), "{out}");
    report.elapsed += 1.0;
    assert!(!text.interval(&report).contains("Not counted"));
}

#[test]
fn counters_that_went_back_are_told() {
    let mut text = text(Unit::Ns);
    text.interval(&sample::report(1, 5));
    let mut restarted = sample::report(1, 1);
    restarted.elapsed = 6.0;
    let out = text.interval(&restarted);
    assert!(out.contains("a counter went back"), "{out}");
    assert!(
        out.contains("wake-ups 120000 "),
        "the totals are shown: {out}"
    );
}

#[test]
fn the_difference_of_two_reports() {
    let (earlier, now) = (sample::report(2, 5), sample::report(2, 8));
    let delta = now.since(&earlier).unwrap();
    assert_eq!(delta.elapsed, 3.0);
    assert_eq!(delta.groups[0].figures, sample::figures(3));
    assert_eq!(delta.source, now.source);
    assert_eq!(
        delta.health.probes[2].probe_misses, None,
        "unknown stays so"
    );
    assert_eq!(earlier.since(&now), Err(Shrunk));
    let mut clock_back = earlier.clone();
    clock_back.elapsed -= 0.5;
    assert_eq!(clock_back.since(&earlier), Err(Shrunk));
}

#[test]
fn a_group_or_probe_that_is_new_began_at_nothing() {
    let now = sample::report(2, 5);
    let mut earlier = now.clone();
    earlier.groups.remove(0);
    let mut later = now.clone();
    later.health.probes[1].probe_misses = Some(7);
    later.health.core_calls_dropped = 4;
    earlier.health.probes.remove(1);
    let delta = later.since(&earlier).unwrap();
    assert_eq!(delta.groups[0].figures, now.groups[0].figures);
    assert_eq!(delta.groups[1].figures, Figures::default());
    assert_eq!(delta.health.probes[1].probe_misses, Some(7));
    assert_eq!(delta.health.misses().known, 7);
    assert!(delta.health.misses().some_unknown);
    assert_eq!(delta.health.lost(), 4);
}

#[test]
fn every_health_counter_that_goes_back_is_noticed() {
    let mut earlier = sample::report(1, 1);
    earlier.health.unmatched_entries = 1;
    earlier.health.unmatched_exits = 1;
    earlier.health.searches_outside = 1;
    earlier.health.core_calls_dropped = 1;
    earlier.health.probes[0].recursion_misses = Some(1);
    let back: [fn(&mut Report); 5] = [
        |r| r.health.unmatched_entries = 0,
        |r| r.health.unmatched_exits = 0,
        |r| r.health.searches_outside = 0,
        |r| r.health.core_calls_dropped = 0,
        |r| r.health.probes[0].recursion_misses = Some(0),
    ];
    for back in back {
        let mut now = earlier.clone();
        back(&mut now);
        assert_eq!(now.since(&earlier), Err(Shrunk));
    }
}

#[test]
fn json_comes_back_as_it_went() {
    for report in [
        sample::report(3, 7),
        sample::bracketed(1, 2),
        sample::by_cpu(4, 2),
    ] {
        let (mut pretty, mut line) = (Vec::new(), Vec::new());
        json::write_pretty(&mut pretty, &report).unwrap();
        json::write_line(&mut line, &report).unwrap();
        let (pretty, line) = (
            String::from_utf8(pretty).unwrap(),
            String::from_utf8(line).unwrap(),
        );
        assert_eq!(line.matches('\n').count(), 1);
        assert!(line.ends_with('\n'));
        assert!(line.starts_with(r#"{"schema_version":2,"report":{"source":{"#));
        assert!(pretty.lines().count() > 50);
        assert_eq!(json::read(&pretty).unwrap(), report);
        assert_eq!(json::read(&line).unwrap(), report);
    }
}

#[test]
fn json_has_what_follows_from_the_figures() {
    let document = |report: &Report| {
        let mut line = Vec::new();
        json::write_line(&mut line, report).unwrap();
        serde_json::from_slice::<serde_json::Value>(&line).unwrap()
    };
    let groups = document(&sample::report(2, 1))["report"]["groups"].take();
    // 16741 domain searches that look at 39415 CPUs, of which 10341 find none.
    let efficiency = &groups[0]["efficiency"];
    for (name, expected) in [
        ("search", 120_000.0),
        ("domain_search", 16_741.0),
        ("scanned", 159_415.0),
        ("failed", 10_341.0),
        ("fast", 103_259.0),
        ("search_efficiency", 109_659.0 / 159_415.0 * 100.0),
        ("domain_search_efficiency", 6_400.0 / 56_156.0 * 100.0),
        ("fast_success_rate", 103_259.0 / 120_000.0 * 100.0),
        ("success_rate", 109_659.0 / 120_000.0 * 100.0),
        ("domain_success_rate", 6_400.0 / 16_741.0 * 100.0),
    ] {
        let found = efficiency[name].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
    assert_eq!(groups[1]["efficiency"]["search"], 0);
    assert!(groups[1]["efficiency"]["search_efficiency"].is_null());
    let predictions = &groups[0]["predictions"];
    assert_eq!(predictions.as_array().unwrap().len(), 12);
    assert_eq!(predictions[0]["policy"], "full");
    assert_eq!(predictions[0]["depth"]["cpus"]["mean"], 8.0);
    assert_eq!(predictions[0]["depth"]["searching"], 1.0);
    let why = &predictions[1]["not_available"];
    assert_eq!(why, "this kernel has no sched_domain::avg_scan_cost");
    let group = document(&sample::bracketed(1, 1))["report"]["groups"][0].take();
    assert!(group["efficiency"].is_null() && group["state"].is_object());
}

/// docs/cli.md must have every field of what is said of groups and policies.
#[test]
fn the_documentation_has_the_fields() {
    const CLI: &str = include_str!("../../../docs/cli.md");
    let mut line = Vec::new();
    json::write_line(&mut line, &sample::report(1, 1)).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&line).unwrap();
    let report = &document["report"];
    let group = &report["groups"][0];
    for object in [
        group,
        &report["source"]["policy"],
        &group["efficiency"],
        &group["state"],
        &group["state"]["llc"],
        &group["predictions"][0]["depth"],
    ] {
        for name in object.as_object().unwrap().keys() {
            assert!(CLI.contains(&format!("`{name}`")), "{name} is not there");
        }
    }
}

#[test]
fn a_group_that_is_no_llc_has_a_load_but_no_prediction() {
    let mut report = sample::report(1, 1);
    let group = &mut report.groups[0];
    group.predictions.clear();
    group.state.as_mut().unwrap().llc = None;
    let text = Text::new(Options {
        policies: Policy::ALL.to_vec(),
        ..Options::default()
    });
    let out = text.summary(&report);
    let load = "  now: utilisation 43.8 %  idle CPUs 1 of 8  nr_running 7\n";
    assert!(out.contains(load), "{out}");
    for unknown in ["predicted", "<-", "nr_idle_scan", "has_idle_cores"] {
        assert!(!out.contains(unknown), "{unknown}: {out}");
    }
    report.groups[0].state = None;
    assert!(!text.summary(&report).contains("now:"));
}

#[test]
fn json_of_another_schema_is_refused_by_its_version() {
    let error = json::read(r#"{"schema_version": 1, "report": {"unheard": "of"}}"#).unwrap_err();
    assert!(
        matches!(error, json::ReadError::Version { found: 1 }),
        "{error}"
    );
    for text in ["", "{}", "[]", r#"{"schema_version": 2}"#] {
        let error = json::read(text).unwrap_err();
        assert!(
            matches!(error, json::ReadError::Malformed(_)),
            "{text}: {error}"
        );
    }
}

proptest! {
    /// Times to the nanosecond, for a hundred days.
    #[test]
    fn elapsed_comes_back_exactly(ns in 0u64..8_640_000_000_000_000) {
        let mut report = sample::report(1, 1);
        report.elapsed = std::time::Duration::from_nanos(ns).as_secs_f64();
        let mut line = Vec::new();
        json::write_line(&mut line, &report).unwrap();
        let back = json::read(std::str::from_utf8(&line).unwrap()).unwrap();
        prop_assert_eq!(back.elapsed, report.elapsed);
    }
}
