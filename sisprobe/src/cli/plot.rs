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

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser as _;

    use super::*;
    use crate::{
        cli::args::{Args, Command},
        policy::{Choice, Curve, LlcState},
        sink::curve,
    };

    fn parse(options: &[&str]) -> Result<PlotFile, String> {
        let words = ["sisprobe", "model", "--llc-size", "8", "--plot"];
        let args = Args::try_parse_from(words.iter().chain(options));
        match args.map_err(|error| error.to_string())?.command {
            Some(Command::Model(args)) => Ok(args.plot.unwrap()),
            other => panic!("{other:?}"),
        }
    }

    fn some_chart() -> Chart {
        curve::chart(&Curve::new(LlcState::unused(8), &Choice::all(), 1))
    }

    #[test]
    fn the_name_tells_the_format() {
        assert_eq!(parse(&["a/b.svg"]).unwrap().format(), "SVG");
        assert_eq!(parse(&["b.PNG"]).unwrap().format(), "PNG");
        for name in ["b.pdf", "svg", ".svg", "b.svg.gz", "b."] {
            let error = parse(&[name]).unwrap_err();
            assert!(error.contains("must end in .svg or .png"), "{error}");
        }
        let error = parse(&["b.svg", "--json"]).unwrap_err();
        assert!(error.contains("--json"), "{error}");
    }

    #[test]
    fn a_chart_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        for (name, start) in [("a.svg", &b"<svg "[..]), ("a.png", b"\x89PNG")] {
            let path = folder.path().join(name);
            fs::write(&path, "before").unwrap();
            let file = parse(&[path.to_str().unwrap()]).unwrap();
            file.write(&some_chart()).unwrap();
            assert!(fs::read(&path).unwrap().starts_with(start), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/a.svg");
        let file = parse(&[path.to_str().unwrap()]).unwrap();
        let failure = file.write(&some_chart()).unwrap_err();
        assert_eq!(failure.status(), 1);
        let text = failure.to_string();
        assert!(text.contains(path.to_str().unwrap()), "{text}");
        assert!(text.contains("No such file"), "{text}");
    }
}
