//! Charts as files.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::{
    failure::Failure,
    sink::chart::{self, Chart, Size},
    whole_file,
};

/// A file for a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlotFile {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl PlotFile {
    /// What the command line takes: the name tells the format.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().try_map(Self::new)
    }

    fn new(path: PathBuf) -> Result<Self, &'static str> {
        let format = match path.extension() {
            Some(suffix) if suffix.eq_ignore_ascii_case("svg") => Format::Svg,
            Some(suffix) if suffix.eq_ignore_ascii_case("png") => Format::Png,
            _ => return Err("it must end in .svg or .png"),
        };
        Ok(Self { path, format })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// `SVG` or `PNG`.
    pub(super) const fn format(&self) -> &'static str {
        match self.format {
            Format::Svg => "SVG",
            Format::Png => "PNG",
        }
    }

    /// Writes `chart`, whole or not at all.
    pub(super) fn write(&self, chart: &Chart) -> Result<(), Failure> {
        let size = Size::default();
        let bytes = match self.format {
            Format::Svg => chart::svg(chart, size).map(String::into_bytes),
            Format::Png => chart::png(chart, size),
        };
        let bytes = bytes.map_err(|error| Failure::Other(error.to_string()))?;
        whole_file::write(&self.path, &bytes).map_err(|error| {
            Failure::Other(format!(
                "tried to write the chart {}; the answer was: {error}",
                self.path.display()
            ))
        })
    }
}
