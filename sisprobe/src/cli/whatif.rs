//! `sisprobe whatif`.

use super::{
    args::WhatifArgs,
    begin::{begin, searches_and_load_are_told},
    clock::Clock,
    print, select,
};
use crate::{failure::Failure, sink::whatif, whatif::WhatIf};

/// Measures for a while, and prints what each policy would have done.
pub(super) fn run(args: &WhatifArgs) -> Result<(), Failure> {
    let (mut measurement, stop) = begin(&args.how, select::by_llc(&args.llc))?;
    let mut last = measurement.report();
    searches_and_load_are_told(&last)?;
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
