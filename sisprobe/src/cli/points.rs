//! What was measured, as points beside the models' curves.

use std::{fs, path::Path};

use super::{args::ModelArgs, begin, clock::Clock, select};
use crate::{
    failure::Failure,
    histogram::Shrunk,
    policy::Measured,
    report::{Group, LlcSaid, Report},
    sink::json,
};

/// Points, and what the kernel said of the first LLC among them.
pub(super) struct Points {
    pub(super) measured: Vec<Measured>,
    pub(super) llc: Option<LlcSaid>,
}

/// The points that `args` ask for; none without `--from` and `--live`.
pub(super) fn of(args: &ModelArgs) -> Result<Points, Failure> {
    if let Some(path) = &args.from {
        return from_file(path);
    }
    if args.live {
        return live(args);
    }
    Ok(Points {
        measured: Vec::new(),
        llc: None,
    })
}

fn live(args: &ModelArgs) -> Result<Points, Failure> {
    let (mut measurement, stop) = begin::begin(&args.how, select::all_llcs())?;
    let mut reports = vec![measurement.report()];
    begin::searches_and_load_are_told(&reports[0])?;
    let clock = Clock::start(args.interval, Some(args.duration));
    while clock.next(&stop) {
        reports.push(measurement.report());
    }
    reports.push(measurement.end());
    // The first was made before anything could happen.
    points(&reports[1..]).map_err(|shrunk| Failure::Other(shrunk.to_string()))
}

fn from_file(path: &Path) -> Result<Points, Failure> {
    let refused = |why: String| Failure::Usage(format!("--from {}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let reports = parse(&text).map_err(refused)?;
    let points = points(&reports).map_err(|shrunk| refused(shrunk.to_string()))?;
    if points.measured.is_empty() {
        return Err(refused(
            "no LLC in it has both searches and a state. It takes what 'sisprobe --json' writes \
             with fidelity exact or inlined"
                .into(),
        ));
    }
    Ok(points)
}

/// One document over all lines, or one a line.
fn parse(text: &str) -> Result<Vec<Report>, String> {
    if let Ok(report) = json::read(text) {
        return Ok(vec![report]);
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
    lines
        .map(|(line, number)| json::read(line).map_err(|error| format!("line {number}: {error}")))
        .collect()
}

/// A point for each LLC and each report, of what happened since the report before, where there
/// were searches and the state is known.
fn points(reports: &[Report]) -> Result<Points, Shrunk> {
    let mut points = Points {
        measured: Vec::new(),
        llc: None,
    };
    let mut before = None;
    for report in reports {
        let span = before.map_or_else(|| Ok(report.clone()), |before| report.since(before))?;
        before = Some(report);
        for group in &span.groups {
            let Some((measured, llc)) = point(group) else {
                continue;
            };
            points.measured.push(measured);
            points.llc.get_or_insert(llc);
        }
    }
    Ok(points)
}

fn point(group: &Group) -> Option<(Measured, LlcSaid)> {
    let state = group.state.as_ref()?;
    let llc = state.llc.clone()?;
    // With fidelity bracketed there is a histogram, but not of searches.
    let searches = group.figures.searches();
    let scanned_mean = group.figures.scanned.mean().filter(|_| searches > 0)?;
    let measured = Measured {
        label: group.name.clone(),
        utilisation_percent: 100.0 * state.utilisation(),
        scanned_mean,
    };
    Some((measured, llc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::sample;

    fn lines(reports: &[Report]) -> String {
        let mut text = Vec::new();
        for report in reports {
            json::write_line(&mut text, report).unwrap();
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn one_point_an_llc_and_interval() {
        let reports = [sample::report(2, 1), sample::report(2, 3)];
        let points = points(&parse(&lines(&reports)).unwrap()).unwrap();
        // The second LLC of the sample has counted nothing.
        assert_eq!(points.measured.len(), 2);
        assert_eq!(points.llc.unwrap().weight, 8);
        let [first, second] = &points.measured[..] else {
            panic!("two points");
        };
        assert_eq!(first.label, "LLC 0");
        assert_eq!(first, second);
        assert!((first.utilisation_percent - 43.75).abs() < 1e-9);
        assert!(
            (first.scanned_mean - reports[0].groups[0].figures.scanned.mean().unwrap()).abs()
                < 1e-9
        );
    }

    #[test]
    fn a_document_of_many_lines_is_one_point() {
        let mut text = Vec::new();
        json::write_pretty(&mut text, &sample::report(1, 5)).unwrap();
        let reports = parse(std::str::from_utf8(&text).unwrap()).unwrap();
        assert_eq!(points(&reports).unwrap().measured.len(), 1);
    }

    #[test]
    fn what_is_no_report_is_told_by_its_line() {
        let text = lines(&[sample::report(1, 1)]) + "{\n";
        assert!(parse(&text).unwrap_err().starts_with("line 2: "));
    }

    #[test]
    fn searches_that_cannot_be_told_are_no_points() {
        let points = points(&[sample::bracketed(1, 5)]).unwrap();
        assert_eq!(points.measured, []);
    }

    #[test]
    fn reports_of_two_runs_are_not_taken_together() {
        assert!(points(&[sample::report(1, 5), sample::report(1, 2)]).is_err());
    }
}
