//! Comparisons of captures that were made up.

use super::*;
use crate::{
    bench::{self, Better},
    capture::{Exit, sample},
    kernel::CpuSet,
    plan::{AttachMethod, Fidelity},
    report::OutcomeName,
};

/// A capture whose runs tell `values` as hackbench's time; its searches are the same in each.
fn timed(values: &[f64]) -> Capture {
    told("time", Better::Lower, values)
}

fn told(name: &str, better: Better, values: &[f64]) -> Capture {
    let mut capture = sample::capture(u32::try_from(values.len()).unwrap());
    for (run, &value) in capture.runs.iter_mut().zip(values) {
        run.metrics = vec![bench::Metric {
            name: name.into(),
            unit: "s".into(),
            better,
            value,
        }];
    }
    capture
}

/// A cell of an A/B matrix.
fn cell(setting: &str, load: u32, values: &[f64]) -> Capture {
    let mut capture = timed(values);
    let cell = capture.cell.as_mut().unwrap();
    cell.setting = setting.into();
    cell.load = Some(load);
    capture
}

fn compared(captures: &[&Capture], choice: &Choice) -> Result<Comparison, CompareError> {
    let names = ["base", "new", "newer", "newest"];
    let named: Vec<Named<'_>> = (names.into_iter().zip(captures))
        .map(|(name, capture)| Named {
            name: name.into(),
            capture,
        })
        .collect();
    Comparison::of(&named, choice)
}

fn of(captures: &[&Capture]) -> Comparison {
    compared(captures, &Choice::default()).unwrap()
}

fn table<'a>(comparison: &'a Comparison, name: &str) -> &'a Table {
    let mut tables = comparison.tables.iter();
    let found = tables.find(|table| table.metric.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {comparison:?}"))
}

fn only<'a>(comparison: &'a Comparison, name: &str) -> &'a Compared {
    let rows = &table(comparison, name).rows;
    assert_eq!(rows.len(), 1);
    rows[0].new[0].as_ref().unwrap()
}

#[test]
fn the_same_on_both_sides_is_no_difference() {
    let capture = timed(&[5.0, 5.1, 4.9]);
    let comparison = of(&[&capture, &capture.clone()]);
    let names: Vec<&str> = (comparison.tables.iter())
        .map(|table| table.metric.name.as_str())
        .collect();
    let expected = [
        "time",
        "search_time_p50",
        "search_time_p99",
        "scanned_mean",
        "searches_per_wakeup",
        "share_skipped",
    ];
    assert_eq!(names, expected);
    for name in expected {
        let compared = only(&comparison, name);
        assert_eq!(compared.verdict, Verdict::NoDifference, "{name}");
        assert_eq!(compared.p, Some(1.0), "{name}");
        assert_eq!(compared.percent, Some(0.0), "{name}");
    }
    assert_eq!(comparison.warnings, [""; 0]);
    assert_eq!(comparison.notes, [""; 0]);
}

/// Against the figures of the sample: 16,741 searches of 120,000 wake-ups, 39,415 CPUs looked at,
/// 9,438 searches skipped.
#[test]
fn what_sisprobe_tells_is_of_all_groups_together() {
    let capture = sample::capture(3);
    let comparison = of(&[&capture, &capture.clone()]);
    let mean = |name| table(&comparison, name).rows[0].base.mean;
    assert!((mean("scanned_mean") - 39_415.0 / 16_741.0).abs() < 1e-12);
    assert!((mean("searches_per_wakeup") - 16_741.0 / 120_000.0).abs() < 1e-12);
    assert!((mean("share_skipped") - 943_800.0 / 16_741.0).abs() < 1e-9);
    // 2100 is the median, and lies in the bucket [2048, 2304).
    assert_eq!(mean("search_time_p50"), 2303.0);
    let ninetyfifth = &comparison.percentiles[2];
    assert_eq!(ninetyfifth.metric.name, "search_time_p95");
    assert_eq!(comparison.percentiles.len(), 6);
}

