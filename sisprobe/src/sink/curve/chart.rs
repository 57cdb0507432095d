//! Predicted depth over utilisation, as a chart.

use super::{domain, times};
use crate::{
    policy::{Curve, Line, LlcState, Measured, Policy},
    sink::chart::{self, Axis, Chart, Colour, Layer, Marker, Points, STYLES},
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
        .map(|line| Layer::Line(drawn(line, &curve.utilisation)))
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
        },
        y: Axis {
            label: "CPUs that one search may look at".into(),
            from: 0.0,
            to: most.ceil(),
            whole: true,
            end_tick: true,
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

fn drawn(line: &Line, utilisation: &[u32]) -> chart::Line {
    let values = utilisation.iter().zip(&line.depth);
    chart::Line {
        name: line.policy.to_string(),
        values: values
            .map(|(&percent, &depth)| (percent.into(), depth.into()))
            .collect(),
        style: style(line.policy),
    }
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

/// What the y axis means, and what is missing for the policies that have no line.
fn notes(policies: &[Line]) -> Vec<String> {
    let mut notes = vec!["0: no search.".to_owned()];
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
