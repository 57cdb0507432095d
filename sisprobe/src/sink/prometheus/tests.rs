use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use prometheus::proto::{LabelPair, MetricType};
use proptest::prelude::*;
use sisprobe_common::bucket;

use super::{Options, bounds, families, text};
use crate::{
    histogram::Histogram,
    plan::Plan,
    policy::{Choice, Policy},
    report::{
        Group, GroupBy, GroupKind, Observation, ProgramRuns, Report,
        metrics::{Kind, Metric, OF_GROUPS, OF_SISPROBE, Unit},
    },
    sink::sample,
};

/// `report` as a daemon of 16 CPUs has it.
pub(crate) fn observation(report: Report) -> Observation {
    let source = &report.source;
    Observation {
        plan: Arc::new(Plan {
            fidelity: source.fidelity,
            attach: source.attach,
            probes: Vec::new(),
            core_timing: source.core_timing,
            inlined_from: source.inlined_from.clone(),
            rejected: Vec::new(),
        }),
        report,
        possible_cpus: 16,
        runs: None,
        disarmed: Vec::new(),
        began: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        taken: UNIX_EPOCH + Duration::from_secs(1_700_000_060),
        took: Duration::from_micros(250),
    }
}

fn render(observation: &Observation, options: &Options) -> String {
    text(families(observation, options)).unwrap()
}

/// The values of all series, by name with labels.
fn series(text: &str) -> BTreeMap<&str, f64> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut series = BTreeMap::new();
    for line in lines {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let former = series.insert(name, value.parse().unwrap());
        assert_eq!(former, None, "{name} is there twice");
    }
    series
}

fn default_options() -> Options {
    Options {
        policies: vec![Policy::SisUtil],
        ..Options::default()
    }
}

/// (upper bound, count) of the buckets, and the total, of durations from 2^2 to 2^4 ns.
fn durations(values: &[u64]) -> (Vec<(f64, u64)>, u64) {
    let mut histogram = Histogram::new(bucket::DURATION);
    for &value in values {
        histogram.record(value, 1);
    }
    let bounds = "4ns..16ns".parse::<super::DurationBounds>().unwrap();
    let made = bounds::cumulative(&histogram, bounds.nanoseconds(), |ns| ns as f64, 1.0);
    let buckets = made.get_bucket().iter();
    let buckets = buckets.map(|one| (one.upper_bound(), one.cumulative_count()));
    (buckets.collect(), made.get_sample_count())
}

#[test]
fn a_duration_of_a_power_of_two_is_in_the_next_bucket() {
    // A clock reading of 7 ns stands for less than 8 ns, one of 8 ns for 8 ns or more.
    for (value, counts) in [
        (0, [1, 1, 1]),
        (3, [1, 1, 1]),
        (4, [0, 1, 1]),
        (5, [0, 1, 1]),
        (7, [0, 1, 1]),
        (8, [0, 0, 1]),
        (9, [0, 0, 1]),
        (15, [0, 0, 1]),
        (16, [0, 0, 0]),
        (17, [0, 0, 0]),
        (u64::MAX, [0, 0, 0]),
    ] {
        let [four, eight, sixteen] = counts;
        let buckets = vec![(4.0, four), (8.0, eight), (16.0, sixteen)];
        assert_eq!(durations(&[value]), (buckets, 1), "{value}");
    }
}

#[test]
fn counts_of_cpus_have_inclusive_bounds_and_zero_its_own() {
    let shown = |most, values: &[u64]| {
        let mut histogram = Histogram::new(bucket::COUNT);
        for &value in values {
            histogram.record(value, 1);
        }
        let le = |above: u64| (above - 1) as f64;
        let made = bounds::cumulative(&histogram, bounds::cpus(most), le, 1.0);
        let buckets = made.get_bucket().iter();
        let buckets: Vec<_> = buckets
            .map(|one| (one.upper_bound() as u64, one.cumulative_count()))
            .collect();
        (buckets, made.get_sample_count(), made.get_sample_sum())
    };
    for k in 1..5 {
        let power = 1_u64 << k;
        for (value, inside) in [(power - 1, 1), (power, 0), (power + 1, 0)] {
            let (buckets, count, sum) = shown(16, &[value]);
            let at = buckets.iter().find(|(le, _)| *le == power - 1).unwrap();
            assert_eq!((at.1, count, sum), (inside, 1, value as f64), "{value}");
        }
    }
    let (buckets, ..) = shown(16, &[0, 0, 1, 16]);
    let expected = [(0, 2), (1, 3), (3, 3), (7, 3), (15, 3), (31, 4)];
    assert_eq!(buckets, expected);
    // As many as needed for a search of every CPU, but not more than are counted.
    let last = |most| shown(most, &[]).0.last().unwrap().0;
    for (most, le) in [
        (1, 1),
        (2, 3),
        (3, 3),
        (4, 7),
        (1024, 2047),
        (8192, 8191),
        (u32::MAX, 8191),
    ] {
        assert_eq!(last(most), le, "{most} CPUs");
    }
}

