//! `sisprobe plot`.

use std::path::Path;

use super::{
    document,
    file_args::{FigureArgs, FigureKind},
    print,
};
use crate::{
    capture::{self, Capture},
    failure::Failure,
    sink::{
        chart::Chart,
        figure::{self, COLUMNS, Counted, NoFigure, Of, OverTime, busiest},
    },
};

/// Draws one figure into a file.
pub(super) fn run(args: &FigureArgs) -> Result<(), Failure> {
    let files = args
        .files
        .iter()
        .map(|path| Ok((path, document::capture(path)?)));
    let files: Vec<_> = files.collect::<Result<_, Failure>>()?;
    let files: Vec<(&Path, &Capture)> = files
        .iter()
        .map(|(path, capture)| (path.as_path(), capture))
        .collect();
    let chart = match args.kind {
        FigureKind::Duration => over_each_other(args, &files, Of::Duration, figure::histogram),
        FigureKind::Scanned => over_each_other(args, &files, Of::Scanned, figure::histogram),
        FigureKind::DurationCdf => over_each_other(args, &files, Of::Duration, figure::cumulative),
        FigureKind::ScannedCdf => over_each_other(args, &files, Of::Scanned, figure::cumulative),
        FigureKind::Heatmap | FigureKind::Depth => over_time(args, &files),
    }?;
    args.output.write(&chart)?;
    let file = &args.output;
    let captures = if files.len() == 1 {
        "capture"
    } else {
        "captures"
    };
    print(&format!(
        "{}: {}, {} of {} {captures}\n",
        file.path().display(),
        file.format(),
        args.kind.name(),
        files.len()
    ))
}

/// Searches of all captures, added up.
fn over_each_other(
    args: &FigureArgs,
    files: &[(&Path, &Capture)],
    of: Of,
    draw: fn(Of, &[Counted]) -> Chart,
) -> Result<Chart, Failure> {
    let group = args.group.as_deref();
    let names = capture::names(files).into_iter();
    let counted = names.zip(files).map(|(name, (path, capture))| {
        Counted::of(name, capture, args.run, group).map_err(|why| refused(path, &why))
    });
    let counted: Vec<Counted> = counted.collect::<Result<_, _>>()?;
    let mut chart = draw(of, &counted);
    chart.title = match of {
        Of::Duration => "How long searches took",
        Of::Scanned => "How many CPUs searches looked at",
    }
    .into();
    let runs = match args.run {
        Some(number) => format!("run {number}"),
        None => "all runs that count".into(),
    };
    let searches: Vec<String> = counted
        .iter()
        .map(|one| match of {
            Of::Duration => one.figures.duration.count().to_string(),
            Of::Scanned => one.figures.scanned.count().to_string(),
        })
        .collect();
    chart.subtitle = format!(
        "{}, {runs}; counted: {}",
        group.unwrap_or("all groups together"),
        searches.join(", ")
    );
    Ok(chart)
}

/// One run of one capture.
fn over_time(args: &FigureArgs, files: &[(&Path, &Capture)]) -> Result<Chart, Failure> {
    let [(path, capture)] = files else {
        return Err(Failure::Usage(format!(
            "a {} is of one capture, and {} files are given; duration, scanned and their cdf take \
             several",
            args.kind.name(),
            files.len()
        )));
    };
    let of = |group: Option<&str>| {
        let over_time = OverTime::of(capture, args.run, group, COLUMNS);
        over_time.map_err(|why| refused(path, &why))
    };
    let mut over_time = of(args.group.as_deref())?;
    let is_depth = args.kind == FigureKind::Depth;
    if is_depth && args.group.is_none() {
        // A prediction is of an LLC.
        let busiest = busiest(&over_time.run.report).map(ToOwned::to_owned);
        over_time = of(busiest.as_deref())?;
    }
    let (mut chart, what) = if is_depth {
        (over_time.depth(), "Scanned against predicted depth")
    } else {
        (over_time.heatmap(), "Search time over time")
    };
    chart.title = what.into();
    let names = capture::names(files);
    chart.subtitle = format!("{}: {}", names.join(", "), over_time.title());
    Ok(chart)
}

fn refused(path: &Path, why: &NoFigure) -> Failure {
    Failure::Usage(format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use clap::Parser as _;
    use tempfile::TempDir;

    use super::*;
    use crate::{
        capture::sample,
        cli::args::{Args, Command},
    };

    fn folder() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.json", "b.json.zst"] {
            let path: PathBuf = folder.path().join(name);
            capture::write(&path, &sample::capture(3)).unwrap();
        }
        folder
    }

    fn plot(
        folder: &TempDir,
        kind: &str,
        files: &[&str],
        options: &[&str],
    ) -> Result<String, String> {
        let out = folder.path().join("out.svg");
        let files = files
            .iter()
            .map(|name| folder.path().join(name).display().to_string());
        let words: Vec<String> = ["sisprobe", "plot", kind]
            .map(String::from)
            .into_iter()
            .chain(files)
            .chain(["-o".into(), out.display().to_string()])
            .chain(options.iter().map(ToString::to_string))
            .collect();
        let args = Args::try_parse_from(words).map_err(|error| error.to_string())?;
        let Some(Command::Plot(args)) = args.command else {
            panic!("plot")
        };
        run(&args).map_err(|failure| failure.to_string())?;
        Ok(fs::read_to_string(out).unwrap())
    }

    #[test]
    fn every_kind_is_drawn() {
        let folder = folder();
        for kind in ["duration", "scanned", "duration-cdf", "scanned-cdf"] {
            let svg = plot(&folder, kind, &["a.json", "b.json.zst"], &[]).unwrap();
            for expected in [
                "a: sis_util, 50 %",
                "b: sis_util, 50 %",
                "all groups together",
            ] {
                assert!(svg.contains(expected), "{kind} {expected}");
            }
            let svg = plot(
                &folder,
                kind,
                &["a.json"],
                &["--group", "LLC 0", "--run", "3"],
            )
            .unwrap();
            assert!(svg.contains("LLC 0, run 3; counted: 251115"), "{kind}");
        }
        let svg = plot(&folder, "heatmap", &["a.json"], &[]).unwrap();
        assert!(svg.contains("run 2, all groups together"));
        let svg = plot(&folder, "depth", &["a.json"], &["--run", "1"]).unwrap();
        assert!(svg.contains("run 1, LLC 0") && svg.contains("seconds of the run"));
    }

    #[test]
    fn what_cannot_be_drawn_is_told() {
        let folder = folder();
        let both = &["a.json", "b.json.zst"];
        let error = plot(&folder, "heatmap", both, &[]).unwrap_err();
        assert!(
            error.contains("a heatmap is of one capture, and 2 files"),
            "{error}"
        );
        let error = plot(&folder, "depth", &["a.json"], &["--group", "x"]).unwrap_err();
        assert!(error.contains("a.json: there is no group \"x\""), "{error}");
        let error = plot(&folder, "duration", both, &["--run", "4"]).unwrap_err();
        assert!(error.contains("there is no run 4: it has 3"), "{error}");
        assert!(plot(&folder, "pie", both, &[]).is_err());
        assert!(plot(&folder, "duration", &[], &[]).is_err());
        assert!(!folder.path().join("out.svg").exists());
    }
}
