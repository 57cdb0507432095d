//! What stands above and below the tables.

use super::Form;
use crate::compare::{
    Comparison, Metric,
    statistics::{Summary, Test},
};

/// `search time p50, ns, lower is better`.
pub(super) fn metric(metric: &Metric) -> String {
    let unit = match metric.unit.as_str() {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    format!("{}{unit}, {}", metric.title, metric.better.words())
}

/// `search time` and `99.5` of a percentile's title.
pub(super) fn percentile(metric: &Metric) -> (&str, &str) {
    (metric.title.rsplit_once(" p")).unwrap_or((&metric.title, ""))
}

/// `3+3`.
pub(super) fn runs(base: &Summary, new: &Summary) -> String {
    format!("{}+{}", base.runs(), new.runs())
}

/// How the tables are to be read.
pub(super) fn footnotes(comparison: &Comparison, form: Form) -> Vec<String> {
    let columns = match form {
        Form::Ab => format!(
            "baseline is {} as 1.00; compare%: the difference of the means, positive is better \
             (where neither is better: is more); std%: the standard deviation in percent of that \
             side's mean; n: runs of both sides",
            comparison.base
        ),
        Form::TwoColumn => "pct: the difference of the means in percent, positive is better \
                            (where neither is better: is more); * where it is more than noise"
            .into(),
        Form::Percentile => "means over the runs, and their standard deviations in ns. A \
                             percentile is at most 1/8 above the true value, never below it"
            .into(),
    };
    let mut lines = vec![columns];
    if form != Form::Percentile {
        lines.extend(verdicts(comparison));
    }
    lines
}

/// By which test, and why.
fn verdicts(comparison: &Comparison) -> Vec<String> {
    let rows = comparison.tables.iter().flat_map(|table| &table.rows);
    let compared: Vec<_> = rows.flat_map(|row| row.new.iter().flatten()).collect();
    let is_used = |test| compared.iter().any(|one| one.test == Some(test));
    let mut lines = Vec::new();
    if is_used(Test::Welch) {
        lines.push(
            "verdict at 1 % by Welch's t-test: with fewer than 5 runs no test by ranks can reach \
             1 %. It takes runs to be normally distributed"
                .into(),
        );
    }
    if is_used(Test::MannWhitney) {
        lines.push(
            "verdict at 1 % by the Mann-Whitney test, from 5+5 runs on: it goes by ranks and \
             takes no distribution for granted"
                .into(),
        );
    }
    let is_within = |one: &&crate::compare::Compared| one.test.is_some() && one.p.is_none();
    if compared.iter().any(is_within) {
        lines.push("p -: the difference is no more than the width of a bucket".into());
    }
    lines
}
