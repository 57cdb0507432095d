//! Predicted depth over utilisation, as a table, as JSON or as a chart.

mod chart;

use std::fmt::Write as _;

use serde::Serialize;

pub use self::chart::chart;
use super::{json::SCHEMA_VERSION, number};
use crate::policy::{Curve, Line, LlcState, Measured};

/// The longest line, in characters.
const WIDTH: usize = 100;
const FIRST: &str = "utilisation";
const GAP: &str = "  ";

/// A table with a row for each utilisation and a column for each policy, in as many blocks as
/// lines of 100 characters need.
pub fn text(curve: &Curve) -> String {
    let mut text = heading(curve);
    let known = curve.policies.iter().filter(|line| line.needs.is_none());
    for block in blocks(known) {
        text.push('\n');
        text += &table(&curve.utilisation, &block);
    }
    let unknown = curve.policies.iter().filter_map(|line| {
        let needs = line.needs?;
        Some(format!(
            "{}: needs {needs}, which are not given\n",
            line.policy
        ))
    });
    let unknown: String = unknown.collect();
    if !unknown.is_empty() {
        text.push('\n');
        text += &unknown;
    }
    if !curve.measured.is_empty() {
        text.push('\n');
        text += &points(&curve.measured);
    }
    text
}

fn heading(curve: &Curve) -> String {
    let llc = &curve.llc;
    let cpus = if llc.weight == 1 { "CPU" } else { "CPUs" };
    let mut text = format!("LLC of {} {cpus}, {}\n", llc.weight, domain(llc));
    let times = times(llc);
    if !times.is_empty() {
        text += &times;
        text.push('\n');
    }
    text += "The greatest number of CPUs that one search may look at; 0: no search\n";
    text
}

fn domain(llc: &LlcState) -> String {
    format!(
        "SMT {}, imbalance_pct {}, no idle core",
        llc.smt, llc.imbalance_pct
    )
}

/// The times that are known, with commas between.
fn times(llc: &LlcState) -> String {
    let times = [
        ("avg_idle", llc.avg_idle),
        ("wake_avg_idle", llc.wake_avg_idle),
        ("avg_scan_cost", llc.avg_scan_cost),
    ];
    let times: Vec<String> = times
        .into_iter()
        .filter_map(|(name, ns)| Some(format!("{name} {} ns", ns?)))
        .collect();
    times.join(", ")
}

/// What was measured, a row for each point.
fn points(measured: &[Measured]) -> String {
    let mean = |point: &Measured| number::mean(point.scanned_mean);
    let mut text = format!("{FIRST}{GAP}CPUs scanned, mean{GAP}measured\n");
    for point in measured {
        let percent = format!("{:.1} %", point.utilisation_percent);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{percent:>11}{GAP}{:>18}{GAP}{}",
            mean(point),
            point.label
        );
    }
    text
}

/// Columns that fit beside each other.
fn blocks<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<Vec<&'a Line>> {
    let mut blocks: Vec<Vec<&Line>> = Vec::new();
    let mut room = 0;
    for line in lines {
        let width = GAP.len() + width(line);
        if room < width {
            blocks.push(Vec::new());
            room = WIDTH - FIRST.len();
        }
        room -= width;
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

fn width(line: &Line) -> usize {
    // The number of CPUs of an LLC never needs more than a name does.
    line.policy.name().len()
}

fn table(utilisation: &[u32], block: &[&Line]) -> String {
    let mut text = FIRST.to_owned();
    for line in block {
        text += GAP;
        text += line.policy.name();
    }
    text.push('\n');
    for (row, percent) in utilisation.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(text, "{:>1$}", format!("{percent} %"), FIRST.len());
        for line in block {
            let _ = write!(text, "{GAP}{:>1$}", line.depth[row], width(line));
        }
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    model: Model<'a>,
}

#[derive(Serialize)]
struct Model<'a> {
    llc_size: u32,
    smt: u32,
    imbalance_pct: u32,
    avg_idle: Option<u64>,
    wake_avg_idle: Option<u64>,
    avg_scan_cost: Option<u64>,
    #[serde(flatten)]
    curve: &'a Curve,
}

