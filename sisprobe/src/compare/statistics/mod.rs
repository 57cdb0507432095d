//! Whether two sides differ, or only their runs do.
//!
//! The runs are the unit: each gives one value. A difference is told where chance alone would give
//! one like it in less than 1 % of such pairs ([`ALPHA`]), by one of two tests:
//!
//! - **The Mann–Whitney test**, exact, where both sides have 5 runs or more. It goes by the order
//!   of the values alone and so takes no shape of their distribution for granted, which times of
//!   benchmarks seldom have. With ties it goes over all ways to deal out the midranks.
//! - **Welch's t-test** with fewer runs, from 2 and 2 on. There no test by ranks can reach 1 %
//!   (of 3 and 3 runs one in ten pairs is without an overlap by chance), and a bootstrap of 3
//!   values covers far too little. It takes the runs to be normally distributed; where they have a
//!   long tail it errs towards "no difference". Where they fall into two modes it cannot know that:
//!   of 3 and 3 runs, one pair in 32 has a mode for each side.
//!
//! With one run on a side nothing can be said. A value that is read out of a bucket is known no
//! better than to the width of that bucket, see [`Sample::resolution`].

mod rank;
#[cfg(test)]
mod tests;
mod welch;

use serde::Serialize;

pub use crate::summary::Summary;

/// How often a difference may be told where there is none.
pub const ALPHA: f64 = 0.01;
/// Runs that both sides must have for the Mann–Whitney test: with 5 and 5 its least p is 0.0079.
const RANKED_FROM: usize = 5;

/// What the runs of one side gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// One finite value for each run.
    pub values: Vec<f64>,
    /// The width of the widest bucket that one of them was read out of; 0 where they are exact.
    pub resolution: f64,
}

/// How two sides were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Welch's t-test.
    Welch,
    /// The Mann–Whitney test.
    MannWhitney,
}

/// What can be said of the difference between two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// By which test; none with one run on a side.
    pub test: Option<Test>,
    /// How often chance alone gives a difference like this, 0 to 1; none without a test, and where
    /// the difference is no more than a bucket, of which ranks cannot tell.
    pub p: Option<f64>,
    /// Where the difference of the means (new less base) lies with 99 %; of Welch's test only.
    pub interval: Option<(f64, f64)>,
}

impl Answer {
    const NONE: Self = Self {
        test: None,
        p: None,
        interval: None,
    };

    /// Whether the two differ by more than chance.
    pub fn differs(&self) -> bool {
        self.p.is_some_and(|p| p < ALPHA)
    }
}

/// Compares two sides.
pub fn compare(base: &Sample, new: &Sample) -> Answer {
    let least = base.values.len().min(new.values.len());
    if least < 2 {
        return Answer::NONE;
    }
    if least < RANKED_FROM {
        let (p, interval) = welch::test(base, new);
        return Answer {
            test: Some(Test::Welch),
            p: Some(p),
            interval: Some(interval),
        };
    }
    Answer {
        test: Some(Test::MannWhitney),
        p: is_told(base, new).then(|| rank::p(&base.values, &new.values)),
        interval: None,
    }
}

/// Whether the means differ by more than a bucket, where there are buckets.
fn is_told(base: &Sample, new: &Sample) -> bool {
    let resolution = base.resolution.max(new.resolution);
    let difference = Summary::of(&base.values).mean - Summary::of(&new.values).mean;
    resolution == 0.0 || difference == 0.0 || difference.abs() > resolution
}
