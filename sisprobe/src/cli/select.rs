//! Which LLCs are shown, and what their figures are put together by.

use std::str::FromStr;

use super::args::GroupArgs;
use crate::{
    failure::Failure,
    kernel::{Answer, CpuSet, Topology},
    measure::Grouping,
    report::GroupBy,
};

/// CPUs of a shard where nothing else is said, as in the shared run queue series.
const SHARD_SIZE: u32 = 6;

/// All LLCs, or some by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LlcChoice {
    /// All, also those that come up later.
    All,
    /// These numbers.
    Some(CpuSet),
}

impl FromStr for LlcChoice {
    type Err = String;

    /// `all`, or a list in the kernel's form, `0,2-5`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        match text.parse::<CpuSet>() {
            Ok(numbers) if numbers.is_empty() => Err("it names no LLC".into()),
            Ok(numbers) => Ok(Self::Some(numbers)),
            Err(error) => Err(format!("{error}; it is all, or numbers as in 0,2-5")),
        }
    }
}

/// What `args` ask for.
///
/// # Errors
///
/// Options that contradict each other.
pub(super) fn grouping(args: &GroupArgs) -> Result<Grouping, Failure> {
    let by = args.group_by;
    if args.shard_size.is_some() && !by.is_shard() {
        return Err(Failure::Usage(format!(
            "--shard-size: there are no shards with --group-by {by}. It goes with --group-by \
             shard and shard-v2"
        )));
    }
    Ok(Grouping {
        by,
        shard_size: args.shard_size.unwrap_or(SHARD_SIZE),
        llcs: args.llc.numbers(),
    })
}

/// One group for each LLC.
pub(super) fn all_llcs() -> Grouping {
    by_llc(&LlcChoice::All)
}

/// One group for each of the LLCs chosen.
pub(super) fn by_llc(choice: &LlcChoice) -> Grouping {
    Grouping {
        by: GroupBy::Llc,
        shard_size: SHARD_SIZE,
        llcs: choice.numbers(),
    }
}

impl LlcChoice {
    /// The numbers; none for all.
    fn numbers(&self) -> Option<CpuSet> {
        match self {
            Self::All => None,
            Self::Some(numbers) => Some(numbers.clone()),
        }
    }
}

/// Checks that the machine has what `grouping` asks for. Where its topology cannot be read, the
/// measurement will say so.
///
/// # Errors
///
/// An LLC that it has not; nodes that it does not show.
pub(super) fn check(grouping: &Grouping, topology: &Answer<Topology>) -> Result<(), Failure> {
    let Answer::Found(topology) = topology else {
        return Ok(());
    };
    if let Some(numbers) = &grouping.llcs
        && let Some(unknown) = numbers
            .iter()
            .find(|&number| topology.llc(number).is_none())
    {
        let there = topology.llcs.iter();
        let there: Vec<_> = there
            .map(|llc| format!("LLC {} (CPUs {})", llc.number, llc.cpus))
            .collect();
        return Err(Failure::Usage(format!(
            "--llc: there is no LLC {unknown}. This machine has {}",
            there.join(", ")
        )));
    }
    if grouping.by == GroupBy::Numa && topology.nodes.is_empty() {
        return Err(Failure::Unsupported(
            "--group-by numa: tried to read the NUMA nodes; there are none in \
             /sys/devices/system/node (a kernel without CONFIG_NUMA?). --group-by system puts \
             all CPUs together"
                .into(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::{cli::args::Args, kernel::fixture::machine};

    #[test]
    fn lists_and_all() {
        assert_eq!("all".parse(), Ok(LlcChoice::All));
        let some = "0,2-4".parse::<LlcChoice>();
        assert!(matches!(some, Ok(LlcChoice::Some(set)) if set.to_string() == "0,2-4"));
        for bad in ["", "a", "3-1", "1,", "-1"] {
            assert!(bad.parse::<LlcChoice>().is_err(), "{bad}");
        }
    }

    fn asked(options: &[&str]) -> Result<Grouping, Failure> {
        let args = Args::try_parse_from([&["sisprobe"], options].concat()).unwrap();
        grouping(&args.live.groups)
    }

    #[test]
    fn without_an_option_all_llcs_are_shown() {
        let grouping = asked(&[]).unwrap();
        assert_eq!((grouping.by, grouping.llcs), (GroupBy::Llc, None));
    }

    #[test]
    fn a_shard_size_needs_shards() {
        for by in ["shard", "shard-v2"] {
            assert_eq!(asked(&["--group-by", by]).unwrap().shard_size, 6);
            let four = asked(&["--group-by", by, "--shard-size", "4"]).unwrap();
            assert_eq!(four.shard_size, 4);
        }
        for options in [
            &["--shard-size", "6"][..],
            &["--shard-size", "6", "--group-by", "cpu"],
        ] {
            let error = asked(options).unwrap_err();
            assert_eq!(error.status(), 2, "{error}");
            assert!(error.to_string().contains("--group-by shard"), "{error}");
        }
        for size in ["0", "-1", "x", "8193"] {
            let options = ["sisprobe", "--group-by", "shard", "--shard-size", size];
            assert!(Args::try_parse_from(options).is_err(), "{size}");
        }
    }

    #[test]
    fn what_the_machine_has_not_is_refused() {
        let topology = Topology::read(&machine("6.12-2llc").root);
        let check = |options: &[&str], topology| check(&asked(options).unwrap(), topology);
        assert!(check(&["--llc", "0-1", "--group-by", "numa"], &topology).is_ok());
        let error = check(&["--llc", "1-2", "--group-by", "cpu"], &topology).unwrap_err();
        assert_eq!(error.status(), 2);
        assert_eq!(
            error.to_string(),
            "--llc: there is no LLC 2. This machine has LLC 0 (CPUs 0-7), LLC 1 (CPUs 8-15)"
        );

        let mut without_nodes = topology.found().unwrap().clone();
        without_nodes.nodes.clear();
        let without_nodes = Answer::Found(without_nodes);
        let error = check(&["--group-by", "numa"], &without_nodes).unwrap_err();
        assert_eq!(error.status(), 4);
        assert!(error.to_string().contains("CONFIG_NUMA"), "{error}");
        assert!(check(&["--group-by", "system"], &without_nodes).is_ok());
        let unknown = Answer::Unknown("no sysfs".into());
        assert!(check(&["--llc", "9"], &unknown).is_ok());
    }
}
