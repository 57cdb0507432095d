//! The command.

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

fn main() -> ExitCode {
    match sisprobe::cli::run() {
        Ok(status) => status,
        Err(failure) => {
            // Where standard error cannot be written either, the status alone tells.
            let _ = writeln!(stderr(), "sisprobe: {failure}");
            failure.status().into()
        }
    }
}
