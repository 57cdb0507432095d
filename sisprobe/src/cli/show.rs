//! `sisprobe show`.

use std::io::{self, Write as _};

use super::{
    document::{self, Document},
    file_args::ShowArgs,
    print,
};
use crate::{
    capture::{self, Capture, NoRun},
    failure::Failure,
    report::Report,
    sink::{json, show, text::Options},
};

/// Prints what a file holds.
pub(super) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let options = Options {
        unit: args.unit,
        policies: args
            .policy
            .as_ref()
            .map_or_else(Vec::new, |choice| choice.policies().to_vec()),
    };
    match document::read(&args.file)? {
        Document::Capture(capture) if args.json => {
            as_json(&chosen(*capture, args.run).map_err(|error| no_run(args, &error))?)
        }
        Document::Capture(capture) => {
            let text = show::capture(&capture, args.run, options);
            print(&text.map_err(|error| no_run(args, &error))?)
        }
        Document::Reports(_) if args.run.is_some() => Err(Failure::Usage(format!(
            "--run: {} is a report, which is of one measurement",
            args.file.display()
        ))),
        Document::Reports(reports) => {
            // Each counts since the start: the last one has everything.
            let last = reports.last();
            last.map_or(Ok(()), |report| match args.json {
                true => report_as_json(report),
                false => print(&show::report(report, options)),
            })
        }
    }
}

fn no_run(args: &ShowArgs, error: &NoRun) -> Failure {
    Failure::Usage(format!("--run: {}: {error}", args.file.display()))
}

/// With `run` alone in it where one is chosen.
fn chosen(mut capture: Capture, run: Option<usize>) -> Result<Capture, NoRun> {
    if let Some(number) = run {
        capture.runs = vec![capture.run(number)?.clone()];
    }
    Ok(capture)
}

/// The document as it is in a capture file, uncompressed.
fn as_json(capture: &Capture) -> Result<(), Failure> {
    let text = capture::to_json(capture).map_err(|error| Failure::Other(error.to_string()))?;
    let mut out = io::stdout().lock();
    let written = out.write_all(&text).and_then(|()| out.flush());
    written.map_err(|error| Failure::output(&error))
}

fn report_as_json(report: &Report) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    json::write_line(&mut out, report).map_err(|error| Failure::output(&error))
}
