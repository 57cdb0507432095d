//! The command line: parsing and wiring, nothing else.

mod ab;
mod args;
mod begin;
mod capture;
mod cells;
mod clock;
mod compare;
mod doctor;
mod document;
mod features;
mod figure;
mod file_args;
mod gather;
mod live;
mod logging;
mod model;
mod plot;
mod points;
mod profile;
mod report;
mod run_args;
mod runs;
mod select;
mod serve;
mod show;
mod stop;
mod whatif;

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use clap::Parser as _;

use self::args::{Args, Command, ProfileCommand};
use crate::failure::Failure;

/// Parses the command line and runs the command.
///
/// # Errors
///
/// Whatever made the command fail; the caller prints it and exits with its status.
pub fn run() -> Result<ExitCode, Failure> {
    let args = Args::parse();
    match args.command {
        None => live::run(&args.live)?,
        Some(Command::Doctor(doctor)) => return doctor::run(&doctor),
        Some(Command::Model(model)) => model::run(&model)?,
        Some(Command::Whatif(args)) => whatif::run(&args)?,
        Some(Command::Capture(args)) => return capture::run(&args),
        Some(Command::Ab(args)) => return ab::run(&args),
        Some(Command::Show(args)) => show::run(&args)?,
        Some(Command::Plot(args)) => figure::run(&args)?,
        Some(Command::Report(args)) => report::run(&args)?,
        Some(Command::Serve(args)) => serve::run(&args)?,
        Some(Command::Compare(args)) => compare::run(&args)?,
        Some(Command::Profile(ProfileCommand::Make(make))) => profile::make(&make)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output(&error))
}
