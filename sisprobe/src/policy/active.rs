//! The policy that a running kernel goes by.

use serde::{Deserialize, Serialize};

use super::Policy;

/// Which policy bounds the search, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivePolicy {
    /// The policy; none where it is one that sisprobe has no model of.
    pub policy: Option<Policy>,
    /// How that is known: `SIS_UTIL is on`.
    pub because: String,
}
