//! In what the sides differ beyond the figures, and what makes their figures doubtful.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Metric,
    measured::Measured,
    sides::{Side, is_alike},
};
use crate::{
    capture::{Capture, Machine},
    kernel::Topology,
    plan::Fidelity,
    report::Report,
};

/// What should be the same on both sides and is not, and what was missed or lost.
pub(super) fn warnings(base: &Side<'_>, new: &[Side<'_>]) -> Vec<String> {
    let mut told = Vec::new();
    for side in std::iter::once(base).chain(new) {
        told.extend(doubts(side));
    }
    for side in new {
        for (one, other) in pairs(base, side) {
            told.extend(unlike(base, one, side, other));
        }
    }
    without_repeats(told)
}

/// What is worth knowing and no fault.
pub(super) fn notes(base: &Side<'_>, new: &[Side<'_>], metrics: &[&Metric]) -> Vec<String> {
    let mut told = Vec::new();
    for side in new {
        for (one, other) in pairs(base, side) {
            told.extend(compared_on_purpose(base, one, side, other));
        }
        told.extend(unpaired(base, side));
        for metric in metrics {
            told.extend(one_sided(metric, base, side));
        }
    }
    for side in std::iter::once(base).chain(new) {
        told.extend(lacking(side, metrics));
        if side.captures.iter().any(is_bracketed) {
            told.push(format!(
                "{}: fidelity bracketed tells no searches: times and CPUs looked at are those of \
                 whole wake-ups; searches per wake-up and those skipped are not known",
                side.name
            ));
        }
    }
    without_repeats(told)
}

fn without_repeats(told: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut told = told;
    told.retain(|line| seen.insert(line.clone()));
    told
}

fn pairs<'a, 'c>(
    base: &'a Side<'c>,
    new: &'a Side<'c>,
) -> impl Iterator<Item = (&'a Measured<'c>, &'a Measured<'c>)> {
    let captures = base.captures.iter();
    captures.filter_map(|one| Some((one, new.like(one)?)))
}

/// What one side's own figures suffer from.
fn doubts(side: &Side<'_>) -> Vec<String> {
    let captures = || side.captures.iter().map(|one| one.capture);
    let runs = || captures().flat_map(|capture| &capture.runs);
    let counted = || runs().filter(|run| run.counts());
    let sum = |of: fn(&Report) -> u64| {
        let each = counted().map(|run| of(&run.report));
        each.fold(0, u64::saturating_add)
    };
    let mut told = Vec::new();
    let planned: u64 = captures().map(|one| u64::from(one.planned_runs)).sum();
    let there = runs().count();
    if (there as u64) < planned {
        told.push(format!("aborted, {there} of {planned} runs are there"));
    }
    let failed = there - counted().count();
    if failed > 0 {
        told.push(format!(
            "{failed} of {there} runs are left out, their command failed"
        ));
    }
    let (misses, lost) = (sum(|r| r.health.misses().known), sum(|r| r.health.lost()));
    if misses > 0 || lost > 0 {
        told.push(format!(
            "{misses} wake-ups or CPUs looked at were missed by probes, {lost} events were lost"
        ));
    }
    let over = sum(|report| {
        let groups = report.groups.iter();
        groups.map(|group| group.figures.over_limit).sum()
    });
    if over > 0 {
        told.push(format!(
            "{over} searches looked further than the policy allows: something is not as sisprobe \
             takes it to be"
        ));
    }
    let said = counted().flat_map(|run| &run.report.source.warnings);
    told.extend(said.cloned());
    told.into_iter()
        .map(|line| format!("{}: {line}", side.name))
        .collect()
}

/// What should be equal in a pair.
fn unlike(
    base: &Side<'_>,
    one: &Measured<'_>,
    new: &Side<'_>,
    other: &Measured<'_>,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut equal = |what: &str, here: Option<String>, there: Option<String>| {
        if here != there {
            told.push(differ(what, base, here, new, there));
        }
    };
    if !is_alike(one, other) {
        let both = |one: &Measured<'_>| Some(format!("{} {}", one.case, one.load));
        equal("case and load", both(one), both(other));
    }
    let source = |one: &Measured<'_>, of: fn(&Report) -> String| {
        let mut runs = one.runs();
        runs.next().map(|run| of(&run.report))
    };
    let fidelity = |report: &Report| report.source.fidelity.to_string();
    equal("fidelity", source(one, fidelity), source(other, fidelity));
    let attach = |report: &Report| report.source.attach.to_string();
    equal("attach method", source(one, attach), source(other, attach));
    let runs = |one: &Measured<'_>| Some(one.runs().count().to_string());
    equal("number of runs", runs(one), runs(other));
    let (here, there) = (&one.capture.machine, &other.capture.machine);
    equal("LLC size", llcs(here), llcs(there));
    equal(
        "CPU architecture",
        here.architecture.clone(),
        there.architecture.clone(),
    );
    equal(
        "boot command line",
        here.boot_command_line.clone(),
        there.boot_command_line.clone(),
    );
    let (here, there) = (options(here), options(there));
    let names: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    for name in names {
        let value = |options: &BTreeMap<String, String>| options.get(name).cloned();
        equal(name, value(&here), value(&there));
    }
    told
}