proptest! {
    /// Whatever is counted: buckets grow, each has exactly the values that are not above its
    /// bound, and all values are in the total.
    #[test]
    fn buckets_are_cumulative_and_exact(
        values in prop::collection::vec((0_u32..40, 0_u64..1 << 40), 0..200)
    ) {
        let values: Vec<u64> = values.into_iter().map(|(shift, value)| value >> shift).collect();
        let mut histogram = Histogram::new(bucket::DURATION);
        values.iter().for_each(|&value| histogram.record(value, 1));
        let bounds = super::DurationBounds::default().nanoseconds();
        let made = bounds::cumulative(&histogram, bounds, |ns| ns as f64, 1.0);
        let mut before = 0;
        for bucket in made.get_bucket() {
            let below = values.iter().filter(|&&value| (value as f64) < bucket.upper_bound());
            prop_assert_eq!(bucket.cumulative_count(), below.count() as u64);
            prop_assert!(bucket.cumulative_count() >= before);
            before = bucket.cumulative_count();
        }
        prop_assert_eq!(made.get_sample_count(), values.len() as u64);
        prop_assert_eq!(made.get_sample_sum(), values.iter().sum::<u64>() as f64);
    }
}

#[test]
fn the_text_has_the_figures_of_the_report() {
    let report = sample::report(2, 3);
    let text = render(&observation(report.clone()), &default_options());
    let series = series(&text);
    let llc = &report.groups[0].figures;
    for (name, value) in [
        (
            r#"sisprobe_search_duration_seconds_count{group="LLC 0"}"#,
            llc.duration.count() as f64,
        ),
        (
            r#"sisprobe_search_duration_seconds_sum{group="LLC 0"}"#,
            llc.duration.sum() as f64 / 1e9,
        ),
        (
            r#"sisprobe_search_duration_seconds_bucket{group="LLC 0",le="0.000000256"}"#,
            0.0,
        ),
        (
            r#"sisprobe_search_duration_seconds_bucket{group="LLC 0",le="0.000000512"}"#,
            6.0,
        ),
        (
            r#"sisprobe_search_scanned_cpus_bucket{group="LLC 0",le="0"}"#,
            28_314.0,
        ),
        (
            r#"sisprobe_search_scanned_cpus_bucket{group="LLC 0",le="1"}"#,
            31_656.0,
        ),
        (
            r#"sisprobe_search_scanned_cpus_bucket{group="LLC 0",le="+Inf"}"#,
            llc.scanned.count() as f64,
        ),
        (
            r#"sisprobe_searches_total{group="LLC 0",outcome="idle_core"}"#,
            4_200.0,
        ),
        (r#"sisprobe_wakeups_total{group="LLC 0",path="exec"}"#, 9.0),
        (
            r#"sisprobe_searches_at_limit_total{group="LLC 0"}"#,
            2_100.0,
        ),
        (r#"sisprobe_scan_limit_cpus{group="LLC 0"}"#, 4.0),
        (r#"sisprobe_utilization_ratio{group="LLC 0"}"#, 0.4375),
        (r#"sisprobe_cpus{group="LLC 1"}"#, 8.0),
        (r#"sisprobe_running_tasks{group="LLC 1"}"#, 7.0),
        (
            r#"sisprobe_probe_attached{probe="kretprobe:select_task_rq_fair"}"#,
            1.0,
        ),
        (
            r#"sisprobe_probe_misses_total{probe="kprobe:select_task_rq_fair",reason="probe"}"#,
            0.0,
        ),
        ("sisprobe_start_time_seconds", 1_700_000_000.0),
        ("sisprobe_snapshot_duration_seconds", 0.00025),
    ] {
        assert_eq!(series.get(name), Some(&value), "{name} in\n{text}");
    }
    let info = "sisprobe_measurement_info{fidelity=\"inlined\",attach=\"kprobe\",\
                kernel=\"6.12.117+deb12-cloud-amd64\",policy=\"sis_util\",group_by=\"llc\"}";
    assert_eq!(series.get(info), Some(&1.0), "{text}");
}

#[test]
fn what_is_not_known_is_absent() {
    let absent = |observation: &Observation, part: &str| {
        let text = render(observation, &default_options());
        !text.contains(part)
    };
    let full = observation(sample::report(1, 1));
    let bracketed = observation(sample::bracketed(1, 1));
    for part in [
        "sisprobe_searches_",
        "sisprobe_core_search_duration_seconds",
    ] {
        assert!(!absent(&full, part), "{part}");
        assert!(absent(&bracketed, part), "{part}");
    }
    assert!(absent(
        &full,
        r#"{probe="kretprobe:select_task_rq_fair",reason="probe"}"#
    ));
    assert!(absent(&full, "sisprobe_program_run"));

    let mut unseen = full.clone();
    unseen.report.groups[0].state = None;
    unseen.report.groups[0].predictions.clear();
    unseen.report.source.policy.policy = None;
    for part in [
        "_ratio",
        "idle_cpus{",
        "running_tasks",
        "scan_limit",
        "predicted",
    ] {
        assert!(!absent(&full, part) && absent(&unseen, part), "{part}");
    }
    assert!(!absent(&unseen, r#"policy="unknown""#));

    let mut counted = full;
    counted.runs = Some(vec![ProgramRuns {
        program: "looked".into(),
        count: 7,
        nanoseconds: 1_500,
    }]);
    assert!(!absent(
        &counted,
        "sisprobe_program_runs_total{program=\"looked\"} 7\n"
    ));
    let seconds = "sisprobe_program_run_seconds_total{program=\"looked\"} 0.0000015\n";
    assert!(!absent(&counted, seconds));
}

#[test]
fn a_disarmed_probe_is_shown_as_not_attached() {
    let mut observation = observation(sample::report(1, 1));
    observation.disarmed = vec!["kprobe:select_task_rq_fair".into()];
    let text = render(&observation, &default_options());
    assert!(
        text.contains("probe_attached{probe=\"kprobe:select_task_rq_fair\"} 0\n"),
        "{text}"
    );
}

#[test]
fn probes_of_one_name_are_one_series() {
    let mut observation = observation(sample::report(1, 1));
    let probes = &mut observation.report.health.probes;
    probes[0].probe_misses = Some(3);
    probes.push(probes[0].clone());
    let text = render(&observation, &default_options());
    let missed =
        r#"sisprobe_probe_misses_total{probe="kprobe:select_task_rq_fair",reason="probe"}"#;
    assert_eq!(series(&text).get(missed), Some(&6.0), "{text}");
}

#[test]
fn predictions_are_those_asked_for_and_the_active_one() {
    let policies = |options: &Options| -> BTreeSet<String> {
        let text = render(&observation(sample::report(1, 1)), options);
        let lines = text
            .lines()
            .filter(|line| line.starts_with("sisprobe_predicted"));
        lines
            .map(|line| line.split('"').nth(3).unwrap().to_owned())
            .collect()
    };
    let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let asked = |choice: &str| Options {
        policies: choice.parse::<Choice>().unwrap().policies().to_vec(),
        ..Options::default()
    };
    assert_eq!(policies(&Options::default()), of(&["sis_util"]));
    assert_eq!(policies(&asked("full")), of(&["full", "sis_util"]));
    // This kernel has no wake_avg_idle and no avg_scan_cost.
    let all = policies(&asked("all"));
    assert!(all.contains("full") && !all.contains("sis_prop"), "{all:?}");
}

#[test]
fn labels_are_escaped() {
    let mut observation = observation(sample::report(1, 1));
    observation.report.source.release = "6.12 \"odd\" \\ one\nline".into();
    let text = render(&observation, &default_options());
    assert!(
        text.contains(r#"kernel="6.12 \"odd\" \\ one\nline""#),
        "{text}"
    );
}

#[test]
fn every_family_is_declared_and_in_order() {
    let declared: Vec<&Metric> = OF_GROUPS.into_iter().chain(OF_SISPROBE).collect();
    let mut full = observation(sample::report(2, 1));
    full.runs = Some(vec![ProgramRuns {
        program: "looked".into(),
        count: 1,
        nanoseconds: 1,
    }]);
    let made = families(&full, &default_options());
    // The server adds the time of scrapes.
    assert_eq!(made.len() + 1, declared.len());
    for family in &made {
        let metric = declared.iter().find(|metric| metric.name == family.name());
        let metric = metric.unwrap_or_else(|| panic!("{} is not declared", family.name()));
        assert_eq!(family.help(), metric.help);
        assert!(!family.get_metric().is_empty());
        for series in family.get_metric() {
            let labels = series.get_label().iter().map(LabelPair::name);
            assert!(labels.eq(metric.labels.iter().copied()), "{}", metric.name);
        }
        let kind = match metric.kind {
            Kind::Counter => MetricType::COUNTER,
            Kind::Gauge => MetricType::GAUGE,
            _ => MetricType::HISTOGRAM,
        };
        assert_eq!(family.get_field_type(), kind, "{}", metric.name);
    }
    let text = text(made).unwrap();
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# HELP "))
        .collect();
    assert!(names.is_sorted());
    assert!(!text.contains("NaN"));
}

/// As promtool's check has them, and the Prometheus documentation.
#[test]
fn names_follow_the_conventions() {
    let mut names = HashSet::new();
    for metric in OF_GROUPS.into_iter().chain(OF_SISPROBE) {
        let name = metric.name;
        assert!(names.insert(name), "{name} is there twice");
        assert!(name.starts_with("sisprobe_"), "{name}");
        assert_eq!(
            name.ends_with("_total"),
            metric.kind == Kind::Counter,
            "{name}"
        );
        let bare = name.trim_end_matches("_total");
        match metric.unit {
            Unit::Seconds => assert!(bare.ends_with("_seconds"), "{name}"),
            Unit::Ratio => assert!(bare.ends_with("_ratio"), "{name}"),
            Unit::Cpus => assert!(bare.ends_with("cpus"), "{name}"),
            Unit::Info => assert!(bare.ends_with("_info"), "{name}"),
            Unit::Count => {}
        }
        assert!(
            !metric.help.is_empty() && !metric.help.ends_with('.'),
            "{name}"
        );
    }
}

/// Counters and buckets of the same run never go back, and no series goes away.
#[test]
fn a_later_report_has_no_less() {
    let at = |seconds| render(&observation(sample::report(3, seconds)), &default_options());
    let (early, late) = (at(1), at(2));
    let (early, late) = (series(&early), series(&late));
    for (name, value) in &early {
        if name.contains("_total") || name.contains("_bucket") || name.contains("_count") {
            assert!(late.get(name).is_some_and(|late| late >= value), "{name}");
        }
    }
}

/// The greatest number of series of a machine with 1,024 CPUs in 64 LLCs, by LLC and by CPU, with
/// every policy and 40 probes.
pub(super) fn most_series() -> (usize, usize) {
    let count = |report: Report| {
        let mut observation = observation(report);
        observation.possible_cpus = 1024;
        let probe = observation.report.health.probes[0].clone();
        observation.report.health.probes = (0..40)
            .map(|number| {
                let name = format!("{} {number}", probe.name);
                crate::report::ProbeHealth {
                    name,
                    ..probe.clone()
                }
            })
            .collect();
        observation.runs = Some(
            (0..12)
                .map(|number| ProgramRuns {
                    program: number.to_string(),
                    count: 0,
                    nanoseconds: 0,
                })
                .collect(),
        );
        let options = Options {
            policies: Policy::ALL.to_vec(),
            ..Options::default()
        };
        series(&render(&observation, &options)).len()
    };
    let unknown = |mut group: Group| {
        group.name = "LLC ?".into();
        group.kind = GroupKind::Unknown;
        (group.state, group.predictions) = (None, Vec::new());
        group
    };
    let mut by_llc = sample::report(64, 1);
    by_llc.groups.push(unknown(by_llc.groups[0].clone()));
    let mut by_cpu = sample::report(1, 1);
    let one = by_cpu.groups.remove(0);
    by_cpu.source.group_by = GroupBy::Cpu;
    for cpu in 0..1024 {
        let mut group = one.clone();
        group.name = format!("CPU {cpu}");
        group.predictions.clear();
        if let Some(state) = &mut group.state {
            state.llc = None;
        }
        by_cpu.groups.push(group);
    }
    for llc in 0..=64 {
        let mut group = unknown(one.clone());
        group.name = format!("LLC {llc}, from other LLCs");
        by_cpu.groups.push(group);
    }
    (count(by_llc), count(by_cpu))
}

#[test]
fn ranges_of_buckets() {
    let exponents = |text: &str| {
        let bounds: super::DurationBounds = text
            .parse()
            .map_err(|error: super::MalformedBounds| error.to_string())?;
        let ns: Vec<u64> = bounds.nanoseconds().collect();
        Ok::<_, String>((ns[0].ilog2(), ns.last().unwrap().ilog2(), ns.len()))
    };
    assert_eq!(exponents("256ns..16ms"), Ok((8, 24, 17)));
    assert_eq!(
        super::DurationBounds::default(),
        "256ns..16ms".parse().unwrap()
    );
    assert_eq!(exponents("300ns..1us"), Ok((8, 10, 3)));
    assert_eq!(exponents("1ns..2ns"), Ok((0, 1, 2)));
    assert_eq!(exponents("1s..4s"), Ok((29, 32, 4)));
    assert_eq!(exponents("300ns..400ns"), Ok((8, 9, 2)));
    for wrong in [
        "", "1us", "1us-2us", "x..2us", "2us..1us", "1us..1us", "0s..1us", "1us..5s",
    ] {
        assert!(exponents(wrong).is_err(), "{wrong}");
    }
}
