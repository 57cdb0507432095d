//! `cargo xtask test`: the three tiers of tests.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, anyhow};
use clap::ValueEnum;

use crate::kernel::{Own, Policies};
use crate::lab::{Kernel, Lab};
use crate::progress::{self, seconds};
use crate::prometheus;
use crate::setup::{self, Part};

mod lint;
mod targets;

/// The series of the stock kernels that the lab's tests boot.
const SERIES: [&str; 2] = ["6.1", "6.12"];

/// The series of the kernel of our own that --full adds.
const OWN_SERIES: &str = "6.12";

/// Run the tests: pure, on this host, and on real kernels in the lab
///
/// A tier that cannot run fails. Which tests belong where is told by the name of the file in
/// tests/: host*.rs needs this host's Linux, lab*.rs boots guests, every other one is pure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this tier (can be repeated) [default: all three]
    #[arg(long, value_enum)]
    tier: Vec<Tier>,
    /// Also the lab's tests on kernels of our own, which are built first
    #[arg(long)]
    full: bool,
}

/// A kind of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tier {
    /// Format, lints, unit and property tests
    Pure,
    /// Tests that need nothing but Linux
    Host,
    /// Tests on real kernels in QEMU
    Lab,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pure => "pure",
            Self::Host => "host",
            Self::Lab => "lab",
        })
    }
}

/// What became of a tier.
struct Verdict {
    tier: Tier,
    result: Result<()>,
    time: Duration,
}

impl Args {
    /// Runs the tiers, each to its end, and says how each went.
    ///
    /// # Errors
    ///
    /// What the tests need cannot be installed. Tests that fail are told by the status.
    pub fn run(self) -> Result<u8> {
        let tiers = if self.tier.is_empty() {
            Tier::value_variants()
        } else {
            &self.tier
        };
        // cargo writes to the terminal at the same time.
        progress::plain();
        let mut parts = vec![Part::Build, Part::Test];
        if tiers.contains(&Tier::Lab) {
            parts.push(Part::Lab);
        }
        setup::ensure(&parts)?;

        let full = self.full;
        // Downloads do not need the CPUs that the pure tier keeps busy.
        let preparation = tiers
            .contains(&Tier::Lab)
            .then(|| thread::spawn(move || prepare(full)));
        let mut verdicts = Vec::new();
        for &tier in tiers {
            if tier != Tier::Lab {
                verdicts.push(judge(tier, || match tier {
                    Tier::Pure => {
                        // A lint must not hide whether the tests pass.
                        let lints = lint::run().inspect_err(complain);
                        targets::pure().and(lints)
                    }
                    _ => targets::run("host"),
                }));
            }
        }
        if let Some(preparation) = preparation {
            verdicts.push(judge(Tier::Lab, || {
                preparation
                    .join()
                    .unwrap_or_else(|_| Err(anyhow!("the preparation of the lab panicked")))?;
                targets::run_lab(full)
            }));
        }
        Ok(summary(&verdicts))
    }
}

/// Fetches and builds all that the guests are made of.
fn prepare(full: bool) -> Result<()> {
    for series in SERIES {
        Lab::new(Kernel::series(series)).debuginfo(true).prepare()?;
    }
    prometheus::programs()?;
    if full {
        for policies in [Policies::default(), Policies::all()] {
            let own = Own::new(OWN_SERIES, None, false, &policies)?;
            own.ensure()?;
            Lab::new(Kernel::own(own.name()))
                .debuginfo(true)
                .prepare()?;
        }
    }
    Ok(())
}

fn judge(tier: Tier, run: impl FnOnce() -> Result<()>) -> Verdict {
    eprintln!("=== tier {tier}");
    let start = Instant::now();
    let result = run().inspect_err(complain);
    Verdict {
        tier,
        result,
        time: start.elapsed(),
    }
}

fn complain(error: &Error) {
    eprintln!("xtask: {error:#}");
}

/// Prints one line for each tier and gives the exit status.
fn summary(verdicts: &[Verdict]) -> u8 {
    eprintln!("=== summary");
    for verdict in verdicts {
        let word = if verdict.result.is_ok() {
            "passed"
        } else {
            "FAILED"
        };
        eprintln!("{:5} {word}  {}", verdict.tier, seconds(verdict.time));
    }
    u8::from(verdicts.iter().any(|verdict| verdict.result.is_err()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::anyhow;

    use super::{Tier, Verdict, summary};

    #[test]
    fn one_failed_tier_fails_all() {
        let verdict = |result| Verdict {
            tier: Tier::Pure,
            result,
            time: Duration::ZERO,
        };
        assert_eq!(summary(&[verdict(Ok(())), verdict(Ok(()))]), 0);
        assert_eq!(summary(&[verdict(Err(anyhow!("x"))), verdict(Ok(()))]), 1);
    }
}
