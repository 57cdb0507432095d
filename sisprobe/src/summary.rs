//! Mean and deviation of what several runs told. Pure.

use serde::Serialize;

/// Several runs in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The value of each run.
    pub values: Vec<f64>,
    /// Their mean; 0 of nothing.
    pub mean: f64,
    /// Their standard deviation, of a sample (n - 1); none of fewer than two.
    pub std: Option<f64>,
}

impl Summary {
    /// Of these values.
    pub fn of(values: &[f64]) -> Self {
        // Neither the sum nor a square of numbers of at most 1 overflows.
        let scale = scale(values);
        let scaled = || values.iter().map(|value| value / scale);
        let n = values.len() as f64;
        let mean = if values.is_empty() {
            0.0
        } else {
            scaled().sum::<f64>() / n
        };
        let squares: f64 = scaled().map(|value| (value - mean).powi(2)).sum();
        Self {
            values: values.to_vec(),
            mean: mean * scale,
            std: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt() * scale),
        }
    }

    /// How many runs there were.
    pub const fn runs(&self) -> usize {
        self.values.len()
    }

    /// The standard deviation in percent of the mean; none where either is not known or the mean
    /// is 0.
    pub fn std_percent(&self) -> Option<f64> {
        let percent = self.std? / self.mean.abs() * 100.0;
        percent.is_finite().then_some(percent)
    }
}

/// The greatest of the values without their signs; 1 where all are 0.
pub(crate) fn scale(values: &[f64]) -> f64 {
    let greatest = values
        .iter()
        .fold(0.0, |most: f64, value| most.max(value.abs()));
    // What is less than this has no reciprocal.
    if greatest < f64::MIN_POSITIVE {
        1.0
    } else {
        greatest
    }
}
