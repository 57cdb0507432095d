//! `sisprobe ab`.

use std::{
    ffi::OsString,
    fs,
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    begin::{measure, watching},
    capture::{labels, of, progress, signalled, words},
    cells::Cells,
    features, print,
    run_args::AbArgs,
    runs::Runs,
    select,
    stop::Stop,
};
use crate::{
    ab::{self, Load, Matrix, Step, SwitchError, Switched},
    capture::{Capture, Cell, Exit},
    failure::Failure,
    kernel::{Answer, Facts, Features, Root},
    run::Pass,
};

/// Runs the matrix, as far as it is not there yet, and prints the table.
pub(super) fn run(args: &AbArgs) -> Result<ExitCode, Failure> {
    let root = Root::default();
    if args.restore {
        return restore(&root);
    }
    let stop = watching(Stop::watch_for_command())?;
    let (measurement, facts) = measure(&args.each.how, select::grouping(&args.each.groups)?)?;
    let mut matrix = matrix(args, &facts)?;
    let load = load(args, &facts)?;
    fs::create_dir_all(&args.output).map_err(|error| {
        Failure::Other(format!(
            "tried to make the folder {}; the answer was: {error}",
            args.output.display()
        ))
    })?;
    let empty = of(&facts, &measurement);
    let like = |setting: usize, at: usize| cell(args, &matrix, load, (setting, at), &empty);
    let mut cells = Cells::open(&args.output, &matrix, like)?;
    if let Some(seed) = cells.seed().filter(|_| args.seed.is_none()) {
        matrix.seed = seed;
    }
    cells.drawn_by(matrix.seed);
    let mut steps = matrix.steps();
    steps.retain(|step| !cells.has(*step));
    let features = matrix.settings.iter().flat_map(|setting| &setting.features);
    let switched = Switched::begin(&root, features.map(String::as_str))?;
    let bar = progress(steps.len() as u64);
    // Standard output is the table's.
    let mut runs = Runs::new(measurement, &stop, &args.each, &bar, Pass::Aside)?;
    let mut failed = None;
    for (number, step) in steps.iter().enumerate() {
        let name = cells.name(*step);
        bar.set_message(format!("{name}, run {} of {}", step.run + 1, args.runs));
        switched.set(&matrix.settings[step.setting].features)?;
        let command = filled(args, &matrix, load, *step);
        let is_new = number == 0 || steps[number - 1].load != step.load;
        let warmups = if is_new { args.warmup } else { 0 };
        match several(&mut runs, &command, warmups)? {
            Went::Well(run) => cells.add(*step, *run)?,
            Went::Wrong(exit) => failed = Some((name, exit)),
            Went::Stopped => {}
        }
        if failed.is_some() || stop.asked() {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let lacks_metrics = runs.lacks_metrics();
    switched.put_back()?;
    if let Some((name, exit)) = failed {
        runs.say(&format!(
            "{name}: the command ended with status {}, so nothing more is run. {}",
            exit.code(),
            cells.progress()
        ));
        return Ok(exit.code().into());
    }
    if let Some(signal) = stop.signal() {
        runs.say(&cells.progress());
        return Ok(signalled(signal));
    }
    drop(runs);
    print(&cells.table()?)?;
    Ok(match lacks_metrics {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

enum Went {
    Well(Box<crate::capture::Run>),
    Wrong(Exit),
    Stopped,
}

/// Runs `command` `warmups` times, and once more.
fn several(runs: &mut Runs<'_>, command: &[OsString], warmups: u32) -> Result<Went, Failure> {
    for more in (0..=warmups).rev() {
        if runs.is_asked_to_stop() {
            return Ok(Went::Stopped);
        }
        match runs.command(command)? {
            None => return Ok(Went::Stopped),
            Some(run) => match run.exit {
                Some(exit) if !exit.is_success() => return Ok(Went::Wrong(exit)),
                _ if more == 0 => return Ok(Went::Well(Box::new(run))),
                _ => {}
            },
        }
    }
    Ok(Went::Stopped)
}

fn restore(root: &Root) -> Result<ExitCode, Failure> {
    let text = match ab::left_over(root)? {
        Some(left) => features::put_back(&left.put_back()?),
        None => "nothing was left switched".into(),
    };
    print(&(text + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn matrix(args: &AbArgs, facts: &Facts) -> Result<Matrix, Failure> {
    let mut names: Vec<&str> = args
        .set
        .iter()
        .map(|setting| setting.name.as_str())
        .collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Failure::Usage(format!(
            "--set: two settings are called {}",
            twice[0]
        )));
    }
    let there: &Features = match &facts.features {
        Answer::Found(features) => features,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return Err(Failure::Unsupported(format!(
                "tried to read the scheduler's features, which --set switches: {why}"
            )));
        }
    };
    for setting in &args.set {
        let checked = setting.check(there);
        checked.map_err(|error| Failure::Unsupported(format!("--set {setting}: {error}")))?;
    }
    let mut loads: Vec<Option<u32>> = Vec::new();
    for load in args.loads.iter().copied().map(Some) {
        if !loads.contains(&load) {
            loads.push(load);
        }
    }
    if loads.is_empty() {
        loads.push(None);
    }
    Ok(Matrix {
        settings: args.set.clone(),
        loads,
        runs: args.runs,
        seed: args.seed.unwrap_or_else(by_time),
    })
}

/// Without the percentage.
fn load(args: &AbArgs, facts: &Facts) -> Result<Load, Failure> {
    let online = facts.topology.found().map(|topology| topology.online.len());
    let cpus = online.and_then(|online| u32::try_from(online).ok());
    Ok(Load {
        percent: None,
        cpus: cpus.ok_or_else(|| Failure::Unsupported("the CPUs cannot be counted".into()))?,
        group_tasks: args.group_tasks,
    })
}

fn filled(args: &AbArgs, matrix: &Matrix, load: Load, step: Step) -> Vec<OsString> {
    let percent = matrix.loads[step.load];
    let load = Load { percent, ..load };
    let setting = &matrix.settings[step.setting].name;
    let words = args.command.iter();
    words.map(|word| load.fill(word, setting)).collect()
}

/// The capture of a cell before its first run.
fn cell(
    args: &AbArgs,
    matrix: &Matrix,
    load: Load,
    (setting, at): (usize, usize),
    empty: &Capture,
) -> Capture {
    let step = Step {
        setting,
        load: at,
        run: 0,
    };
    Capture {
        command: words(&filled(args, matrix, load, step)),
        labels: labels(&args.each.label),
        cell: Some(Cell {
            setting: matrix.settings[setting].name.clone(),
            features: matrix.settings[setting].features.clone(),
            load: matrix.loads[at],
            seed: matrix.seed,
        }),
        planned_runs: args.runs,
        warmup_runs: args.warmup,
        ..empty.clone()
    }
}

fn by_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()))
}

impl From<SwitchError> for Failure {
    fn from(error: SwitchError) -> Self {
        Self::Other(error.to_string())
    }
}
