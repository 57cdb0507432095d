//! What was measured, as points beside the models' curves.

use std::path::Path;

use super::{
    args::ModelArgs,
    begin,
    clock::Clock,
    document::{self, Document},
    select,
};
use crate::{
    capture::Capture,
    failure::Failure,
    histogram::Shrunk,
    policy::Measured,
    report::{Group, LlcSaid, Report},
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
    let points = match document::read(path).map_err(|error| refused(error.to_string()))? {
        Document::Reports(reports) => {
            points(&reports).map_err(|shrunk| refused(shrunk.to_string()))?
        }
        Document::Capture(capture) => of_capture(&capture),
    };
    if points.measured.is_empty() {
        return Err(refused(
            "no LLC in it has both searches and a state. It takes what 'sisprobe --json' and \
             'sisprobe capture' write with fidelity exact or inlined"
                .into(),
        ));
    }
    Ok(points)
}

/// A point for each LLC and each look of a run that counts, of what happened in the span before
/// it.
fn of_capture(capture: &Capture) -> Points {
    let mut points = Points {
        measured: Vec::new(),
        llc: None,
    };
    let runs = capture.counted().into_iter();
    for series in runs.flat_map(|(_, run)| &run.series) {
        for column in series.columns.iter().filter(|column| column.searches() > 0) {
            let look = series.looks.iter().find(|look| look.at == column.to());
            let (Some(look), Some(scanned_mean)) = (look, column.scanned()) else {
                continue;
            };
            let Some(llc) = &look.state.llc else {
                continue;
            };
            points.measured.push(Measured {
                label: series.group.clone(),
                utilisation_percent: 100.0 * look.state.utilisation(),
                scanned_mean,
            });
            points.llc.get_or_insert_with(|| llc.clone());
        }
    }
    points
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

    #[test]
    fn one_point_an_llc_and_interval() {
        let reports = [sample::report(2, 1), sample::report(2, 3)];
        let points = points(&reports).unwrap();
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
    fn one_point_a_look_of_a_capture() {
        let capture = crate::capture::sample::capture(2);
        let points = of_capture(&capture);
        assert_eq!(points.measured.len(), 10);
        assert_eq!(points.llc.unwrap().weight, 8);
        let first = &points.measured[0];
        assert_eq!(first.label, "LLC 0");
        assert!((first.utilisation_percent - 43.75).abs() < 1e-9);
        let report = &capture.runs[0].report;
        let mean = report.groups[0].figures.scanned.mean().unwrap();
        assert!((first.scanned_mean - mean).abs() < 1e-9);
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
