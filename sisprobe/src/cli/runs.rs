//! Runs of a command, or spans of time, each with what was counted in it.

use std::{
    ffi::OsString,
    io::{Write as _, stderr},
    thread,
    time::{Duration, Instant, SystemTime},
};

use indicatif::ProgressBar;

use super::{run_args::EachArgs, stop::Stop};
use crate::{
    bench::{self, Bench, Metric},
    capture::{Recorder, Run},
    failure::Failure,
    measure::Measurement,
    report::Report,
    run::{Keeper, Pass, RunError, Running},
};

/// What runs have in common.
pub(super) struct Runs<'a> {
    measurement: Measurement,
    stop: Stop,
    keeper: Keeper,
    args: &'a EachArgs,
    bar: ProgressBar,
    /// Where what a command writes goes.
    pass: Pass,
    lacks_metrics: bool,
}

impl<'a> Runs<'a> {
    /// None yet. What commands write goes where `pass` says, beside `bar`.
    pub(super) fn new(
        measurement: Measurement,
        stop: &Stop,
        args: &'a EachArgs,
        bar: &ProgressBar,
        pass: fn(ProgressBar) -> Pass,
    ) -> Result<Self, Failure> {
        Ok(Self {
            measurement,
            stop: stop.clone(),
            keeper: Keeper::start()?,
            args,
            bar: bar.clone(),
            pass: pass(bar.clone()),
            lacks_metrics: false,
        })
    }

    /// Whether a figure was asked for that an output did not have.
    pub(super) const fn lacks_metrics(&self) -> bool {
        self.lacks_metrics
    }

    /// Whether a signal asked to stop.
    pub(super) fn is_asked_to_stop(&self) -> bool {
        self.stop.asked()
    }

    /// Runs `command` once; none where a signal ended it.
    pub(super) fn command(&mut self, command: &[OsString]) -> Result<Option<Run>, Failure> {
        let before = self.measurement.report();
        let mut recorder = Recorder::new(&before);
        let began = SystemTime::now();
        let waiting = thread::current();
        let wake = move || waiting.unpark();
        let mut running = Running::start(command, &mut self.keeper, self.pass.clone(), wake)?;
        self.stop.forward_to(running.group());
        let mut ticks = Ticks::new(self.args.interval);
        while !running.is_over() {
            if self.stop.asked() {
                running.end_soon();
                running.end_if_late();
            }
            if ticks.pass() {
                recorder.push(&self.measurement.report());
            }
            thread::park_timeout(ticks.left());
        }
        let after = self.measurement.report();
        self.stop.forward_no_more();
        let ended = running.finish()?;
        if self.stop.asked() {
            return Ok(None);
        }
        recorder.push(&after);
        let metrics = if ended.exit.is_success() {
            self.read_metrics(command, &ended.output)
        } else {
            Vec::new()
        };
        Ok(Some(Run {
            began: humantime::format_rfc3339_seconds(began).to_string(),
            wall_time: ended.wall_time.as_secs_f64(),
            exit: Some(ended.exit),
            report: self.between(&before, &after)?,
            series: recorder.finish(),
            metrics,
        }))
    }

    /// Measures for `duration`; none where a signal ended it.
    pub(super) fn span(&mut self, duration: Duration) -> Result<Option<Run>, Failure> {
        let before = self.measurement.report();
        let mut recorder = Recorder::new(&before);
        let (began, start) = (SystemTime::now(), Instant::now());
        let end = start + duration;
        let mut ticks = Ticks::new(self.args.interval);
        while Instant::now() < end {
            self.stop.wait(end.min(ticks.next));
            if self.stop.asked() {
                return Ok(None);
            }
            if ticks.pass() {
                recorder.push(&self.measurement.report());
            }
        }
        let wall_time = start.elapsed();
        let after = self.measurement.report();
        recorder.push(&after);
        Ok(Some(Run {
            began: humantime::format_rfc3339_seconds(began).to_string(),
            wall_time: wall_time.as_secs_f64(),
            exit: None,
            report: self.between(&before, &after)?,
            series: recorder.finish(),
            metrics: Vec::new(),
        }))
    }

    /// What the benchmark said. Figures that are asked for and missing are told, and the run
    /// counts all the same.
    fn read_metrics(&mut self, command: &[OsString], output: &str) -> Vec<Metric> {
        let EachArgs { bench, metric, .. } = self.args;
        let mut metrics = bench.read(command, output).unwrap_or_else(|error| {
            self.lacks(&error.to_string());
            Vec::new()
        });
        if metrics.is_empty() && *bench == Bench::Auto && metric.is_empty() {
            let known = bench.recognise(command, output);
            if known != Bench::None {
                self.say(&format!("{known} printed no figures that are known here"));
            }
        }
        for wanted in metric {
            match wanted.read(output) {
                Ok(metric) => bench::put(&mut metrics, metric),
                Err(error) => self.lacks(&error.to_string()),
            }
        }
        metrics
    }

    fn lacks(&mut self, why: &str) {
        self.lacks_metrics = true;
        self.say(why);
    }

    /// What was counted from `before` to `after`. Probes that saw nothing are told.
    fn between(&self, before: &Report, after: &Report) -> Result<Report, Failure> {
        let between = after.since(before);
        let mut between = between.map_err(|shrunk| Failure::Other(shrunk.to_string()))?;
        let disarmed = self.measurement.disarmed();
        if !disarmed.is_empty() {
            let warning = format!(
                "at the run's end a switch of the kernel had disarmed {}",
                disarmed.join(", ")
            );
            self.say(&warning);
            between.source.warnings.push(warning);
        }
        Ok(between)
    }

    /// Tells something on standard error, beside the progress bar.
    pub(super) fn say(&self, what: &str) {
        // Where it cannot be written there is nobody to be told.
        let _ = self.bar.suspend(|| writeln!(stderr(), "sisprobe: {what}"));
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Command {
            status: error.code(),
            text: error.to_string(),
        }
    }
}

/// When the load is looked at next.
struct Ticks {
    interval: Duration,
    next: Instant,
}

impl Ticks {
    fn new(interval: Duration) -> Self {
        Self {
            interval,
            next: Instant::now() + interval,
        }
    }

    /// Whether it is time; where it was for several, once.
    fn pass(&mut self) -> bool {
        let now = Instant::now();
        let is_time = now >= self.next;
        if is_time {
            self.next += self.interval;
            self.next = self.next.max(now);
        }
        is_time
    }

    fn left(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }
}
