//! What a policy answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::LlcState;

/// How far one search may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// The domain is not searched: neither for an idle core nor for an idle CPU.
    NoSearch,
    /// The greatest number of CPUs that one search may look at, 0 to the LLC's weight.
    AtMost(u32),
    /// The policy cannot be told without what is named, in the kernel's words.
    Unavailable {
        /// All that the policy needs besides the LLC's size and utilisation.
        needs: &'static str,
    },
}

impl Depth {
    /// The number of CPUs, 0 where there is no search; none where it cannot be told.
    pub const fn cpus(self) -> Option<u32> {
        match self {
            Self::NoSearch => Some(0),
            Self::AtMost(cpus) => Some(cpus),
            Self::Unavailable { .. } => None,
        }
    }

    /// [`Budget::Weight`].
    pub(super) fn weight(state: &LlcState) -> Self {
        Self::bounded(state, u64::from(state.weight))
    }

    /// [`Budget::NrMinusOne`].
    pub(super) fn nr_minus_one(state: &LlcState, nr: u64) -> Self {
        Self::bounded(state, nr.saturating_sub(1))
    }

    /// [`Budget::NrIdleScan`].
    pub(super) fn nr_idle_scan(state: &LlcState, nr_idle_scan: u32) -> Self {
        match nr_idle_scan {
            0 => Self::NoSearch,
            nr => Self::bounded(state, u64::from(nr)),
        }
    }

    /// A linear scan of at most `budget` CPUs; where the LLC has idle cores, the search for one of
    /// them, which no budget bounds.
    fn bounded(state: &LlcState, budget: u64) -> Self {
        if state.has_idle_cores {
            return Self::AtMost(state.core_scannable());
        }
        let budget = u32::try_from(budget).unwrap_or(u32::MAX);
        Self::AtMost(budget.min(state.scannable()))
    }
}

/// How a policy's number becomes a number of CPUs looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// `if (!--nr) return -1` stands before the look: a budget of `nr` looks at `nr - 1` CPUs.
    NrMinusOne,
    /// The search gets `nr_idle_scan + 1` and so looks at `nr_idle_scan` CPUs; 0 is no search.
    NrIdleScan,
    /// No limit: all CPUs of the LLC that the task may use, or no search at all.
    Weight,
    /// A constant.
    Constant,
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NrMinusOne => "nr - 1",
            Self::NrIdleScan => "nr_idle_scan",
            Self::Weight => "weight",
            Self::Constant => "constant",
        })
    }
}
