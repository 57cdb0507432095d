//! The metrics of sisprobe itself, but for those that the server adds.

use std::{
    collections::BTreeMap,
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus::proto::MetricFamily;

use super::family::Family;
use crate::report::{
    Observation,
    metrics::{
        BUILD_INFO, LOST_EVENTS, MEASUREMENT_INFO, Metric, PROBE_ATTACHED, PROBE_MISSES,
        PROGRAM_RUN_SECONDS, PROGRAM_RUNS, SNAPSHOT_DURATION, SNAPSHOT_TIME, START_TIME,
    },
};

pub(super) fn families(observation: &Observation) -> Vec<MetricFamily> {
    let mut families = Vec::new();
    let mut add = |metric: &'static Metric, fill: &dyn Fn(&mut Family)| {
        let mut family = Family::new(metric);
        fill(&mut family);
        families.extend(family.finish());
    };
    let report = &observation.report;
    let (source, health) = (&report.source, &report.health);

    add(&MEASUREMENT_INFO, &|to| {
        let labels = [
            &source.fidelity.to_string(),
            &source.attach.to_string(),
            &source.release,
            source.policy.name(),
            &source.group_by.to_string(),
        ];
        to.add(&labels, Some(1.0));
    });
    let probes = by_name(observation);
    add(&PROBE_ATTACHED, &|to| {
        for name in probes.keys() {
            let is_armed = !observation.disarmed.iter().any(|disarmed| disarmed == name);
            to.add(&[name], Some(f64::from(u8::from(is_armed))));
        }
    });
    add(&PROBE_MISSES, &|to| {
        for (name, [recursion, probe]) in &probes {
            to.add(&[name, "recursion"], recursion.map(|count| count as f64));
            to.add(&[name, "probe"], probe.map(|count| count as f64));
        }
    });
    add(&LOST_EVENTS, &|to| {
        for (reason, count) in [
            ("unmatched_entry", health.unmatched_entries),
            ("unmatched_exit", health.unmatched_exits),
            ("search_outside", health.searches_outside),
            ("core_call_dropped", health.core_calls_dropped),
        ] {
            to.add(&[reason], Some(count as f64));
        }
    });
    let runs = observation.runs.as_deref().unwrap_or_default();
    add(&PROGRAM_RUNS, &|to| {
        for runs in runs {
            to.add(&[&runs.program], Some(runs.count as f64));
        }
    });
    add(&PROGRAM_RUN_SECONDS, &|to| {
        for runs in runs {
            to.add(&[&runs.program], Some(runs.nanoseconds as f64 / 1e9));
        }
    });
    add(&SNAPSHOT_DURATION, &|to| {
        to.add(&[], Some(observation.took.as_secs_f64()));
    });
    add(&SNAPSHOT_TIME, &|to| to.add(&[], unix(observation.taken)));
    add(&START_TIME, &|to| to.add(&[], unix(observation.began)));
    add(&BUILD_INFO, &|to| {
        to.add(&[env!("CARGO_PKG_VERSION")], Some(1.0));
    });
    families
}

/// What the probes of each name missed, by reason: two probes may have the same one.
fn by_name(observation: &Observation) -> BTreeMap<&str, [Option<u64>; 2]> {
    let mut by_name = BTreeMap::new();
    for probe in &observation.report.health.probes {
        let sums = by_name.entry(probe.name.as_str()).or_insert([Some(0); 2]);
        let missed = [probe.recursion_misses, probe.probe_misses];
        for (sum, missed) in sums.iter_mut().zip(missed) {
            *sum = sum.zip(missed).map(|(sum, missed)| sum + missed);
        }
    }
    by_name
}

/// Seconds since 1970; none for a clock that is set before that.
fn unix(time: SystemTime) -> Option<f64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(since.as_secs_f64())
}
