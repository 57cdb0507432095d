//! What was done for a capture, and on what machine, in words for text and page alike.

use super::{number::Digits, page::Fact, words::clean};
use crate::{
    bench::Better,
    capture::{Capture, Cell, Exit, Machine, OfRuns, Run},
    kernel::Topology,
};

/// Runs at most of which each is told why it does not count.
const MOST_RUNS: usize = 8;
/// The longest value, in characters; who wants more has the file.
const MOST: usize = 600;

/// A value from a file that anybody may have written.
pub(super) fn fact(name: &str, value: impl AsRef<str>) -> Fact {
    Fact {
        name: name.into(),
        value: clean(value.as_ref(), MOST),
    }
}

/// The command, what the user says of it, and its runs.
pub(super) fn what(capture: &Capture) -> Vec<Fact> {
    let mut facts = vec![fact("command", command(capture))];
    if !capture.labels.is_empty() {
        let labels = capture.labels.iter();
        let labels: Vec<String> = labels
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        facts.push(fact("labels", labels.join("  ")));
    }
    facts.extend(
        capture
            .cell
            .as_ref()
            .map(|cell| fact("setting", setting(cell))),
    );
    facts.push(fact("runs", runs(capture)));
    let lost = capture
        .runs
        .iter()
        .zip(1..)
        .filter(|(run, _)| !run.counts());
    let lost: Vec<String> = lost
        .map(|(run, number)| format!("run {number}{}", ended(run)))
        .collect();
    if !lost.is_empty() {
        facts.push(fact("failed", some(&lost)));
    }
    facts
}

