//! The figures that a benchmark printed: a command and its output → metrics. Pure.
//!
//! One small file a benchmark. Whatever the output holds, a reader only ever finds figures or
//! finds none: it takes time in proportion to the output's length, and at most
//! [`MAX_METRICS`] metrics come of it.

mod command;
mod hackbench;
mod metric;
mod netperf;
mod number;
mod perf;
mod reader;
mod schbench;
mod stress_ng;
mod sysbench;
mod tbench;
#[cfg(test)]
mod tests;
mod wanted;

use std::{ffi::OsStr, fmt};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::reader::Reader;
pub use self::{
    metric::{Better, MAX_METRICS, Metric, put},
    wanted::{Wanted, WantedError},
};

/// Which benchmark's output is read.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Bench {
    /// The one that the command names, else the one whose form the output has
    #[default]
    Auto,
    /// No figures are looked for
    None,
    /// hackbench (rt-tests)
    Hackbench,
    /// perf bench sched messaging
    PerfSchedMessaging,
    /// perf bench sched pipe
    PerfSchedPipe,
    /// tbench and dbench
    Tbench,
    /// schbench, old and new
    Schbench,
    /// sysbench cpu, threads, memory, mutex and whatever else counts events
    Sysbench,
    /// netperf; results of several that ran side by side are added
    Netperf,
    /// stress-ng with --metrics or --metrics-brief
    StressNg,
}

/// What a form is told by comes in this order: the one that says least about itself is last.
const BY_FORM: [Bench; 8] = [
    Bench::PerfSchedMessaging,
    Bench::PerfSchedPipe,
    Bench::Schbench,
    Bench::Sysbench,
    Bench::StressNg,
    Bench::Netperf,
    Bench::Tbench,
    Bench::Hackbench,
];

/// Why an output gave no figure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BenchError {
    /// The benchmark was named, and its figures are not in the output.
    #[error(
        "--bench {bench}: looked in the command's output for {looked_for}, and found none; use \
         --bench auto or none if it is another program's"
    )]
    NoFigures {
        /// The benchmark.
        bench: Bench,
        /// What its figures look like.
        looked_for: &'static str,
    },
    /// A pattern of `--metric` matched nowhere.
    #[error(
        "--metric {name}: looked in the command's output for {pattern:?}, and it matched nowhere"
    )]
    NoMatch {
        /// The metric.
        name: String,
        /// The regular expression.
        pattern: String,
    },
    /// What a pattern of `--metric` matched is no number.
    #[error(
        "--metric {name}: {pattern:?} matched {text:?}, which is no number; put a group around \
         the number alone, as in 'Time: ([0-9.]+)'"
    )]
    NotANumber {
        /// The metric.
        name: String,
        /// The regular expression.
        pattern: String,
        /// The beginning of what was matched.
        text: String,
    },
}

impl Bench {
    /// Every benchmark that can be asked for, `auto` and `none` included.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    /// The reader that [`Bench::read`] uses: never `Auto`, and `None` where there is none. A
    /// benchmark that the command names is told even if its figures are not in `output`.
    pub fn recognise<W: AsRef<OsStr>>(self, command: &[W], output: &str) -> Self {
        match self {
            Self::Auto => command::named_by(command)
                .or_else(|| by_form(output))
                .unwrap_or(Self::None),
            named => named,
        }
    }

    /// The figures in `output`, which is what `command` wrote to standard output and standard
    /// error (schbench uses the latter). Where a figure is there several times, the last counts,
    /// as programs print intervals before the result; only results of netperf are added.
    ///
    /// `auto` gives an empty list where it knows neither the command nor the output's form, and
    /// where a program that it knows printed no figures (`--help`, output sent to a file).
    ///
    /// # Errors
    ///
    /// [`BenchError::NoFigures`] if a benchmark was named and its figures are not in `output`.
    pub fn read<W: AsRef<OsStr>>(
        self,
        command: &[W],
        output: &str,
    ) -> Result<Vec<Metric>, BenchError> {
        let bench = self.recognise(command, output);
        let Some(reader) = bench.reader() else {
            return Ok(Vec::new());
        };
        let metrics = (reader.read)(output);
        if metrics.is_empty() && self != Self::Auto {
            return Err(BenchError::NoFigures {
                bench,
                looked_for: reader.looked_for,
            });
        }
        Ok(metrics)
    }

    const fn reader(self) -> Option<&'static Reader> {
        match self {
            Self::Auto | Self::None => None,
            Self::Hackbench => Some(&hackbench::READER),
            Self::PerfSchedMessaging => Some(&perf::MESSAGING),
            Self::PerfSchedPipe => Some(&perf::PIPE),
            Self::Tbench => Some(&tbench::READER),
            Self::Schbench => Some(&schbench::READER),
            Self::Sysbench => Some(&sysbench::READER),
            Self::Netperf => Some(&netperf::READER),
            Self::StressNg => Some(&stress_ng::READER),
        }
    }
}

impl fmt::Display for Bench {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_possible_value() {
            Some(value) => f.write_str(value.get_name()),
            None => Ok(()),
        }
    }
}

fn by_form(output: &str) -> Option<Bench> {
    BY_FORM.into_iter().find(|bench| {
        bench
            .reader()
            .is_some_and(|reader| output.contains(reader.sign) && !(reader.read)(output).is_empty())
    })
}
