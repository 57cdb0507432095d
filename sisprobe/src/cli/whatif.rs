//! `sisprobe whatif`.

use super::{args::WhatifArgs, begin::begin, clock::Clock, print, select};
use crate::{failure::Failure, plan::Fidelity, report::Report, sink::whatif, whatif::WhatIf};

/// Measures for a while, and prints what each policy would have done.
pub(super) fn run(args: &WhatifArgs) -> Result<(), Failure> {
    let (mut measurement, stop) = begin(&args.how, select::by_llc(&args.llc))?;
    let mut last = measurement.report();
    can_be_asked(&last)?;
    let mut what_if = WhatIf::new(args.policy.clone());
    let clock = Clock::start(args.interval, Some(args.duration));
    loop {
        let more = clock.next(&stop);
        let now = measurement.report();
        match now.since(&last) {
            Ok(interval) => what_if.add(&interval),
            Err(shrunk) => return Err(Failure::Other(shrunk.to_string())),
        }
        last = now;
        if !more {
            break;
        }
    }
    drop(measurement);
    let text = if args.json {
        whatif::json(&what_if, &last).map_err(|error| Failure::Other(error.to_string()))?
    } else {
        whatif::text(&what_if, &last)
    };
    print(&text)
}

/// Searches must be told apart, and the load be known.
fn can_be_asked(report: &Report) -> Result<(), Failure> {
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
            "what other policies would do is told by the searches, and {why}"
        )));
    }
    if report.groups.iter().all(|group| group.state.is_none()) {
        let why = warning("load of the CPUs").unwrap_or_else(|| "no CPU could be read".into());
        return Err(Failure::Unsupported(format!(
            "what other policies would do depends on the load, and {why}"
        )));
    }
    Ok(())
}
