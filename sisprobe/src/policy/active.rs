//! The policy that a running kernel goes by.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Policy;

/// Which policy bounds the search, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActivePolicy {
    /// The policy; none where it is one that sisprobe has no model of.
    pub policy: Option<Policy>,
    /// How that is known: `SIS_UTIL is on`.
    pub because: String,
}

impl ActivePolicy {
    /// The policy's name; `unknown` where sisprobe has no model of it.
    pub const fn name(&self) -> &'static str {
        match self.policy {
            Some(policy) => policy.name(),
            None => "unknown",
        }
    }
}

impl fmt::Display for ActivePolicy {
    /// With how it is known: `sis_util: SIS_UTIL is on`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.because)
    }
}