/// The same as one JSON object on one line; times in ns.
///
/// # Errors
///
/// What the serializer answers.
pub fn json(curve: &Curve) -> serde_json::Result<String> {
    let llc = &curve.llc;
    let document = Document {
        schema_version: SCHEMA_VERSION,
        model: Model {
            llc_size: llc.weight,
            smt: llc.smt,
            imbalance_pct: llc.imbalance_pct,
            avg_idle: llc.avg_idle,
            wake_avg_idle: llc.wake_avg_idle,
            avg_scan_cost: llc.avg_scan_cost,
            curve,
        },
    };
    Ok(serde_json::to_string(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Choice, LlcState};

    fn all(llc: LlcState) -> Curve {
        Curve::new(llc, &Choice::all(), 5)
    }

    fn measured(curve: Curve) -> Curve {
        curve.with_measured(vec![Measured {
            label: "LLC 0".into(),
            utilisation_percent: 52.5,
            scanned_mean: 7.25,
        }])
    }

    #[test]
    fn what_was_measured_has_a_table_of_its_own() {
        let choice = "no_core".parse().unwrap();
        let curve = measured(Curve::new(LlcState::unused(112), &choice, 100));
        assert!(
            text(&curve).ends_with(
                "     100 %        4\n\
                 \n\
                 utilisation  CPUs scanned, mean  measured\n\
                 \x20    52.5 %                7.25  LLC 0\n"
            ),
            "{}",
            text(&curve)
        );
    }

    #[test]
    fn a_table() {
        let choice = "sis_util,sis_prop,no_core".parse().unwrap();
        let curve = Curve::new(LlcState::unused(112), &choice, 50);
        assert_eq!(
            text(&curve),
            "LLC of 112 CPUs, SMT 1, imbalance_pct 117, no idle core\n\
             The greatest number of CPUs that one search may look at; 0: no search\n\
             \n\
             utilisation  sis_util  no_core\n\
             \x20       0 %       112        4\n\
             \x20      50 %        73        4\n\
             \x20     100 %         0        4\n\
             \n\
             sis_prop: needs wake_avg_idle and avg_scan_cost, which are not given\n"
        );
    }

    #[test]
    fn no_line_is_longer_than_a_terminal_of_100_columns() {
        let llc = LlcState {
            avg_idle: Some(u64::MAX),
            wake_avg_idle: Some(u64::MAX),
            avg_scan_cost: Some(0),
            ..LlcState::unused(8192)
        };
        let text = text(&all(llc));
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        // Every policy has its column, and all blocks have all rows.
        for policy in Choice::all().policies() {
            let columns = text.lines().filter(|line| line.starts_with(FIRST));
            let named = columns.filter(|line| line.split(' ').any(|word| word == policy.name()));
            assert_eq!(named.count(), 1, "{policy}");
        }
        assert_eq!(
            text.matches(" 55 %").count(),
            text.matches("\nutilisation").count()
        );
    }

    #[test]
    fn json_has_numbers_or_what_is_missing() {
        let json: serde_json::Value =
            serde_json::from_str(&json(&measured(all(LlcState::unused(112)))).unwrap()).unwrap();
        assert_eq!(json["schema_version"], SCHEMA_VERSION);
        let model = &json["model"];
        assert_eq!(model["llc_size"], 112);
        assert_eq!(model["avg_idle"], serde_json::Value::Null);
        assert_eq!(model["utilisation"][10], 50);
        let policies = model["policies"].as_array().unwrap();
        let of = |name| policies.iter().find(|line| line["policy"] == name).unwrap();
        assert_eq!(of("sis_util")["depth"][10], 73);
        assert_eq!(of("sis_util")["budget"], "nr_idle_scan");
        assert_eq!(of("sis_util_85")["depth"][20], 0);
        let needs = "wake_avg_idle and avg_scan_cost";
        assert_eq!(of("sis_prop")["needs"], needs);

        let cli = include_str!("../../../docs/cli.md");
        let fields = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().unwrap().keys().cloned().collect()
        };
        let point = &model["measured"][0];
        assert_eq!(point["utilisation_percent"], 52.5);
        assert_eq!(point["scanned_mean"], 7.25);
        for field in [fields(model), fields(of("full")), fields(point)].concat() {
            assert!(cli.contains(&format!("`{field}`")), "docs/cli.md: {field}");
        }
    }
}
