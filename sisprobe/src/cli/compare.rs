//! `sisprobe compare`.

use std::{
    collections::BTreeSet,
    io::{Write as _, stderr},
    num::NonZero,
    path::PathBuf,
    thread::{self, ScopedJoinHandle},
};

use super::{file_args::CompareArgs, print};
use crate::{
    capture::{self, Capture},
    compare::{Choice, CompareError, Comparison, Named},
    failure::Failure,
    sink::compare::{self, Form},
    whole_file,
};

/// How a comparison is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Aligned text.
    #[default]
    Table,
    /// Pipe tables.
    Markdown,
    /// Plain numbers, a row for each metric, case, load and side.
    Csv,
    /// One document.
    Json,
    /// A page.
    Html,
}

/// Compares captures; whatever the verdicts, that is a success.
pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let paths: Vec<&PathBuf> = std::iter::once(&args.base).chain(&args.new).collect();
    let captures = read(&paths)?;
    let names = names(&paths)?;
    let named: Vec<Named<'_>> = (names.into_iter().zip(&captures))
        .map(|(name, capture)| Named { name, capture })
        .collect();
    let choice = Choice {
        metrics: args.metric.clone(),
        groups: args.group.clone(),
    };
    let comparison = Comparison::of(&named, &choice)
        .map_err(|error: CompareError| Failure::Usage(error.to_string()))?;
    if args.format == Format::Csv {
        // The table has no place for them; where nobody reads them, it serves all the same.
        let _ = stderr().write_all(compare::warnings(&comparison).as_bytes());
    }
    let text = written(&comparison, args.format, args.form)?;
    match &args.output {
        None => print(&text),
        Some(path) => whole_file::write(path, text.as_bytes()).map_err(|error| {
            Failure::Other(format!(
                "tried to write the comparison {}; the answer was: {error}",
                path.display()
            ))
        }),
    }
}

fn written(comparison: &Comparison, format: Format, form: Form) -> Result<String, Failure> {
    let other = |error: &dyn std::error::Error| Failure::Other(error.to_string());
    match format {
        Format::Table => Ok(compare::text(comparison, form)),
        Format::Markdown => Ok(compare::markdown(comparison, form)),
        Format::Csv => compare::csv(comparison).map_err(|error| other(&error)),
        Format::Json => compare::json(comparison).map_err(|error| other(&error)),
        Format::Html => Ok(compare::page(comparison, form)),
    }
}

/// Reads all files, on as many threads as there are CPUs.
fn read(paths: &[&PathBuf]) -> Result<Vec<Capture>, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let each = paths.len().div_ceil(threads);
    let read = |paths: &[&PathBuf]| -> Vec<_> {
        let files = paths.iter();
        files
            .map(|path| capture::read_without_series(path))
            .collect()
    };
    let captures = thread::scope(|scope| {
        let chunks: Vec<_> = paths
            .chunks(each)
            .map(|chunk| scope.spawn(move || read(chunk)))
            .collect();
        let done = chunks.into_iter().map(ScopedJoinHandle::join);
        done.collect::<Result<Vec<_>, _>>()
    });
    let Ok(captures) = captures else {
        return Err(Failure::Other(
            "reading the captures ended in a panic".into(),
        ));
    };
    let captures = captures.into_iter().flatten();
    captures
        .map(|capture| capture.map_err(|error| Failure::Usage(error.to_string())))
        .collect()
}

/// The names of files; whole paths where two files have the same name.
fn names(paths: &[&PathBuf]) -> Result<Vec<String>, Failure> {
    let whole: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let names: Vec<String> = paths.iter().map(|path| capture::stem(path)).collect();
    if is_distinct(&names) {
        return Ok(names);
    }
    if is_distinct(&whole) {
        return Ok(whole);
    }
    Err(Failure::Usage(
        "the same file is given twice, which cannot differ from itself".into(),
    ))
}

fn is_distinct(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_names() {
        let named = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            names(&paths.iter().collect::<Vec<_>>()).map_err(|error| error.to_string())
        };
        assert_eq!(
            named(&["a/stock.json", "b/new.json.zst"]).unwrap(),
            ["stock", "new"]
        );
        let same = ["a/x.json", "b/x.json"];
        assert_eq!(named(&same).unwrap(), same);
        assert!(named(&["x.json", "x.json"]).unwrap_err().contains("twice"));
    }
}
