//! A capture as text, in the form that a measurement has at its end.

use std::fmt::{self, Write as _};

use super::{
    done, number,
    text::{Options, Text, written},
    words::clean_lines,
};
use crate::{
    capture::{Capture, NoRun},
    report::Report,
};

/// What was done, and the figures of all runs that count added up, or of `run` alone.
///
/// # Errors
///
/// [`NoRun`]: there is none of that number.
pub fn capture(capture: &Capture, run: Option<usize>, options: Options) -> Result<String, NoRun> {
    let mut out = String::new();
    let (report, heading) = match run {
        Some(number) => {
            let run = capture.run(number)?;
            let time = number::seconds(run.wall_time);
            let heading = format!("run {number}, began {}, {time}", run.began);
            (Some(run.report.clone()), heading)
        }
        None => (capture.joined(), together(capture)),
    };
    written(head(&mut out, capture));
    written(metrics(&mut out, capture, run));
    let text = Text::new(options);
    match &report {
        Some(report) => {
            out += &text.header(report);
            out += &text.under(&heading, report);
        }
        None => out += "No run came to its end, so there are no figures.\n",
    }
    Ok(clean_lines(&out))
}

/// A report of a measurement that is over.
pub fn report(report: &Report, options: Options) -> String {
    let text = Text::new(options);
    clean_lines(&(text.header(report) + &text.summary(report)))
}

/// Which runs are added up, and for how long they took.
fn together(capture: &Capture) -> String {
    let counted = capture.counted();
    let seconds = counted.iter().map(|(_, run)| run.report.elapsed).sum();
    let time = number::seconds(seconds);
    match &counted[..] {
        [] => String::new(),
        [(number, _)] => format!("run {number}, {time}"),
        [.., (last, _)] => format!(
            "{} runs added up, {time} (\"now\" is the end of run {last})",
            counted.len()
        ),
    }
}

fn head(out: &mut String, capture: &Capture) -> fmt::Result {
    let machine = done::machine(&capture.machine);
    // The rest of it is for who compares machines: `--json` has it.
    let machine = machine.into_iter().filter(|fact| fact.name == "CPUs");
    let by = done::fact("measured by", format!("sisprobe {}", capture.sisprobe));
    for fact in done::what(capture).into_iter().chain(machine).chain([by]) {
        writeln!(out, "{:<14}{}", fact.name, fact.value)?;
    }
    writeln!(out)
}

/// A line for each figure of the benchmark: over all runs, or what `run` alone told.
fn metrics(out: &mut String, capture: &Capture, run: Option<usize>) -> fmt::Result {
    let all = match run.and_then(|number| Some((number, capture.run(number).ok()?))) {
        Some(alone) => capture.metrics_of(&[alone]),
        None => capture.metrics(),
    };
    if all.is_empty() {
        return Ok(());
    }
    let mut line = |name: &str, [mean, range, runs, better]: [&str; 4]| {
        writeln!(
            out,
            "{name:<30} {mean:>24} {range:>24} {runs:>6} {better:>7}"
        )
    };
    line("benchmark", done::METRIC)?;
    for metric in &all {
        let (name, cells) = done::metric(metric);
        line(&name, cells.each_ref().map(String::as_str))?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Exit, sample};

    fn shown(of: &Capture, run: Option<usize>) -> String {
        capture(of, run, Options::default()).unwrap()
    }

    #[test]
    fn all_runs_together() {
        let text = shown(&sample::capture(3), None);
        for expected in [
            "command       hackbench -g 4\n",
            "CPUs          16 online, 2 LLCs of 8 CPUs, 8 cores, 1 node\n",
            "time, s                                 5.0100 ± 0.0100          5.0000 … 5.0200      3    less\n",
            "fidelity      inlined: start of the inlined search",
            "=== 3 runs added up, 30.0 s (\"now\" is the end of run 3)\n",
            "  wake-ups 3600000 (120000/s)",
            "LLC 1: CPUs 8-15 (8): no wake-up came through",
            "probes ",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn one_run() {
        let text = shown(&sample::capture(3), Some(2));
        for expected in [
            "=== run 2, began 2026-11-30T12:00:01Z, 5.0 s\n",
            "  wake-ups 1200000 (120000/s)",
            "5.0100 ",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let none = capture(&sample::capture(3), Some(4), Options::default());
        assert_eq!(none, Err(NoRun { number: 4, runs: 3 }));
    }

    #[test]
    fn a_run_that_failed_is_told_and_left_out() {
        let mut capture = sample::capture(2);
        capture.runs[1].exit = Some(Exit::Status(1));
        let text = shown(&capture, None);
        assert!(text.contains("failed        run 2, status 1\n"), "{text}");
        assert!(text.contains("=== run 1, 5.0 s\n"), "{text}");
        capture.runs.clear();
        assert!(shown(&capture, None).ends_with("so there are no figures.\n"));
    }

    #[test]
    fn lines_fit_a_terminal_of_100_columns() {
        let text = shown(&sample::capture(3), None);
        let long = text.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_written() {
        let mut capture = sample::capture(1);
        let report = &mut capture.runs[0].report;
        report.source.warnings.push("\x1b]0;x\x07".into());
        report.groups[0].name = "\x1b[31m".into();
        report.health.probes[0].name = "\r".into();
        let text = shown(&capture, None);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
