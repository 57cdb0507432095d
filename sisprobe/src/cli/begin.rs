//! From the command line to a measurement under way.

use std::io;

use super::{args::HowArgs, features, gather, select, stop::Stop};
use crate::{
    failure::Failure,
    kernel::{Facts, Root},
    measure::{Grouping, Measurement},
    plan::{self, Fidelity},
    report::Report,
};

/// Begins to measure, and to watch for the signals that end it.
pub(super) fn begin(how: &HowArgs, grouping: Grouping) -> Result<(Measurement, Stop), Failure> {
    let stop = watching(Stop::watch())?;
    let (measurement, _) = measure(how, grouping)?;
    Ok((measurement, stop))
}

/// The watch for signals, if it could be begun.
pub(super) fn watching(stop: io::Result<Stop>) -> Result<Stop, Failure> {
    stop.map_err(|error| Failure::Other(format!("tried to watch for signals: {error}")))
}

/// Begins to measure, by these facts.
pub(super) fn measure(how: &HowArgs, grouping: Grouping) -> Result<(Measurement, Facts), Failure> {
    let root = Root::default();
    features::put_back_left_over(&root);
    let facts = gather::facts(&root, how)?;
    plan::permitted(&facts)?;
    select::check(&grouping, &facts.topology)?;
    let (request, btf) = (gather::request(how), how.btf.as_deref());
    let mut measurement = Measurement::begin_best(&root, &facts, request, btf)?;
    measurement.group_by(grouping);
    Ok((measurement, facts))
}

/// Checks that searches are told apart and the load is known, so that policies can be held against
/// them.
pub(super) fn searches_and_load_are_told(report: &Report) -> Result<(), Failure> {
    let warning = |words: &str| {
        let warnings = &report.source.warnings;
        warnings
            .iter()
            .find(|warning| warning.contains(words))
            .cloned()
    };
    if report.source.fidelity == Fidelity::Bracketed {
        let why = warning("cannot be told").unwrap_or_else(|| {
            "fidelity bracketed was asked for, which tells no search from the rest".into()
        });
        return Err(Failure::Unsupported(format!(
            "policies are held against the searches, and {why}"
        )));
    }
    if report.groups.iter().all(|group| group.state.is_none()) {
        let why = warning("load of the CPUs").unwrap_or_else(|| "no CPU could be read".into());
        return Err(Failure::Unsupported(format!(
            "policies go by the load, and {why}"
        )));
    }
    Ok(())
}
