//! What can be said to the commands that run a benchmark.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::Args as ClapArgs;

use super::args::{GroupArgs, HowArgs, interval, time};
use crate::{
    ab::Setting,
    bench::{Bench, Wanted},
    sink::Unit,
};

/// What is read out of a benchmark's output.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct MetricArgs {
    /// The benchmark whose figures are read out of the command's output.
    #[arg(long, value_enum, value_name = "BENCHMARK", default_value_t)]
    pub(super) bench: Bench,
    /// A figure to be read out of the output: the first group of the last match of a regular
    /// expression, and whether lower (without it) or higher is better.
    #[arg(long, value_name = "NAME=REGEX[:lower|higher]")]
    pub(super) metric: Vec<Wanted>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CaptureArgs {
    /// Where to write; compressed where the name ends in .zst [default:
    /// sisprobe-<time>.json.zst].
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// How often the command is run, 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) runs: u32,
    /// How often it is run before, without anything being kept, 0 to 10000.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(super) warmup: u32,
    /// Something to be kept with it, as in kernel=patched; can be said several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    pub(super) label: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) metrics: MetricArgs,
    /// Without a command: how long a run is, as in 30s.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "command")]
    pub(super) duration: Option<Duration>,
    /// Time between two looks at the load.
    #[arg(long, value_name = "TIME", value_parser = interval, default_value = "1s")]
    pub(super) interval: Duration,
    /// The unit of durations in the summary.
    #[arg(long, value_enum, default_value_t = Unit::Ns)]
    pub(super) unit: Unit,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    #[command(flatten)]
    pub(super) how: HowArgs,
    /// The command and its arguments.
    #[arg(
        last = true,
        value_name = "COMMAND",
        required_unless_present = "duration"
    )]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct AbArgs {
    /// A setting: a name, and the scheduler features that it asks for, as in
    /// prop:NO_SIS_UTIL,SIS_PROP. Can be said several times; the first is the baseline.
    #[arg(
        long = "set",
        value_name = "NAME:FEATURE,...",
        required_unless_present = "restore"
    )]
    pub(super) set: Vec<Setting>,
    /// Tasks in percent of the online CPUs, as in 25,50,100,200: 1 to 100000 each.
    #[arg(long, value_name = "PERCENT,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) loads: Vec<u32>,
    /// How often the command is run under each setting and load, 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) runs: u32,
    /// How often it is run before the first of each load, without anything being kept.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(super) warmup: u32,
    /// What the order of the settings is drawn by [default: another each time].
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,
    /// The folder for the captures, one a setting and load. What is there already is not run
    /// again.
    #[arg(short, long, value_name = "FOLDER", default_value = "sisprobe-ab")]
    pub(super) output: PathBuf,
    /// Tasks that make a group, for {groups}.
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) group_tasks: u32,
    /// Put back what one that was killed has left switched, and do nothing else.
    #[arg(long, exclusive = true)]
    pub(super) restore: bool,
    /// Something to be kept with it, as in kernel=patched; can be said several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    pub(super) label: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) metrics: MetricArgs,
    /// Time between two looks at the load.
    #[arg(long, value_name = "TIME", value_parser = interval, default_value = "1s")]
    pub(super) interval: Duration,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    #[command(flatten)]
    pub(super) how: HowArgs,
    /// The command and its arguments, in which {load}, {cpus}, {threads}, {groups} and {setting}
    /// are filled in.
    #[arg(
        last = true,
        value_name = "COMMAND",
        required_unless_present = "restore"
    )]
    pub(super) command: Vec<OsString>,
}

fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.into(), value.into())),
        _ => Err("it is KEY=VALUE, as in kernel=patched".into()),
    }
}
