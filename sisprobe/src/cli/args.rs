//! What can be said on the command line.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args as ClapArgs, Parser, Subcommand};

use super::{
    file_args::{CompareArgs, FigureArgs, ReportArgs, ShowArgs},
    logging::LogFormat,
    plot::PlotFile,
    run_args::{AbArgs, CaptureArgs},
    select::LlcChoice,
};
use crate::{
    daemon::LISTEN,
    plan::{AttachMethod, Fidelity},
    policy::Choice,
    report::GroupBy,
    sink::{Unit, prometheus::DurationBounds},
};

const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\neBPF programs built with ",
    env!("SISPROBE_EBPF_TOOLCHAIN")
);

/// What the scheduler's search for an idle CPU costs on this machine, how far it looks, and how
/// it ends.
///
/// With no command: the live view, in a terminal or as plain text.
#[derive(Debug, Parser)]
#[command(name = "sisprobe", version, long_version = VERSION)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) live: LiveArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Tell what this kernel offers, which probes would be used, and what would make it better.
    Doctor(DoctorArgs),
    /// Tell how far policies let a search look, by the size of an LLC and its utilisation.
    ///
    /// Computed, not measured: without --live this machine is not looked at, and no privileges are
    /// needed.
    Model(ModelArgs),
    /// Tell what other policies would have done with the searches of this machine.
    ///
    /// Measures for a while, and looks at the load of the LLCs all the time.
    Whatif(WhatifArgs),
    /// Measure until a signal comes, and serve the figures by HTTP: to Prometheus, and as JSON.
    Serve(ServeArgs),
    /// Measure around runs of a command, and write what was measured into a file.
    ///
    /// The command's output passes through, and its exit status is that of sisprobe.
    Capture(CaptureArgs),
    /// Run a command under several settings of the scheduler's features and several loads, and
    /// tell what differs.
    Ab(AbArgs),
    /// Show what a capture file holds, or what 'sisprobe --json' wrote.
    Show(ShowArgs),
    /// Draw one figure of captures, as an SVG or a PNG.
    Plot(FigureArgs),
    /// Make one page of captures, which needs nothing but itself.
    Report(ReportArgs),
    /// Hold captures against each other: a table for each metric, with what is more than noise.
    Compare(CompareArgs),
    /// Work with profiles, which stand in for debug info.
    #[command(subcommand)]
    Profile(ProfileCommand),
}

#[derive(Debug, Subcommand)]
pub(super) enum ProfileCommand {
    /// Make a profile from a vmlinux with debug info.
    Make(MakeArgs),
}

/// What is measured, and how it is shown.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct LiveArgs {
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    /// Text even in a terminal.
    #[arg(long)]
    pub(super) plain: bool,
    /// Print the report as JSON: everything since the start, at the end; with --interval, one
    /// line each interval.
    #[arg(long, conflicts_with = "plain")]
    pub(super) json: bool,
    /// Time between two refreshes, as in 500ms or 2s [default: 1s].
    #[arg(long, value_name = "TIME", value_parser = interval)]
    pub(super) interval: Option<Duration>,
    /// End after this time, as in 30s or 5m.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) duration: Option<Duration>,
    /// The unit of durations.
    #[arg(long, value_enum, default_value_t = Unit::Ns)]
    pub(super) unit: Unit,
    /// Policies whose predicted depth is shown besides that of the active one: all, or names with
    /// commas between. JSON always has all.
    #[arg(long, value_name = "NAME,...")]
    pub(super) policy: Option<Choice>,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

/// Which LLCs are shown, and what their figures are put together by.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct GroupArgs {
    /// The LLCs to show: all, or numbers as in 0,2-5.
    #[arg(long, default_value = "all", value_name = "LIST")]
    pub(super) llc: LlcChoice,
    /// What figures are put together by.
    #[arg(long, value_enum, value_name = "GROUPING", default_value_t)]
    pub(super) group_by: GroupBy,
    /// CPUs of a shard, 1 to 8192 [default: 6].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub(super) shard_size: Option<u32>,
}

