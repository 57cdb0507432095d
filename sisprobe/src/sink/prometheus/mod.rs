//! An observation as metric families, in Prometheus's text format. The metrics are those of
//! [`crate::report::metrics`].

mod bounds;
mod family;
mod groups;
mod own;

#[cfg(test)]
mod docs;
#[cfg(test)]
pub(crate) mod tests;

use prometheus::{TextEncoder, proto::MetricFamily};

pub use self::bounds::{DurationBounds, MalformedBounds};
use crate::{policy::Policy, report::Observation};

/// What is shown of an observation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The buckets of durations.
    pub durations: DurationBounds,
    /// Policies that are predicted besides the active one.
    pub policies: Vec<Policy>,
}

/// Every metric of `observation`, by name.
pub fn families(observation: &Observation, options: &Options) -> Vec<MetricFamily> {
    let mut families = groups::families(observation, options);
    families.extend(own::families(observation));
    families
}

/// `families` in the text format, version 0.0.4, by name.
///
/// # Errors
///
/// A family that has no metric or no name: a fault of who made it.
pub fn text(mut families: Vec<MetricFamily>) -> Result<String, prometheus::Error> {
    families.sort_by(|one, other| one.name().cmp(other.name()));
    TextEncoder::new().encode_to_string(&families)
}
