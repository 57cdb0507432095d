//! The metrics of the groups.

use prometheus::proto::MetricFamily;

use super::{Options, bounds, family::Family};
use crate::{
    histogram::Histogram,
    plan::Fidelity,
    policy::Policy,
    report::{
        Group, GroupKind, Observation,
        metrics::{
            AT_LIMIT, BEFORE_LIMIT, CORE_SEARCH_DURATION, CPUS, IDLE_CORES_CLAIMED, IDLE_CPUS,
            Metric, OVER_LIMIT, PREDICTED_DEPTH, RUNNING_TASKS, SCAN_LIMIT, SEARCH_DURATION,
            SEARCH_SCANNED, SEARCHES, UTILIZATION, WAKEUPS,
        },
    },
};

const NANOSECONDS: f64 = 1e9;

pub(super) fn families(observation: &Observation, options: &Options) -> Vec<MetricFamily> {
    let groups = &observation.report.groups;
    let mut families = Vec::new();
    let mut add = |metric: &'static Metric, fill: &dyn Fn(&Group, &mut Family)| {
        let mut family = Family::new(metric);
        groups.iter().for_each(|group| fill(group, &mut family));
        families.extend(family.finish());
    };

    let duration = |histogram: &Histogram| {
        let (bounds, le) = (options.durations.nanoseconds(), |ns| {
            ns as f64 / NANOSECONDS
        });
        bounds::cumulative(histogram, bounds, le, NANOSECONDS)
    };
    add(&SEARCH_DURATION, &|group, to| {
        to.add_histogram(&[&group.name], duration(&group.figures.duration));
    });
    add(&SEARCH_SCANNED, &|group, to| {
        let bounds = bounds::cpus(observation.possible_cpus);
        let le = |above: u64| (above - 1) as f64;
        let scanned = bounds::cumulative(&group.figures.scanned, bounds, le, 1.0);
        to.add_histogram(&[&group.name], scanned);
    });
    add(&WAKEUPS, &|group, to| {
        let figures = &group.figures;
        for (path, count) in [
            ("wakeup", figures.wakeups),
            ("fork", figures.forks),
            ("exec", figures.execs),
        ] {
            to.add(&[&group.name, path], Some(count as f64));
        }
    });

    if observation.report.source.core_timing.is_some() {
        add(&CORE_SEARCH_DURATION, &|group, to| {
            to.add_histogram(&[&group.name], duration(&group.figures.core_duration));
        });
    }
    if observation.report.source.fidelity != Fidelity::Bracketed {
        add(&SEARCHES, &|group, to| {
            for (outcome, count) in &group.figures.outcomes {
                to.add(&[&group.name, outcome.name()], Some(*count as f64));
            }
        });
        add(&IDLE_CORES_CLAIMED, &|group, to| {
            let count = group.figures.idle_cores_claimed;
            to.add(&[&group.name], Some(count as f64));
        });
        add(&AT_LIMIT, &|group, to| {
            to.add(&[&group.name], Some(group.figures.at_limit as f64));
        });
        add(&BEFORE_LIMIT, &|group, to| {
            to.add(&[&group.name], Some(group.figures.before_limit as f64));
        });
        add(&OVER_LIMIT, &|group, to| {
            to.add(&[&group.name], Some(group.figures.over_limit as f64));
        });
    }

    let policies = policies(observation, options);
    add(&PREDICTED_DEPTH, &|group, to| {
        let predictions = group.predictions.iter();
        for prediction in predictions.filter(|one| policies.contains(&one.policy)) {
            let labels = [&group.name, prediction.policy.name()];
            to.add(&labels, prediction.predicted.cpus());
        }
    });
    add(&SCAN_LIMIT, &|group, to| {
        let llc = group.state.as_ref().and_then(|state| state.llc.as_ref());
        let limit = llc.and_then(|llc| llc.nr_idle_scan);
        to.add(&[&group.name], limit.map(f64::from));
    });
    add(&UTILIZATION, &|group, to| {
        let state = group.state.as_ref();
        // Each CPU's utilisation is at most its capacity, which may change between the two reads.
        to.add(
            &[&group.name],
            state.map(|state| state.utilisation().min(1.0)),
        );
    });
    add(&IDLE_CPUS, &|group, to| {
        let idle = group.state.as_ref().map(|state| state.idle_cpus);
        to.add(&[&group.name], idle.map(f64::from));
    });
    add(&CPUS, &|group, to| {
        let cpus = (group.kind == GroupKind::Cpus).then(|| f64::from(group.size));
        to.add(&[&group.name], cpus);
    });
    add(&RUNNING_TASKS, &|group, to| {
        let running = group.state.as_ref().map(|state| state.nr_running as f64);
        to.add(&[&group.name], running);
    });
    families
}

/// Those asked for, and the active one.
fn policies(observation: &Observation, options: &Options) -> Vec<Policy> {
    let active = observation.report.source.policy.policy;
    options.policies.iter().copied().chain(active).collect()
}
