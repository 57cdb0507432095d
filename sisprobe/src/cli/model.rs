//! `sisprobe model`.

use std::time::Duration;

use super::{args::ModelArgs, plot::PlotFile, points, print};
use crate::{
    failure::Failure,
    policy::{Curve, LlcState},
    report::{LlcSaid, Spread},
    sink::curve,
};

/// Percent of utilisation from one row of a table to the next.
const STEP: u32 = 5;
/// The same for a chart: as fine as the models are computed.
const PLOT_STEP: u32 = 1;

/// Prints what policies would say of an LLC, without looking at this machine.
pub(super) fn run(args: &ModelArgs) -> Result<(), Failure> {
    let step = (args.step).unwrap_or(if args.plot.is_some() { PLOT_STEP } else { STEP });
    let points = points::of(args)?;
    let llc = llc(args, points.llc.as_ref())?;
    let curve = Curve::new(llc, &args.policy, step).with_measured(points.measured);
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

/// The LLC that was asked for; what was not said is as in the one measured, if there is one.
fn llc(args: &ModelArgs, measured: Option<&LlcSaid>) -> Result<LlcState, Failure> {
    let Some(weight) = args.llc_size.or(measured.map(|llc| llc.weight)) else {
        return Err(Failure::Unsupported(
            "no LLC of this machine was searched while it was measured, so its size is not known: \
             give --llc-size, or measure under a load"
                .into(),
        ));
    };
    let smt = args.smt.unwrap_or_else(|| weight.min(2));
    if smt > weight {
        return Err(Failure::Usage(format!(
            "--smt {smt}: a core has no more CPUs than its LLC, which has {weight} (--llc-size)"
        )));
    }
    let time = |given: Option<Duration>, measured: Option<Spread>| {
        (given.map(nanoseconds)).or(measured.map(|spread| spread.mean as u64))
    };
    let unused = LlcState::unused(weight);
    Ok(LlcState {
        imbalance_pct: (args.imbalance_pct)
            .or(measured.map(|llc| llc.imbalance_pct))
            .unwrap_or(unused.imbalance_pct),
        smt,
        avg_idle: time(args.avg_idle, measured.and_then(|llc| llc.avg_idle)),
        wake_avg_idle: time(
            args.wake_avg_idle,
            measured.and_then(|llc| llc.wake_avg_idle),
        ),
        avg_scan_cost: time(
            args.avg_scan_cost,
            measured.and_then(|llc| llc.avg_scan_cost),
        ),
        ..unused
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
            Some(Command::Model(args)) => llc(&args, None).map_err(|error| error.to_string()),
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
