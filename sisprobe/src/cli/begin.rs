//! From the command line to a measurement under way.

use super::{args::HowArgs, gather, stop::Stop};
use crate::{failure::Failure, kernel::Root, measure::Measurement, plan};

/// Begins to measure, and to watch for the signals that end it.
pub(super) fn begin(how: &HowArgs) -> Result<(Measurement, Stop), Failure> {
    let root = Root::default();
    let facts = gather::facts(&root, how)?;
    plan::permitted(&facts)?;
    let stop = Stop::watch()
        .map_err(|error| Failure::Other(format!("tried to watch for signals: {error}")))?;
    let (request, btf) = (gather::request(how), how.btf.as_deref());
    let measurement = Measurement::begin_best(&root, &facts, request, btf)?;
    Ok((measurement, stop))
}
