//! Predicted depth over utilisation, as a chart.

use super::{domain, times};
use crate::{
    policy::{Curve, Line, LlcState, Measured, Policy},
    sink::chart::{self, Axis, Chart, Colour, Layer, Marker, Numbers, Points, STYLES},
};

/// How the points of each measurement look; where there are more, all look alike.
const MEASURED: [(Marker, Colour); 4] = [
    (Marker::Ring, Colour(0x00, 0x00, 0x00)),
    (Marker::Frame, Colour(0xb0, 0x00, 0x20)),
    (Marker::Ring, Colour(0x00, 0x55, 0xcc)),
    (Marker::Frame, Colour(0x11, 0x77, 0x33)),
];

/// A line for each policy that can be told, and a point for each measurement.
pub fn chart(curve: &Curve) -> Chart {
    let mut layers: Vec<Layer> = (curve.policies.iter())
        .filter(|line| line.needs.is_none())
        .map(|line| Layer::Line(drawn(line, &curve.utilisation, curve.llc.weight)))
        .collect();
    layers.extend(points(&curve.measured).into_iter().map(Layer::Points));
    let most = (curve.measured.iter())
        .map(|point| point.scanned_mean)
        .fold(f64::from(curve.llc.weight), f64::max);
    Chart {
        title: title(&curve.llc),
        subtitle: subtitle(&curve.llc),
        x: Axis {
            label: "utilisation of the LLC, %".into(),
            from: 0.0,
            to: 100.0,
            whole: true,
            end_tick: true,
            numbers: Numbers::Plain,
        },
        y: Axis {
            label: "CPUs that one search may look at (0: no search)".into(),
            from: 0.0,
            to: most.ceil(),
            whole: true,
            end_tick: true,
            numbers: Numbers::Plain,
        },
        layers,
        notes: notes(&curve.policies),
    }
}

fn title(llc: &LlcState) -> String {
    let cpus = if llc.weight == 1 { "CPU" } else { "CPUs" };
    format!(
        "How far a search may look in an LLC of {} {cpus}",
        llc.weight
    )
}

fn subtitle(llc: &LlcState) -> String {
    let times = times(llc);
    if times.is_empty() {
        domain(llc)
    } else {
        format!("{}; {times}", domain(llc))
    }
}

fn drawn(line: &Line, utilisation: &[u32], cpus: u32) -> chart::Line {
    chart::Line {
        name: line.policy.to_string(),
        values: values(utilisation, &line.depth, cpus),
        style: style(line.policy),
    }
}

/// In steps, each depth up to the next utilisation: there is none between two whole numbers of
/// CPUs. But where more than one CPU lies between two values the steps would be those of the
/// computation, not of the policy; the values are then joined.
fn values(utilisation: &[u32], depth: &[u32], cpus: u32) -> Vec<(f64, f64)> {
    let point = |&percent: &u32, &depth: &u32| (f64::from(percent), f64::from(depth));
    let step = utilisation.get(1).copied().unwrap_or(100);
    if step * cpus > 100 {
        let pairs = utilisation.iter().zip(depth);
        return pairs
            .map(|(percent, depth)| point(percent, depth))
            .collect();
    }
    let next = utilisation.iter().skip(1).chain(utilisation.last());
    let mut values: Vec<_> = (utilisation.iter().zip(next).zip(depth))
        .flat_map(|((this, next), depth)| [point(this, depth), point(next, depth)])
        .collect();
    values.dedup();
    values
}

/// The same for a policy in every chart, whichever others are there.
fn style(policy: Policy) -> chart::Style {
    let place = Policy::ALL.iter().position(|&other| other == policy);
    STYLES[place.unwrap_or(0) % STYLES.len()]
}

/// A series for each label.
fn points(measured: &[Measured]) -> Vec<Points> {
    let mut all: Vec<Points> = Vec::new();
    for point in measured {
        let value = (point.utilisation_percent, point.scanned_mean);
        let name = format!("measured: {}", point.label);
        match all.iter_mut().find(|points| points.name == name) {
            Some(points) => points.values.push(value),
            None => {
                let (marker, colour) = MEASURED[all.len() % MEASURED.len()];
                all.push(Points {
                    name,
                    values: vec![value],
                    marker,
                    colour,
                });
            }
        }
    }
    if all.len() <= MEASURED.len() {
        return all;
    }
    let (marker, colour) = MEASURED[0];
    vec![Points {
        name: format!("measured: {} series", all.len()),
        values: all.into_iter().flat_map(|points| points.values).collect(),
        marker,
        colour,
    }]
}

/// What is missing for the policies that have no line.
fn notes(policies: &[Line]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut needs: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in policies {
        let Some(missing) = line.needs else { continue };
        let name = line.policy.name();
        match needs.iter_mut().find(|(known, _)| *known == missing) {
            Some((_, names)) => names.push(name),
            None => needs.push((missing, vec![name])),
        }
    }
    for (missing, names) in needs {
        let verb = if names.len() == 1 { "needs" } else { "need" };
        notes.push(format!(
            "Not drawn: {} {verb} {missing}, which are not given.",
            names.join(", ")
        ));
    }
    notes
}