#[test]
fn more_is_better_whatever_the_direction() {
    let (less, more) = ([10.0, 10.1, 9.9], [12.0, 12.1, 11.9]);
    for (better, verdict, percent) in [
        (Better::Lower, Verdict::Worse, -20.0),
        (Better::Higher, Verdict::Better, 20.0),
    ] {
        let comparison = of(&[&told("x", better, &less), &told("x", better, &more)]);
        let compared = only(&comparison, "x");
        assert_eq!(compared.verdict, verdict);
        assert!((compared.percent.unwrap() - percent).abs() < 1e-9);
        let (low, high) = compared.interval_percent.unwrap();
        assert!(low < percent && percent < high && low * high > 0.0);
    }
}

#[test]
fn skipped_searches_differ_and_are_not_better() {
    let base = sample::capture(3);
    let mut new = base.clone();
    for run in &mut new.runs {
        let outcomes = &mut run.report.groups[0].figures.outcomes;
        *outcomes.get_mut(&OutcomeName::Skipped).unwrap() *= 2;
    }
    let comparison = of(&[&base, &new]);
    let compared = only(&comparison, "share_skipped");
    assert_eq!(compared.verdict, Verdict::Differs);
    assert!(compared.percent.unwrap() > 0.0);
}

#[test]
fn times_in_neighbouring_buckets_are_no_difference() {
    let base = sample::capture(3);
    for (by, verdict) in [(256, Verdict::NoDifference), (1024, Verdict::Worse)] {
        let mut new = base.clone();
        for run in &mut new.runs {
            // Enough to move the median.
            let duration = &mut run.report.groups[0].figures.duration;
            let count = duration.count();
            duration.record(2100 + by, 10 * count);
        }
        assert_eq!(
            only(&of(&[&base, &new]), "search_time_p50").verdict,
            verdict
        );
    }
}

#[test]
fn other_units_are_refused() {
    let base = timed(&[5.0, 5.1]);
    let mut new = base.clone();
    new.runs
        .iter_mut()
        .for_each(|run| run.metrics[0].unit = "ms".into());
    let error = compared(&[&base, &new], &Choice::default()).unwrap_err();
    assert!(matches!(&error, CompareError::Unlike { name, .. } if name == "time"));
    assert!(error.to_string().contains("s (lower is better)"), "{error}");
    let new = told("time", Better::Higher, &[1.0, 2.0]);
    assert!(compared(&[&base, &new], &Choice::default()).is_err());
    let mut mixed = base.clone();
    mixed.runs[1].metrics[0].unit = "ms".into();
    assert!(compared(&[&base, &mixed], &Choice::default()).is_err());
}

#[test]
fn metrics_and_groups_are_chosen_by_name() {
    let base = timed(&[5.0, 5.1, 4.9]);
    let choose = |metrics: &[&str], groups: &[&str]| {
        let all = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
        let choice = Choice {
            metrics: Some(all(metrics)),
            groups: all(groups),
        };
        compared(&[&base, &base.clone()], &choice)
    };
    let comparison = choose(&["search_time_p99.9", "time"], &["LLC 0"]).unwrap();
    let names = comparison.tables.iter().map(|table| &table.metric.name);
    assert_eq!(names.collect::<Vec<_>>(), ["search_time_p99.9", "time"]);
    let error = choose(&["tme"], &[]).unwrap_err().to_string();
    assert!(
        error.contains("no metric tme; there are time, search_time_p50"),
        "{error}"
    );
    let error = choose(&["time"], &["LLC 9"]).unwrap_err().to_string();
    assert!(
        error.contains("base has no group LLC 9; it has LLC 0; LLC 1"),
        "{error}"
    );
    // Nothing was counted there.
    let error = choose(&["scanned_mean"], &["LLC 1"]).unwrap_err();
    assert_eq!(error, CompareError::Apart);
}

