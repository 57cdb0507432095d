//! The command: parse, run, and one place that prints errors.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = xtask::Cli::parse();
    let failure = cli.failure_status();
    match cli.run() {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(failure)
        }
    }
}
