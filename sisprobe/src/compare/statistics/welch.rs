//! Welch's t-test: B. L. Welch, "The generalization of Student's problem when several different
//! population variances are involved", Biometrika 34 (1947).

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::{ALPHA, Sample};
use crate::summary::{Summary, scale};

/// p, two-sided, and where the difference of the means (new less base) lies with 99 %. Each side
/// has two values at least.
pub(super) fn test(base: &Sample, new: &Sample) -> (f64, (f64, f64)) {
    let scale = scale(&base.values).max(scale(&new.values));
    let [base, new] = [base, new].map(|side| Part::of(side, scale));
    let difference = new.mean - base.mean;
    let variance = base.variance + new.variance;
    if variance == 0.0 {
        let p = if difference == 0.0 { 1.0 } else { 0.0 };
        return (p, (difference * scale, difference * scale));
    }
    let error = variance.sqrt();
    // Divided first: the square of a small variance may be 0.
    let part = |side: &Part| (side.variance / variance).powi(2) / side.freedom;
    let freedom = 1.0 / (part(&base) + part(&new));
    let Ok(student) = StudentsT::new(0.0, 1.0, freedom) else {
        // The degrees of freedom are at least the lesser of the two sides', 1.
        return (1.0, (f64::NEG_INFINITY, f64::INFINITY));
    };
    let p = 2.0 * student.sf((difference / error).abs());
    let margin = student.inverse_cdf(1.0 - ALPHA / 2.0) * error;
    let interval = ((difference - margin) * scale, (difference + margin) * scale);
    (p.min(1.0), interval)
}

/// One side, divided by the scale.
struct Part {
    mean: f64,
    /// Of the mean.
    variance: f64,
    freedom: f64,
}

impl Part {
    /// The variance of a uniform distribution over the bucket's width is added to that of the mean,
    /// since runs that fall into one bucket all err alike. So two sides in neighbouring buckets
    /// do not differ, however many the runs.
    fn of(side: &Sample, scale: f64) -> Self {
        let scaled: Vec<f64> = side.values.iter().map(|value| value / scale).collect();
        let summary = Summary::of(&scaled);
        let n = scaled.len() as f64;
        let std = summary.std.unwrap_or(0.0);
        let width = side.resolution / scale;
        Self {
            mean: summary.mean,
            variance: std * std / n + width * width / 12.0,
            freedom: n - 1.0,
        }
    }
}
