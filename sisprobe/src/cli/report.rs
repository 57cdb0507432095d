//! `sisprobe report`.

use std::path::Path;

use super::{document, file_args::ReportArgs, print};
use crate::{
    capture::{self, Capture},
    compare::{Choice, Comparison, Named},
    failure::Failure,
    sink::html,
    whole_file,
};

/// What differs; none of a single capture. What cannot be compared is shown all the same.
fn comparison(captures: &[(String, &Capture)]) -> Result<Option<Comparison>, Failure> {
    if captures.len() < 2 {
        return Ok(None);
    }
    let captures = captures.iter().map(|(name, capture)| Named {
        name: name.clone(),
        capture,
    });
    let captures: Vec<Named<'_>> = captures.collect();
    match Comparison::of(&captures, &Choice::default()) {
        Ok(comparison) => Ok(Some(comparison)),
        Err(error) => {
            print(&format!("the page has no comparison: {error}\n"))?;
            Ok(None)
        }
    }
}

/// Writes a page of the captures.
pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let captures = args.files.iter().map(|path| document::capture(path));
    let captures: Vec<Capture> = captures.collect::<Result<_, _>>()?;
    let paths = args.files.iter().map(AsRef::as_ref);
    let files: Vec<(&Path, &Capture)> = paths.zip(&captures).collect();
    let named: Vec<(String, &Capture)> =
        capture::names(&files).into_iter().zip(&captures).collect();
    let comparison = comparison(&named)?;
    let page = html::page(&named, comparison.as_ref());
    let path = &args.output;
    whole_file::write(path, page.as_bytes()).map_err(|error| {
        Failure::Other(format!(
            "tried to write the page {}; the answer was: {error}",
            path.display()
        ))
    })?;
    let captures = if named.len() == 1 {
        "capture"
    } else {
        "captures"
    };
    print(&format!(
        "{}: {} {captures}, {} KiB\n",
        path.display(),
        named.len(),
        page.len().div_ceil(1024)
    ))
}
