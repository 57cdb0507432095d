//! The command.

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

fn main() -> ExitCode {
    match sisprobe::cli::run() {
        Ok(status) => status,
        Err(failure) => {
            // Names from files may be in it; a terminal must not obey them.
            let obeyed = |c: char| c.is_control() && c != '\n';
            let text = failure.to_string().replace(obeyed, "\u{fffd}");
            // Where standard error cannot be written either, the status alone tells.
            let _ = writeln!(stderr(), "sisprobe: {text}");
            failure.status().into()
        }
    }
}
