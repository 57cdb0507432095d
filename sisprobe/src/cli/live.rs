//! The main job: attach, show, and end with a summary.

use std::{
    convert::Infallible,
    io::{self, IsTerminal as _},
    time::{Duration, Instant},
};

use super::{args::LiveArgs, gather, print, stop::Stop};
use crate::{
    failure::Failure,
    kernel::Root,
    measure::Measurement,
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
    let root = Root::default();
    let facts = gather::facts(&root, &args.how)?;
    let plan = gather::plan(&facts, &args.how)?;
    let stop = Stop::watch()
        .map_err(|error| Failure::Other(format!("tried to watch for signals: {error}")))?;
    let mut measurement = Measurement::begin(&root, &facts, &plan, args.how.btf.as_deref())?;
    drop(facts);
    args.llc.check(&measurement.report())?;

    if args.json {
        lines(args, measurement, &stop)
    } else if args.plain || !io::stdout().is_terminal() {
        plain(args, measurement, &stop)
    } else {
        terminal(args, measurement, &stop)
    }
}

/// Text each interval, and a summary.
fn plain(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let mut text = Text::new(text::Options { unit: args.unit });
    print(&text.header(&shown(args, measurement.report())))?;
    let clock = Clock::start(args);
    while clock.next(stop) {
        print(&text.interval(&shown(args, measurement.report())))?;
    }
    print(&text.summary(&shown(args, measurement.end())))
}

/// JSON each interval, if one was asked for, and at the end.
fn lines(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let write = |report: Report| {
        let mut line = Vec::new();
        json::write_line(&mut line, &shown(args, report)).map_err(|e| Failure::output(&e))?;
        print(&String::from_utf8_lossy(&line))
    };
    let clock = Clock::start(args);
    while clock.next(stop) {
        if args.interval.is_some() {
            write(measurement.report())?;
        }
    }
    write(measurement.end())
}

/// The terminal view, and the summary below it once it is closed.
fn terminal(args: &LiveArgs, mut measurement: Measurement, stop: &Stop) -> Result<(), Failure> {
    let options = tui::Options {
        unit: args.unit,
        interval: args.interval.unwrap_or(INTERVAL),
        duration: args.duration,
    };
    let source = || Ok::<_, Infallible>(shown(args, measurement.report()));
    tui::run(source, options, stop.flag()).map_err(|error| Failure::Other(error.to_string()))?;
    let text = Text::new(text::Options { unit: args.unit });
    let report = shown(args, measurement.end());
    print(&text.header(&report))?;
    print(&text.summary(&report))
}

/// The report with the chosen LLCs only.
fn shown(args: &LiveArgs, mut report: Report) -> Report {
    args.llc.keep(&mut report);
    report
}

/// When the intervals of a run end.
struct Clock {
    began: Instant,
    interval: Duration,
    duration: Option<Duration>,
}

impl Clock {
    fn start(args: &LiveArgs) -> Self {
        Self {
            began: Instant::now(),
            interval: args.interval.unwrap_or(INTERVAL),
            duration: args.duration,
        }
    }

    /// Waits for the end of the next whole interval; false where the run ends before it does.
    fn next(&self, stop: &Stop) -> bool {
        let elapsed = self.began.elapsed();
        let intervals = elapsed.as_nanos() / self.interval.as_nanos() + 1;
        let next = self.interval * u32::try_from(intervals).unwrap_or(u32::MAX);
        let last = self.duration.is_some_and(|duration| duration <= next);
        let until = self.duration.map_or(next, |duration| duration.min(next));
        stop.wait(self.began + until);
        !last && !stop.asked()
    }
}