/// The command line as a shell would take it.
pub(super) fn command(capture: &Capture) -> String {
    if capture.command.is_empty() {
        return "none, a span of time".into();
    }
    let words: Vec<String> = capture.command.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn setting(cell: &Cell) -> String {
    let mut text = cell.setting.clone();
    if !cell.features.is_empty() {
        text += &format!(" ({})", cell.features.join(" "));
    }
    if let Some(load) = cell.load {
        text += &format!(", load {load} %");
    }
    text + &format!(", order by seed {}", cell.seed)
}

fn runs(capture: &Capture) -> String {
    let (there, planned) = (capture.runs.len(), capture.planned_runs);
    let mut text = format!("{there} of {planned}");
    match capture.warmup_runs {
        0 => {}
        warmup => text += &format!(", after {warmup} to warm up"),
    }
    if let Some(first) = capture.runs.first() {
        text += &format!("; the first began {}", first.began);
    }
    text
}

/// How a run ended: `, status 1`.
fn ended(run: &Run) -> String {
    match run.exit {
        None => String::new(),
        Some(Exit::Status(status)) => format!(", status {status}"),
        Some(Exit::Signal(signal)) => format!(", signal {signal}"),
    }
}

fn some(all: &[String]) -> String {
    let shown = &all[..all.len().min(MOST_RUNS)];
    let text = shown.join("; ");
    match all.len() - shown.len() {
        0 => text,
        more => format!("{text}; and {more} more"),
    }
}

/// The kernel and its CPUs.
pub(super) fn machine(machine: &Machine) -> Vec<Fact> {
    let unknown = || "unknown".to_owned();
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    let mut facts = vec![
        fact("kernel", or_unknown(&machine.release)),
        fact("build id", or_unknown(&machine.build_id)),
        fact("architecture", or_unknown(&machine.architecture)),
        fact(
            "CPUs",
            machine.topology.as_ref().map_or_else(unknown, topology),
        ),
        fact("booted with", or_unknown(&machine.boot_command_line)),
    ];
    let options = machine.options.as_ref().map(|options| {
        let options = options.iter().map(|(name, value)| {
            let name = name.strip_prefix("CONFIG_").unwrap_or(name);
            format!("{name}={value}")
        });
        options.collect::<Vec<String>>().join("  ")
    });
    facts.push(fact("kernel options", options.unwrap_or_else(unknown)));
    let features = machine.features.as_ref().map(|features| {
        let features = features.iter().map(|feature| match feature.enabled {
            true => feature.name.clone(),
            false => format!("NO_{}", feature.name),
        });
        features.collect::<Vec<String>>().join(" ")
    });
    facts.push(fact("features", features.unwrap_or_else(unknown)));
    facts
}

/// `16 online, 2 LLCs of 8, 8 cores, 1 node`.
fn topology(topology: &Topology) -> String {
    let many = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let sizes: std::collections::BTreeSet<usize> =
        topology.llcs.iter().map(|llc| llc.cpus.len()).collect();
    let sizes = match (sizes.first(), sizes.last()) {
        (Some(least), Some(most)) if least == most => format!(" of {least} CPUs"),
        (Some(least), Some(most)) => format!(" of {least} to {most} CPUs"),
        _ => String::new(),
    };
    let mut parts = vec![
        format!("{} online", topology.online.len()),
        many(topology.llcs.len(), "LLC") + &sizes,
        many(topology.cores.len(), "core"),
    ];
    if !topology.nodes.is_empty() {
        parts.push(many(topology.nodes.len(), "node"));
    }
    if !topology.isolated.is_empty() {
        parts.push(format!("isolated {}", topology.isolated));
    }
    parts.join(", ")
}

/// The columns of a row of [`metric`].
pub(super) const METRIC: [&str; 4] = ["mean ± σ", "min … max", "runs", "better"];

/// A figure of the benchmark: its name with the unit, and the four [`METRIC`].
pub(super) fn metric(metric: &OfRuns) -> (String, [String; 4]) {
    let name = match metric.unit.as_str() {
        "" => metric.name.clone(),
        unit => format!("{}, {unit}", metric.name),
    };
    let better = match metric.better {
        Better::Lower => "less",
        Better::Higher => "more",
    };
    let digits = Digits::of(metric.mean().unwrap_or(0.0));
    let mean = metric
        .mean()
        .map_or_else(|| "-".into(), |mean| digits.write(mean));
    let mean = match metric.deviation() {
        Some(deviation) => format!("{mean} ± {}", digits.write(deviation)),
        None => mean,
    };
    let range = metric.range().map_or_else(String::new, |(least, most)| {
        format!("{} … {}", digits.write(least), digits.write(most))
    });
    let cells = [mean, range, metric.values.len().to_string(), better.into()];
    (clean(&name, MOST), cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::sample;

    fn value(facts: &[Fact], name: &str) -> String {
        let fact = facts.iter().find(|fact| fact.name == name);
        fact.unwrap_or_else(|| panic!("{name}: {facts:?}"))
            .value
            .clone()
    }

    #[test]
    fn what_was_done() {
        let mut capture = sample::capture(3);
        capture.command = ["sh", "-c", "it's $x"].map(String::from).into();
        capture.runs[1].exit = Some(Exit::Signal(15));
        let facts = what(&capture);
        assert_eq!(value(&facts, "command"), r"sh -c 'it'\''s $x'");
        assert_eq!(value(&facts, "labels"), "kernel=stock");
        let setting = "sis_util (SIS_UTIL), load 50 %, order by seed 7";
        assert_eq!(value(&facts, "setting"), setting);
        let runs = "3 of 3, after 1 to warm up; the first began 2026-11-30T12:00:00Z";
        assert_eq!(value(&facts, "runs"), runs);
        assert_eq!(value(&facts, "failed"), "run 2, signal 15");
        let facts = machine(&capture.machine);
        assert_eq!(
            value(&facts, "CPUs"),
            "16 online, 2 LLCs of 8 CPUs, 8 cores, 1 node"
        );
        assert_eq!(value(&facts, "features"), "PLACE_LAG SIS_UTIL");
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_in_a_value() {
        let mut capture = sample::capture(1);
        capture.command = vec!["\x1b[2J\n".into()];
        capture.labels = [("x".repeat(5000), "\0".into())].into();
        let facts = what(&capture);
        assert_eq!(value(&facts, "command"), "'\u{fffd}[2J\u{fffd}'");
        assert_eq!(value(&facts, "labels").chars().count(), MOST);
    }

    #[test]
    fn figures_have_the_digits_of_their_mean() {
        let told = sample::capture(3).metrics();
        let (name, cells) = metric(&told[0]);
        assert_eq!(name, "time, s");
        let expected = ["5.0100 ± 0.0100", "5.0000 … 5.0200", "3", "less"];
        assert_eq!(cells, expected);
    }
}
