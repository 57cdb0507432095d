//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    match sisprobe::cli::run() {
        Ok(status) => status,
        Err(failure) => {
            eprintln!("sisprobe: {failure}");
            failure.status().into()
        }
    }
}
