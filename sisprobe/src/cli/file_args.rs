//! What can be said to the commands that read captures.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::{compare::Format, plot::PlotFile};
use crate::{
    policy::Choice,
    sink::{Unit, compare::Form},
};

#[derive(Debug, ClapArgs)]
pub(super) struct ShowArgs {
    /// The file.
    pub(super) file: PathBuf,
    /// Show this run alone, counted from 1 [default: all that count, added up].
    #[arg(long, value_name = "N")]
    pub(super) run: Option<usize>,
    /// Print the document as JSON, uncompressed; with --run with this run alone in it.
    #[arg(long, conflicts_with_all = ["unit", "policy"])]
    pub(super) json: bool,
    /// The unit of durations.
    #[arg(long, value_enum, default_value_t = Unit::Ns)]
    pub(super) unit: Unit,
    /// Policies whose predicted depth is shown besides that of the active one: all, or names with
    /// commas between.
    #[arg(long, value_name = "NAME,...")]
    pub(super) policy: Option<Choice>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct FigureArgs {
    /// What is drawn.
    #[arg(value_enum)]
    pub(super) kind: FigureKind,
    /// The capture files; one for a heatmap and the depth.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Where to draw: an SVG or a PNG, by its name.
    #[arg(short, long, value_name = "FILE", value_parser = PlotFile::parser())]
    pub(super) output: PlotFile,
    /// Draw this group alone [default: all together; for the depth, the busiest].
    #[arg(long, value_name = "NAME")]
    pub(super) group: Option<String>,
    /// Draw this run alone, counted from 1 [default: all that count, added up; for a heatmap and
    /// the depth, the one whose wall time is in the middle].
    #[arg(long, value_name = "N")]
    pub(super) run: Option<usize>,
}

/// What a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FigureKind {
    /// How long searches took: histograms over each other.
    Duration,
    /// How many CPUs they looked at: histograms over each other.
    Scanned,
    /// What share of them took up to that.
    DurationCdf,
    /// What share of them looked at up to that many CPUs.
    ScannedCdf,
    /// How long searches took over the time of a run.
    Heatmap,
    /// How many CPUs they looked at against what the policy predicted, over the time of a run.
    Depth,
}

impl FigureKind {
    /// As on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Scanned => "scanned",
            Self::DurationCdf => "duration-cdf",
            Self::ScannedCdf => "scanned-cdf",
            Self::Heatmap => "heatmap",
            Self::Depth => "depth",
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct ReportArgs {
    /// The capture files.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Where to write the page.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// The capture that the others are held against. Where all files are cells of an A/B matrix,
    /// its setting is.
    #[arg(value_name = "BASE")]
    pub(super) base: PathBuf,
    /// The other captures.
    #[arg(value_name = "NEW", required = true)]
    pub(super) new: Vec<PathBuf>,
    /// How it is written. The form of tables does not matter to csv and json.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,
    /// How tables are laid out: with verdicts, as values side by side, or as percentiles of the
    /// search time.
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(super) form: Form,
    /// The metrics, by names with commas between [default: the benchmark's and the main ones].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) metric: Option<Vec<String>>,
    /// Searches of this group only, as in 'LLC 0'; may be given more than once [default: all].
    #[arg(long, value_name = "NAME")]
    pub(super) group: Vec<String>,
    /// Write into this file.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}
