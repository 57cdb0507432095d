//! `sisprobe doctor`.

use std::process::ExitCode;

use super::{args::DoctorArgs, gather, print};
use crate::{doctor, failure::Failure, kernel::Root};

/// Prints the diagnosis, and ends with the status that a measurement would end with.
pub(super) fn run(args: &DoctorArgs) -> Result<ExitCode, Failure> {
    if !args.root.is_dir() {
        return Err(Failure::Usage(format!(
            "--root {}: there is no such folder",
            args.root.display()
        )));
    }
    let facts = gather::facts(&Root::new(&args.root), &args.how)?;
    let diagnosis = doctor::examine(facts, gather::request(&args.how));
    if args.json {
        let json = serde_json::to_string_pretty(&diagnosis)
            .map_err(|error| Failure::Other(error.to_string()))?;
        print(&format!("{json}\n"))?;
    } else {
        print(&doctor::text(&diagnosis))?;
    }
    Ok(diagnosis.exit_status.into())
}