#[test]
fn cells_are_paired_by_load_and_setting() {
    let (few, many) = ([5.0, 5.1, 4.9], [9.0, 9.1, 8.9]);
    let captures = [
        &cell("b", 100, &many),
        &cell("a", 100, &many),
        &cell("b", 25, &few),
        &cell("a", 25, &many),
    ];
    let comparison = of(&captures);
    assert_eq!(
        (comparison.base.as_str(), &comparison.new[..]),
        ("b", &["a".to_owned()][..])
    );
    let rows = &table(&comparison, "time").rows;
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.load.as_str(), row.new[0].as_ref().unwrap().verdict))
        .collect();
    let expected = [("25 %", Verdict::Worse), ("100 %", Verdict::NoDifference)];
    assert_eq!(told, expected);
    assert_eq!(rows[0].case, "hackbench");
    let twice = [captures[0], captures[1], captures[0]];
    let error = compared(&twice, &Choice::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("base and newer are both of the setting b at 100 %")
    );
    let alone = of(&captures[..3]);
    assert_eq!(alone.notes, ["hackbench 25 % is in b only, not in a"]);
}

#[test]
fn files_of_one_setting_are_compared_one_by_one() {
    let comparison = of(&[&timed(&[5.0]), &timed(&[6.0]), &timed(&[7.0])]);
    assert_eq!(comparison.base, "base");
    assert_eq!(comparison.new, ["new", "newer"]);
    let row = &table(&comparison, "time").rows[0];
    assert_eq!(row.new.len(), 2);
    assert_eq!(only(&comparison, "time").verdict, Verdict::OneRun);
    let error = compared(&[&timed(&[5.0])], &Choice::default());
    assert_eq!(error, Err(CompareError::One));
}

#[test]
fn case_and_load_have_names() {
    let mut capture = timed(&[5.0, 5.1]);
    capture.cell = None;
    capture.command[0] = "/usr/bin/hackbench".into();
    let row = |capture: &Capture| {
        let comparison = of(&[capture, &capture.clone()]);
        let row = &comparison.tables[0].rows[0];
        (row.case.clone(), row.load.clone())
    };
    assert_eq!(row(&capture), ("hackbench".into(), "-g 4".into()));
    capture.labels.insert("case".into(), "process-pipe".into());
    capture.labels.insert("load".into(), "5 groups".into());
    assert_eq!(row(&capture), ("process-pipe".into(), "5 groups".into()));
    capture.labels.clear();
    capture.command.clear();
    assert_eq!(row(&capture), ("duration".into(), String::new()));
}

#[test]
fn a_command_that_tells_nothing_has_its_wall_time() {
    let mut base = timed(&[5.0, 5.1]);
    base.runs.iter_mut().for_each(|run| run.metrics.clear());
    let comparison = of(&[&base, &base.clone()]);
    assert_eq!(comparison.tables[0].metric.name, "wall_time");
    assert_eq!(comparison.tables[0].rows[0].base.values, [5.0, 5.0]);
}

#[test]
fn runs_that_failed_do_not_count() {
    let base = timed(&[5.0, 5.1, 4.9]);
    let mut new = timed(&[5.0, 5.1, 1000.0]);
    new.runs[2].exit = Some(Exit::Status(1));
    new.planned_runs = 4;
    let comparison = of(&[&base, &new]);
    assert_eq!(only(&comparison, "time").side.values, [5.0, 5.1]);
    assert_eq!(
        comparison.warnings,
        [
            "new: aborted, 3 of 4 runs are there",
            "new: 1 of 3 runs are left out, their command failed",
            "number of runs differs: 3 in base, 2 in new",
        ]
    );
    new.runs
        .iter_mut()
        .for_each(|run| run.exit = Some(Exit::Signal(9)));
    let error = compared(&[&base, &new], &Choice::default()).unwrap_err();
    assert_eq!(error, CompareError::Nothing("new".into()));
}

