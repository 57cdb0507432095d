//! What cannot be compared.

use thiserror::Error;

/// Why captures cannot be compared.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum CompareError {
    /// There is nothing to compare with.
    #[error("a comparison needs two captures at least: a base, and what is held against it")]
    One,
    /// A metric that is not the same on both sides.
    #[error(
        "the metric {name} is in {here} here and in {there} there, which cannot be compared; \
         choose others by --metric"
    )]
    Unlike {
        /// The metric.
        name: String,
        /// Unit and direction.
        here: String,
        /// Unit and direction elsewhere.
        there: String,
    },
    /// A metric that no capture has.
    #[error("there is no metric {name}; there are {there}")]
    Metric {
        /// What was asked for.
        name: String,
        /// What there is.
        there: String,
    },
    /// A group that a capture has not.
    #[error("{file} has no group {name}; it has {there}")]
    Group {
        /// What was asked for.
        name: String,
        /// The capture.
        file: String,
        /// What there is.
        there: String,
    },
    /// Two captures of one cell.
    #[error("{files} are both of the setting {setting} at {load}; leave one out")]
    Twice {
        /// The setting.
        setting: String,
        /// The load.
        load: String,
        /// Both files.
        files: String,
    },
    /// A side without a run that counts.
    #[error("there is no run of {0} that ended well, and so nothing to compare")]
    Nothing(String),
    /// All have runs, but none of the metrics chosen is on both sides of a pair.
    #[error(
        "the captures have no case, load and metric in common; 'sisprobe show FILE' tells what \
         each has"
    )]
    Apart,
}
