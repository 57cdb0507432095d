//! `sisprobe capture`.

use std::{
    collections::BTreeMap,
    env,
    io::{IsTerminal as _, Write as _, stderr},
    path::{Path, PathBuf},
    process::{self, ExitCode},
    time::{Duration, SystemTime},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    begin::{measure, watching},
    run_args::CaptureArgs,
    runs::Runs,
    select,
    stop::Stop,
};
use crate::{
    capture::{self, Capture, Machine, Probes},
    failure::Failure,
    kernel::{Facts, Root},
    measure::Measurement,
    run::{Keeper, Pass},
    sink::{show, text::Options},
    whole_file,
};

/// Measures around runs of a command, and writes what was measured.
pub(super) fn run(args: &CaptureArgs) -> Result<ExitCode, Failure> {
    let path = args.output.clone().unwrap_or_else(name_by_time);
    can_be_written(&path)?;
    let stop = watching(Stop::watch_for_command())?;
    let (measurement, facts) = measure(&args.how, select::grouping(&args.groups)?)?;
    let mut capture = of(&facts, &measurement);
    capture.command = words(&args.command);
    capture.labels = labels(&args.label);
    capture.planned_runs = args.runs;
    capture.warmup_runs = args.warmup;
    let bar = progress(u64::from(args.warmup + args.runs));
    let mut runs = Runs {
        measurement,
        stop: stop.clone(),
        keeper: Keeper::start()?,
        interval: args.interval,
        metrics: &args.metrics,
        bar: bar.clone(),
        pass: Pass::Through(bar.clone()),
        lacks_metrics: false,
    };
    let mut failed = None;
    for number in 0..args.warmup + args.runs {
        let is_warmup = number < args.warmup;
        bar.set_message(match is_warmup {
            true => format!("warm-up {} of {}", number + 1, args.warmup),
            false => format!("run {} of {}", number + 1 - args.warmup, args.runs),
        });
        let Some(run) = one(&mut runs, args)? else {
            break;
        };
        bar.inc(1);
        failed = run.exit.filter(|exit| !exit.is_success());
        if !is_warmup {
            capture.runs.push(run);
        }
        if let Some(exit) = failed {
            runs.say(&format!(
                "the command ended with status {}, so it is run no more",
                exit.code()
            ));
            break;
        }
    }
    bar.finish_and_clear();
    let lacks_metrics = runs.lacks_metrics;
    drop(runs);
    if capture.runs.is_empty() {
        if let Some(signal) = stop.signal() {
            tell(&format!(
                "sisprobe: no run came to its end, so {} is not written\n",
                path.display()
            ));
            return Ok(signalled(signal));
        }
    } else {
        write(&path, &capture)?;
        summary(&capture, args, &path);
    }
    Ok(match (stop.signal(), failed) {
        (Some(signal), _) => signalled(signal),
        (None, Some(exit)) => exit.code().into(),
        (None, None) if lacks_metrics => ExitCode::FAILURE,
        (None, None) => ExitCode::SUCCESS,
    })
}

fn one(runs: &mut Runs<'_>, args: &CaptureArgs) -> Result<Option<capture::Run>, Failure> {
    if runs.stop.asked() {
        return Ok(None);
    }
    match args.duration {
        Some(duration) if args.command.is_empty() => runs.span(duration),
        _ => runs.command(&args.command),
    }
}

/// As a shell tells that a signal ended a command.
pub(super) fn signalled(signal: i32) -> ExitCode {
    capture::Exit::Signal(signal).code().into()
}

/// A capture without runs.
pub(super) fn of(facts: &Facts, measurement: &Measurement) -> Capture {
    let plan = measurement.plan();
    Capture {
        sisprobe: env!("CARGO_PKG_VERSION").into(),
        machine: Machine::of(facts, &Root::default()),
        probes: Probes {
            attached: plan.probes.iter().map(ToString::to_string).collect(),
            rejected: plan.rejected.clone(),
        },
        command: Vec::new(),
        labels: BTreeMap::new(),
        cell: None,
        planned_runs: 0,
        warmup_runs: 0,
        runs: Vec::new(),
    }
}

/// Words of a command; what is no UTF-8 in them is replaced.
pub(super) fn words(command: &[std::ffi::OsString]) -> Vec<String> {
    let words = command.iter();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// Labels, the last of a name.
pub(super) fn labels(labels: &[(String, String)]) -> BTreeMap<String, String> {
    labels.iter().cloned().collect()
}

/// In the current folder, and unlike any before it.
fn name_by_time() -> PathBuf {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let now = now.replace(['-', ':'], "");
    format!("sisprobe-{now}.json.zst").into()
}

/// Checks that a file can be written before the work is done that it is for.
pub(super) fn can_be_written(path: &Path) -> Result<(), Failure> {
    whole_file::try_out(path).map_err(|error| {
        Failure::Other(format!(
            "tried to make {}; the answer was: {error}. Nothing was run",
            path.display()
        ))
    })
}

/// Writes a capture where it is to be, or where else it can be.
pub(super) fn write(path: &Path, capture: &Capture) -> Result<(), Failure> {
    let Err(error) = capture::write(path, capture) else {
        return Ok(());
    };
    let rescue = env::temp_dir().join(format!("sisprobe-rescued-{}.json.zst", process::id()));
    Err(Failure::Other(match capture::write(&rescue, capture) {
        Ok(()) => format!(
            "{error}. What was measured is in {}: move it from there",
            rescue.display()
        ),
        Err(other) => format!("{error}. Elsewhere neither: {other}. What was measured is lost"),
    }))
}

/// A bar with an estimate on standard error, where that is a terminal.
pub(super) fn progress(runs: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(runs), ProgressDrawTarget::stderr());
    let style = "{msg} [{bar:30}] {elapsed} gone, about {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("#>-"));
    }
    if stderr().is_terminal() {
        bar.enable_steady_tick(Duration::from_secs(1));
    }
    bar
}

/// Tells what was measured on standard error: standard output is the command's.
fn summary(capture: &Capture, args: &CaptureArgs, path: &Path) {
    let options = Options {
        unit: args.unit,
        policies: Vec::new(),
    };
    // All runs together are always there.
    let text = show::capture(capture, None, options).unwrap_or_default();
    tell(&format!("{text}\nwritten to {}\n", path.display()));
}

fn tell(text: &str) {
    // Where it cannot be written there is nobody to be told.
    let _ = stderr().write_all(text.as_bytes());
}
