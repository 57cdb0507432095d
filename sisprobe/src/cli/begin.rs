//! From the command line to a measurement under way.

use super::{args::HowArgs, gather, select, stop::Stop};
use crate::{
    failure::Failure,
    kernel::Root,
    measure::{Grouping, Measurement},
    plan,
};

/// Begins to measure, and to watch for the signals that end it.
pub(super) fn begin(how: &HowArgs, grouping: Grouping) -> Result<(Measurement, Stop), Failure> {
    let root = Root::default();
    let facts = gather::facts(&root, how)?;
    plan::permitted(&facts)?;
    select::check(&grouping, &facts.topology)?;
    let stop = Stop::watch()
        .map_err(|error| Failure::Other(format!("tried to watch for signals: {error}")))?;
    let (request, btf) = (gather::request(how), how.btf.as_deref());
    let mut measurement = Measurement::begin_best(&root, &facts, request, btf)?;
    measurement.group_by(grouping);
    Ok((measurement, stop))
}
