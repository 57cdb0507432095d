//! The main job: attach, show, and end with a summary.

use std::{
    convert::Infallible,
    io::{self, IsTerminal as _},
    time::Duration,
};

use super::{args::LiveArgs, begin::begin, clock::Clock, print, select, stop::Stop};
use crate::{
    failure::Failure,
    measure::Measurement,
    policy::Policy,
    report::Report,
    sink::{
        json,
        text::{self, Text},
        tui,
    },
};

const INTERVAL: Duration = Duration::from_secs(1);

/// Runs until `--duration` is over, a signal comes, or the user quits.
pub(super) fn run(args: &LiveArgs) -> Result<(), Failure> {
    let (measurement, stop) = begin(&args.how, select::grouping(&args.groups)?)?;

    if args.json {
        lines(args, measurement, &stop)
    } else if args.plain || !io::stdout().is_terminal() {
        plain(args, measurement, &stop)
    } else {
        terminal(args, measurement, &stop)
    }
}

fn clock(args: &LiveArgs) -> Clock {
    Clock::start(args.interval.unwrap_or(INTERVAL), args.duration)
}

fn text_options(args: &LiveArgs) -> text::Options {
    text::Options {
        unit: args.unit,
        policies: policies(args),
    }
}

fn policies(args: &LiveArgs) -> Vec<Policy> {
    (args.policy.as_ref()).map_or_else(Vec::new, |choice| choice.policies().to_vec())
}

/// Text each interval, and a summary.
fn plain(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let mut text = Text::new(text_options(args));
    print(&text.header(&measurement.report()))?;
    let clock = clock(args);
    while clock.next(stop) {
        print(&text.interval(&measurement.report()))?;
    }
    print(&text.summary(&measurement.end()))
}

/// JSON each interval, if one was asked for, and at the end.
fn lines(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let write = |report: &Report| {
        let mut line = Vec::new();
        json::write_line(&mut line, report).map_err(|e| Failure::output(&e))?;
        print(&String::from_utf8_lossy(&line))
    };
    let clock = clock(args);
    while clock.next(stop) {
        if args.interval.is_some() {
            write(&measurement.report())?;
        }
    }
    write(&measurement.end())
}

/// The terminal view, and the summary below it once it is closed.
fn terminal(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let options = tui::Options {
        unit: args.unit,
        policies: policies(args),
        interval: args.interval.unwrap_or(INTERVAL),
        duration: args.duration,
    };
    let source = || Ok::<_, Infallible>(measurement.report());
    tui::run(source, options, stop.flag()).map_err(|error| Failure::Other(error.to_string()))?;
    let text = Text::new(text_options(args));
    let report = measurement.end();
    print(&text.header(&report))?;
    print(&text.summary(&report))
}
