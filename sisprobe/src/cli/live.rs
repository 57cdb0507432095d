//! The main job: attach, show, and end with a summary.

use std::{
    convert::Infallible,
    io::{self, IsTerminal as _},
    time::{Duration, Instant},
};

use super::{args::LiveArgs, gather, print, select, stop::Stop};
use crate::{
    failure::Failure,
    kernel::Root,
    measure::Measurement,
    plan,
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
    let grouping = select::grouping(&args.groups)?;
    let root = Root::default();
    let facts = gather::facts(&root, &args.how)?;
    plan::permitted(&facts)?;
    select::check(&grouping, &facts.topology)?;
    let stop = Stop::watch()
        .map_err(|error| Failure::Other(format!("tried to watch for signals: {error}")))?;
    let (request, btf) = (gather::request(&args.how), args.how.btf.as_deref());
    let mut measurement = Measurement::begin_best(&root, &facts, request, btf)?;
    drop(facts);
    measurement.group_by(grouping);

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
    print(&text.header(&measurement.report()))?;
    let clock = Clock::start(args);
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
    let clock = Clock::start(args);
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
        interval: args.interval.unwrap_or(INTERVAL),
        duration: args.duration,
    };
    let source = || Ok::<_, Infallible>(measurement.report());
    tui::run(source, options, stop.flag()).map_err(|error| Failure::Other(error.to_string()))?;
    let text = Text::new(text::Options { unit: args.unit });
    let report = measurement.end();
    print(&text.header(&report))?;
    print(&text.summary(&report))
}

/// Times on the command line are short enough for `u64`, see `args`.
fn nanoseconds(count: u128) -> Duration {
    Duration::from_nanos(u64::try_from(count).unwrap_or(u64::MAX))
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
        let (until, last) = self.after(self.began.elapsed());
        stop.wait(self.began + until);
        !last && !stop.asked()
    }

    /// When, since the beginning, the interval ends in which `elapsed` lies, and whether the run
    /// ends then too.
    fn after(&self, elapsed: Duration) -> (Duration, bool) {
        let into = elapsed.as_nanos() % self.interval.as_nanos();
        let next = elapsed + self.interval - nanoseconds(into);
        match self.duration {
            Some(duration) if duration <= next => (duration, true),
            _ => (next, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn clock(interval: Duration, duration: Option<Duration>) -> Clock {
        Clock {
            began: Instant::now(),
            interval,
            duration,
        }
    }

    #[test]
    fn intervals_end_at_whole_multiples() {
        let clock = clock(ms(1000), None);
        for (elapsed, next) in [
            (0, 1000),
            (1, 1000),
            (999, 1000),
            (1000, 2000),
            (1001, 2000),
        ] {
            assert_eq!(clock.after(ms(elapsed)), (ms(next), false));
        }
        // One that took too long leaves out those that it covered.
        assert_eq!(clock.after(ms(5300)), (ms(6000), false));
    }

    #[test]
    fn the_run_ends_with_its_duration() {
        let whole = clock(ms(100), Some(ms(300)));
        assert_eq!(whole.after(ms(100)), (ms(200), false));
        assert_eq!(whole.after(ms(200)), (ms(300), true));
        let broken = clock(ms(100), Some(ms(250)));
        assert_eq!(broken.after(ms(110)), (ms(200), false));
        assert_eq!(broken.after(ms(200)), (ms(250), true));
        // Over already, shorter than an interval, none at all.
        assert_eq!(broken.after(ms(900)), (ms(250), true));
        assert_eq!(clock(ms(1000), Some(ms(70))).after(ms(0)), (ms(70), true));
        assert_eq!(clock(ms(1000), Some(ms(0))).after(ms(0)), (ms(0), true));
    }

    #[test]
    fn years_of_short_intervals_do_not_overflow() {
        let year = Duration::from_secs(365 * 24 * 3600);
        let clock = clock(ms(10), None);
        assert_eq!(clock.after(50 * year), (50 * year + ms(10), false));
    }

    #[test]
    fn next_waits_and_says_whether_there_is_more() {
        let stop = Stop::unwatched();
        let clock = clock(ms(20), Some(ms(50)));
        let mut intervals = 0;
        while clock.next(&stop) {
            intervals += 1;
            assert!(clock.began.elapsed() >= intervals * ms(20));
        }
        assert!((1..=2).contains(&intervals), "{intervals} whole intervals");
        assert!(clock.began.elapsed() >= ms(50));
    }

    #[test]
    fn a_stop_ends_the_run_at_once() {
        let stop = Stop::unwatched();
        let clock = clock(Duration::from_secs(3600), None);
        let asked = stop.clone();
        let waiter = std::thread::current();
        std::thread::spawn(move || {
            std::thread::sleep(ms(20));
            asked
                .flag()
                .store(true, std::sync::atomic::Ordering::Release);
            waiter.unpark();
        });
        assert!(!clock.next(&stop));
        assert!(clock.began.elapsed() < Duration::from_secs(3600));
        assert!(!clock.next(&stop));
    }
}