/// How it is measured.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct HowArgs {
    /// Insist on these attach points in place of the best that there are.
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(super) attach: Option<AttachMethod>,
    /// Insist on this fidelity in place of the best that there is.
    #[arg(long, value_enum)]
    pub(super) fidelity: Option<Fidelity>,
    /// The kernel's vmlinux with debug info, where it is in no usual place.
    #[arg(long, value_name = "FILE")]
    pub(super) vmlinux: Option<PathBuf>,
    /// A profile of this kernel, see 'sisprobe profile make'.
    #[arg(long, value_name = "FILE")]
    pub(super) profile: Option<PathBuf>,
    /// A BTF file of this kernel, where /sys/kernel/btf/vmlinux is missing.
    #[arg(long, value_name = "FILE")]
    pub(super) btf: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct DoctorArgs {
    /// Print the answers as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Read the machine's files under this folder: a machine that was captured.
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub(super) root: PathBuf,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ModelArgs {
    /// CPUs of the LLC, 1 to 8192 [default: that of the first LLC measured].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192))]
    #[arg(required_unless_present_any = ["from", "live"])]
    pub(super) llc_size: Option<u32>,
    /// The policies: all, or names with commas between.
    #[arg(long, value_name = "NAME,...", default_value = "all")]
    pub(super) policy: Choice,
    /// The imbalance_pct of the LLC's domain, 100 to 1000 [default: that measured, or 117].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(100..=1000))]
    pub(super) imbalance_pct: Option<u32>,
    /// CPUs of a core, 1 to 8 [default: 2, or 1 in an LLC of one CPU].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(super) smt: Option<u32>,
    /// Percent of utilisation from one row to the next, 1 to 100 [default: 5, or 1 in a chart].
    #[arg(long, value_name = "PERCENT")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) step: Option<u32>,
    /// The waking CPU's avg_idle, as in 500us: for sis_avg_cpu, sis_prop_avg_idle and
    /// sis_core_window.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) avg_idle: Option<Duration>,
    /// The waking CPU's wake_avg_idle: for sis_prop.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) wake_avg_idle: Option<Duration>,
    /// The LLC's avg_scan_cost, as in 800ns: for the four above.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) avg_scan_cost: Option<Duration>,
    /// Print the numbers as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the numbers into this file in place of printing them: an SVG or a PNG, by its name.
    #[arg(long, value_name = "FILE", conflicts_with = "json", value_parser = PlotFile::parser())]
    pub(super) plot: Option<PlotFile>,
    /// Show beside it what was measured: a file as 'sisprobe --json --interval 1s' or 'sisprobe
    /// capture' writes it.
    #[arg(long, value_name = "FILE", conflicts_with = "live")]
    pub(super) from: Option<PathBuf>,
    /// Show beside it what is measured now.
    #[arg(long)]
    pub(super) live: bool,
    /// How long to measure with --live, as in 30s.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub(super) duration: Duration,
    /// Time from one point to the next with --live, as in 500ms.
    #[arg(long, value_name = "TIME", value_parser = interval, default_value = "1s")]
    pub(super) interval: Duration,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct WhatifArgs {
    /// How long to measure, as in 30s or 5m.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "30s")]
    pub(super) duration: Duration,
    /// The policies: all, or names with commas between.
    #[arg(long, value_name = "NAME,...", default_value = "all")]
    pub(super) policy: Choice,
    /// The LLCs to show: all, or numbers as in 0,2-5.
    #[arg(long, default_value = "all", value_name = "LIST")]
    pub(super) llc: LlcChoice,
    /// Time between two looks at the load, as in 50ms.
    #[arg(long, value_name = "TIME", value_parser = interval, default_value = "100ms")]
    pub(super) interval: Duration,
    /// Print the numbers as JSON.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ServeArgs {
    /// Where to listen: an address and a port.
    #[arg(long, value_name = "ADDR:PORT", default_value = LISTEN)]
    pub(super) listen: SocketAddr,
    /// Time between two readings of the figures.
    #[arg(long, value_name = "TIME", value_parser = interval, default_value = "1s")]
    pub(super) interval: Duration,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    /// Policies whose predicted depth has a metric besides that of the active one: all, or names
    /// with commas between. JSON always has all.
    #[arg(long, value_name = "NAME,...", default_value = "sis_util")]
    pub(super) policy: Choice,
    /// The upper bounds of the first and the last bucket of durations, made powers of 2 ns;
    /// between them there is one for each power of 2.
    #[arg(long, value_name = "FROM..TO", default_value = "256ns..16ms")]
    pub(super) duration_buckets: DurationBounds,
    /// TLS and passwords, in the form that Prometheus's exporters share.
    #[arg(long = "web.config.file", value_name = "FILE")]
    pub(super) web_config_file: Option<PathBuf>,
    /// Let the kernel count the runs of the eBPF programs and their time. It then reads the clock
    /// twice for each run of any BPF program of the machine.
    #[arg(long)]
    pub(super) bpf_stats: bool,
    /// How the log on standard error is written.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) log_format: LogFormat,
    /// The least level that is logged: error, warn, info, debug or trace.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub(super) log_level: tracing::Level,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct MakeArgs {
    /// The vmlinux, with DWARF debug info.
    #[arg(long, value_name = "FILE")]
    pub(super) vmlinux: PathBuf,
    /// Where to write the profile [default: <build id>.json].
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

/// The least time between two refreshes.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);
/// Far more than anyone waits, and little enough to be added to any clock.
const MOST_TIME: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

pub(super) fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time > MOST_TIME {
        return Err("it must be 100 years or less".into());
    }
    Ok(time)
}

pub(super) fn interval(text: &str) -> Result<Duration, String> {
    let interval = time(text)?;
    if interval < LEAST_INTERVAL {
        return Err("it must be 10ms or more".into());
    }
    Ok(interval)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::Args;

    const CLI: &str = include_str!("../../../docs/cli.md");

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn intervals_have_a_floor() {
        let parse = |interval| Args::try_parse_from(["sisprobe", "--interval", interval]);
        assert!(parse("10ms").is_ok());
        assert!(parse("9ms").is_err());
        assert!(parse("fast").is_err());
    }

    /// A clock cannot be set further than it goes.
    #[test]
    fn times_have_a_ceiling() {
        for option in ["--interval", "--duration"] {
            let parse = |time| Args::try_parse_from(["sisprobe", option, time]);
            assert!(parse("99y").is_ok());
            assert!(parse("101y").is_err());
            assert!(parse("500000000000y").is_err());
        }
    }

    /// docs/cli.md must have every command and every option.
    #[test]
    fn the_documentation_has_every_option() {
        fn check(command: &clap::Command, path: &str) {
            let path = format!("{path}{}", command.get_name());
            assert!(CLI.contains(&format!("`{path}")), "{path} is not there");
            for argument in command.get_arguments() {
                if let Some(long) = argument.get_long() {
                    let option = format!("`--{long}");
                    assert!(CLI.contains(&option), "{path} --{long} is not there");
                }
                if let Some(short) = argument.get_short() {
                    let option = format!("`-{short}");
                    assert!(CLI.contains(&option), "{path} -{short} is not there");
                }
            }
            for inner in command.get_subcommands() {
                check(inner, &format!("{path} "));
            }
        }
        check(&Args::command(), "");
    }
}
