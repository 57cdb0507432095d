//! `sisprobe model`.

use std::time::Duration;

use super::{args::ModelArgs, plot::PlotFile, print};
use crate::{
    failure::Failure,
    policy::{Curve, LlcState},
    sink::curve,
};

/// Percent of utilisation from one row of a table to the next.
const STEP: u32 = 5;
/// The same for a chart: as fine as the models are computed.
const PLOT_STEP: u32 = 1;

/// Prints what policies would say of an LLC, without looking at this machine.
pub(super) fn run(args: &ModelArgs) -> Result<(), Failure> {
    let step = (args.step).unwrap_or(if args.plot.is_some() { PLOT_STEP } else { STEP });
    let curve = Curve::new(llc(args)?, &args.policy, step);
    if let Some(file) = &args.plot {
        return plot(&curve, file);
    }
    let text = if args.json {
        curve::json(&curve).map_err(|error| Failure::Other(error.to_string()))?
    } else {
        curve::text(&curve)
    };
    print(&text)
}

fn plot(curve: &Curve, file: &PlotFile) -> Result<(), Failure> {
    file.write(&curve::chart(curve))?;
    let lacking = (curve.policies.iter())
        .filter(|line| line.needs.is_some())
        .count();
    let drawn = curve.policies.len() - lacking;
    let policies = if drawn == 1 { "policy" } else { "policies" };
    let others = match lacking {
        0 => String::new(),
        1 => "; 1 more needs times that are not given".into(),
        _ => format!("; {lacking} more need times that are not given"),
    };
    print(&format!(
        "{}: {} of {drawn} {policies}{others}\n",
        file.path().display(),
        file.format(),
    ))
}

fn llc(args: &ModelArgs) -> Result<LlcState, Failure> {
    let smt = args.smt.unwrap_or_else(|| args.llc_size.min(2));
    if smt > args.llc_size {
        return Err(Failure::Usage(format!(
            "--smt {smt}: a core has no more CPUs than its LLC, which has {} (--llc-size)",
            args.llc_size
        )));
    }
    Ok(LlcState {
        imbalance_pct: args.imbalance_pct,
        smt,
        avg_idle: args.avg_idle.map(nanoseconds),
        wake_avg_idle: args.wake_avg_idle.map(nanoseconds),
        avg_scan_cost: args.avg_scan_cost.map(nanoseconds),
        ..LlcState::unused(args.llc_size)
    })
}

/// 100 years, the longest time that can be given, are 2^61 ns.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::args::{Args, Command};

    fn parse(options: &str) -> Result<LlcState, String> {
        let words = format!("sisprobe model {options}");
        let args = Args::try_parse_from(words.split(' ')).map_err(|error| error.to_string())?;
        match args.command {
            Some(Command::Model(args)) => llc(&args).map_err(|error| error.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_llc_by_its_size() {
        let llc = parse("--llc-size 16").unwrap();
        let expected = LlcState {
            smt: 2,
            ..LlcState::unused(16)
        };
        assert_eq!(llc, expected);
        assert_eq!(parse("--llc-size 1").unwrap().smt, 1);
    }

    #[test]
    fn times_are_nanoseconds_inside() {
        let times = "--avg-idle 1ms --wake-avg-idle 20us --avg-scan-cost 1us500ns";
        let llc = parse(&format!("--llc-size 16 {times}")).unwrap();
        assert_eq!(llc.avg_idle, Some(1_000_000));
        assert_eq!(llc.wake_avg_idle, Some(20_000));
        assert_eq!(llc.avg_scan_cost, Some(1500));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for options in [
            "--step 5",
            "--llc-size 0",
            "--llc-size 8193",
            "--llc-size 16 --step 0",
            "--llc-size 16 --step 101",
            "--llc-size 16 --imbalance-pct 99",
            "--llc-size 16 --policy none",
            "--llc-size 16 --avg-idle 5",
        ] {
            assert!(parse(options).is_err(), "{options}");
        }
        let error = parse("--llc-size 2 --smt 4").unwrap_err();
        assert!(error.contains("--smt 4"), "{error}");
    }
}