#[test]
fn what_should_be_equal_is_warned_of() {
    let base = timed(&[5.0, 5.1]);
    let warned = |change: &dyn Fn(&mut Capture)| {
        let mut new = base.clone();
        change(&mut new);
        of(&[&base, &new]).warnings.join("\n")
    };
    let reports = |change: fn(&mut crate::report::Report)| {
        warned(&|new| new.runs.iter_mut().for_each(|run| change(&mut run.report)))
    };
    for (told, expected) in [
        (
            reports(|report| report.source.fidelity = Fidelity::Exact),
            "fidelity differs: inlined in base, exact in new",
        ),
        (
            reports(|report| report.source.attach = AttachMethod::Fentry),
            "attach method differs: kprobe in base, fentry in new",
        ),
        (
            reports(|report| report.health.unmatched_exits = 3),
            "new: 0 wake-ups or CPUs looked at were missed by probes, 6 events were lost",
        ),
        (
            reports(|report| report.groups[0].figures.over_limit = 1),
            "new: 2 searches looked further than the policy allows: something is not as \
             sisprobe takes it to be",
        ),
        (
            reports(|report| report.source.warnings = vec!["sched_ext is active".into()]),
            "new: sched_ext is active",
        ),
        (
            warned(&|new| {
                let topology = new.machine.topology.as_mut().unwrap();
                topology.llcs[1].cpus = "8-11".parse::<CpuSet>().unwrap();
            }),
            "LLC size differs: 8+8 in base, 8+4 in new",
        ),
        (
            warned(&|new| new.machine.architecture = Some("aarch64".into())),
            "CPU architecture differs: x86_64 in base, aarch64 in new",
        ),
        (
            warned(&|new| new.machine.boot_command_line = None),
            "boot command line differs: root=/dev/vda1 ro in base, not known or not set in new",
        ),
        (
            warned(&|new| new.machine.options = Some([("CONFIG_HZ".into(), "1000".into())].into())),
            "CONFIG_HZ differs: 250 in base, 1000 in new",
        ),
        (
            warned(&|new| {
                new.cell = None;
                new.labels.insert("load".into(), "9 groups".into());
            }),
            "case and load differs: hackbench 50 % in base, hackbench 9 groups in new",
        ),
    ] {
        assert_eq!(told, expected);
    }
}

#[test]
fn what_one_compares_is_a_note() {
    let base = timed(&[5.0, 5.1]);
    let mut new = told("latency", Better::Lower, &[1.0, 2.0]);
    new.machine.release = Some("6.13.0".into());
    new.machine.features.as_mut().unwrap()[1].enabled = false;
    let comparison = of(&[&base, &new]);
    assert_eq!(comparison.warnings, [""; 0]);
    assert_eq!(
        comparison.notes,
        [
            "kernel differs: 6.12.117+deb12-cloud-amd64 in base, 6.13.0 in new",
            "scheduler feature differs: SIS_UTIL in base, NO_SIS_UTIL in new",
            "time is in base only, not in new",
            "latency is in new only, not in base",
        ]
    );
}

#[test]
fn bracketed_wake_ups_are_not_taken_for_searches() {
    let mut base = timed(&[5.0, 5.1]);
    for run in &mut base.runs {
        run.report.source.fidelity = Fidelity::Bracketed;
        run.report.groups[0]
            .figures
            .outcomes
            .values_mut()
            .for_each(|count| *count = 0);
    }
    let both = of(&[&base, &base.clone()]);
    let names: Vec<&str> = both
        .tables
        .iter()
        .map(|table| &*table.metric.name)
        .collect();
    let expected = [
        "time",
        "wakeup_time_p50",
        "wakeup_time_p99",
        "looked_at_mean",
    ];
    assert_eq!(names, expected);
    assert!(both.notes[0].contains("fidelity bracketed tells no searches"));
    assert_eq!(both.percentiles.len(), 6);
    let mixed = of(&[&timed(&[5.0, 5.1]), &base]);
    assert_eq!(mixed.tables.len(), 1);
    assert_eq!(
        mixed.warnings,
        ["fidelity differs: inlined in base, bracketed in new"]
    );
}