fn differ(
    what: &str,
    base: &Side<'_>,
    here: Option<String>,
    new: &Side<'_>,
    there: Option<String>,
) -> String {
    let value = |value: Option<String>| value.unwrap_or_else(|| "not known or not set".into());
    format!(
        "{what} differs: {} in {}, {} in {}",
        value(here),
        base.name,
        value(there),
        new.name
    )
}

/// `8+8`, the searched CPUs of each LLC.
fn llcs(machine: &Machine) -> Option<String> {
    let topology: &Topology = machine.topology.as_ref()?;
    let sizes: Vec<String> = (topology.llcs.iter())
        .map(|llc| topology.searched(llc.number).len().to_string())
        .collect();
    Some(sizes.join("+"))
}

fn options(machine: &Machine) -> BTreeMap<String, String> {
    machine.options.clone().unwrap_or_default()
}

/// What one compares captures for.
fn compared_on_purpose(
    base: &Side<'_>,
    one: &Measured<'_>,
    new: &Side<'_>,
    other: &Measured<'_>,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut equal = |what: &str, here: Option<String>, there: Option<String>| {
        if here != there {
            told.push(differ(what, base, here, new, there));
        }
    };
    let (here, there) = (&one.capture.machine, &other.capture.machine);
    equal("kernel", here.release.clone(), there.release.clone());
    if here.release == there.release {
        equal("build id", here.build_id.clone(), there.build_id.clone());
    }
    let version = |one: &Measured<'_>| Some(one.capture.sisprobe.clone());
    equal("version of sisprobe", version(one), version(other));
    if one.setting() == other.setting() {
        let (here, there) = (features(one.capture), features(other.capture));
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
            let names: Vec<&str> = a.difference(b).map(String::as_str).collect();
            Some(names.join(" ")).filter(|names| !names.is_empty())
        };
        equal(
            "scheduler feature",
            only(&here, &there),
            only(&there, &here),
        );
    }
    told
}

/// As the kernel writes them, `NO_` before those that are off.
fn features(capture: &Capture) -> BTreeSet<String> {
    let features = capture.machine.features.iter().flatten();
    features
        .map(|feature| match feature.enabled {
            true => feature.name.clone(),
            false => format!("NO_{}", feature.name),
        })
        .collect()
}

/// Cells that have no other.
fn unpaired(base: &Side<'_>, new: &Side<'_>) -> Vec<String> {
    let lacking = |side: &Side<'_>, there: &Side<'_>| -> Vec<String> {
        let alone = side.captures.iter().filter(|one| there.like(one).is_none());
        alone
            .map(|one| {
                format!(
                    "{} {} is in {} only, not in {}",
                    one.case, one.load, side.name, there.name
                )
            })
            .collect()
    };
    [lacking(base, new), lacking(new, base)].concat()
}

/// A metric that one side only has. Those of bracketed searches are told of in their own words.
fn one_sided(metric: &Metric, base: &Side<'_>, new: &Side<'_>) -> Option<String> {
    let has = |side: &Side<'_>| {
        let mut captures = side.captures.iter();
        captures.any(|one| one.sample(metric).is_some())
    };
    let (only, not) = match (has(base), has(new)) {
        (true, false) => (base, new),
        (false, true) => (new, base),
        _ => return None,
    };
    Some(format!(
        "{} is in {} only, not in {}",
        metric.title, only.name, not.name
    ))
}

/// A metric that some of the runs did not give.
fn lacking(side: &Side<'_>, metrics: &[&Metric]) -> Vec<String> {
    let short = side.captures.iter().flat_map(|one| {
        let runs = one.runs().count();
        metrics.iter().filter_map(move |metric| {
            let values = one.sample(metric)?.values.len();
            (values < runs).then(|| {
                format!(
                    "{}, {} {}: {values} of {runs} runs have a {}",
                    side.name, one.case, one.load, metric.title
                )
            })
        })
    });
    short.collect()
}

fn is_bracketed(one: &Measured<'_>) -> bool {
    let mut runs = one.runs();
    runs.any(|run| run.report.source.fidelity == Fidelity::Bracketed)
}
