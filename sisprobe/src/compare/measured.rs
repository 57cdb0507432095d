//! What one capture gives to a comparison.

use std::path::Path;

use super::{
    CompareError, Named,
    metric::{self, Metric},
    search::{self, Searches},
    statistics::Sample,
};
use crate::{
    capture::{Capture, Run},
    plan::Fidelity,
    report::Group,
};

/// A capture, with what each of its runs gave.
pub(super) struct Measured<'a> {
    /// Of the file.
    pub(super) name: &'a str,
    pub(super) capture: &'a Capture,
    /// What ran.
    pub(super) case: String,
    /// Under which load.
    pub(super) load: String,
    pub(super) metrics: Vec<Offered>,
}

/// A metric that there is.
pub(super) struct Offered {
    pub(super) metric: Metric,
    pub(super) sample: Sample,
    /// Whether it has a table without being asked for.
    pub(super) is_shown: bool,
}

impl<'a> Measured<'a> {
    /// Of all groups together, or of those named.
    ///
    /// # Errors
    ///
    /// A group that there is not; a metric that changes its unit.
    pub(super) fn of(named: &'a Named<'_>, groups: &[String]) -> Result<Self, CompareError> {
        let capture = named.capture;
        let runs: Vec<&Run> = capture.runs.iter().filter(|run| run.counts()).collect();
        let searches: Vec<Searches> = runs
            .iter()
            .map(|run| chosen(run, groups, &named.name))
            .collect::<Result<_, _>>()?;
        let mut metrics: Vec<Offered> = metric::of_benchmark(&runs)?
            .into_iter()
            .map(|(metric, sample)| Offered {
                metric,
                sample,
                is_shown: true,
            })
            .collect();
        if metrics.is_empty() && !capture.command.is_empty() {
            metrics.push(Offered {
                metric: Metric::wall_time(),
                sample: Sample {
                    values: runs.iter().map(|run| run.wall_time).collect(),
                    resolution: 0.0,
                },
                is_shown: true,
            });
        }
        let of_searches = search::of_runs(&searches, fidelity(&runs)).into_iter();
        metrics.extend(of_searches.map(|(metric, sample, is_shown)| Offered {
            metric,
            sample,
            is_shown,
        }));
        Ok(Self {
            name: &named.name,
            capture,
            case: case(capture),
            load: load(capture),
            metrics,
        })
    }

    /// Runs whose figures stand for the command.
    pub(super) fn runs(&self) -> impl Iterator<Item = &'a Run> + use<'a> {
        self.capture.runs.iter().filter(|run| run.counts())
    }

    /// The setting of a cell.
    pub(super) fn setting(&self) -> Option<&'a str> {
        let cell = self.capture.cell.as_ref()?;
        Some(&cell.setting)
    }

    pub(super) fn sample(&self, metric: &Metric) -> Option<&Sample> {
        let found = self.metrics.iter();
        let found = found
            .filter(|offered| offered.metric.is_named_as(metric))
            .map(|offered| &offered.sample)
            .next()?;
        (!found.values.is_empty()).then_some(found)
    }
}

/// That of the first run, which is that of all: the probes stay.
fn fidelity(runs: &[&Run]) -> Fidelity {
    let first = runs.first();
    first.map_or(Fidelity::Bracketed, |run| run.report.source.fidelity)
}

fn chosen(run: &Run, names: &[String], file: &str) -> Result<Searches, CompareError> {
    let groups = &run.report.groups;
    if let Some(unknown) = names
        .iter()
        .find(|name| !groups.iter().any(|group| group.name == **name))
    {
        let there: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        return Err(CompareError::Group {
            name: unknown.clone(),
            file: file.into(),
            there: there.join("; "),
        });
    }
    let is_chosen = |group: &&Group| names.is_empty() || names.contains(&group.name);
    Ok(Searches::of(groups.iter().filter(is_chosen)))
}

fn case(capture: &Capture) -> String {
    if let Some(case) = capture.labels.get("case") {
        return case.clone();
    }
    let Some(program) = capture.command.first() else {
        return "duration".into();
    };
    let name = Path::new(program).file_name();
    name.map_or_else(|| program.clone(), |name| name.to_string_lossy().into())
}

fn load(capture: &Capture) -> String {
    let cell = capture.cell.as_ref();
    if let Some(load) = cell.and_then(|cell| cell.load) {
        return format!("{load} %");
    }
    if let Some(load) = capture.labels.get("load") {
        return load.clone();
    }
    capture.command.get(1..).unwrap_or_default().join(" ")
}
