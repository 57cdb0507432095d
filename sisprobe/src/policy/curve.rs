//! Predicted depth over utilisation.

use serde::Serialize;

use super::{Budget, Choice, Depth, LlcState, Policy};

/// What policies say of one LLC as its utilisation rises.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The LLC; its own utilisation does not matter.
    #[serde(skip)]
    pub llc: LlcState,
    /// Utilisation in percent of the LLC's capacity, rising from 0 to 100.
    pub utilisation: Vec<u32>,
    /// One for each policy.
    pub policies: Vec<Line>,
    /// What was measured, to be shown beside it.
    pub measured: Vec<Measured>,
}

/// What searches did in some span of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Where and when, in a few words: what has the same label is one series.
    pub label: String,
    /// Utilisation in percent of the LLC's capacity, over that time.
    pub utilisation_percent: f64,
    /// Mean number of CPUs that a search looked at; a search that the policy skipped counts 0.
    pub scanned_mean: f64,
}

/// What one policy says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The policy.
    pub policy: Policy,
    /// How its number becomes a number of CPUs.
    pub budget: Budget,
    /// What is missing, where it cannot be told.
    pub needs: Option<&'static str>,
    /// The greatest number of CPUs that one search may look at, for each utilisation; 0 where
    /// there is no search. Empty where it cannot be told.
    pub depth: Vec<u32>,
}

impl Curve {
    /// What the policies of `choice` say of `llc` at 0, `step`, 2 `step`, … and 100 percent.
    pub fn new(llc: LlcState, choice: &Choice, step: u32) -> Self {
        let mut utilisation: Vec<u32> = (0..100).step_by(step.max(1) as usize).collect();
        utilisation.push(100);
        let policies = choice
            .policies()
            .iter()
            .map(|&policy| Line::new(policy, &llc, &utilisation))
            .collect();
        Self {
            llc,
            utilisation,
            policies,
            measured: Vec::new(),
        }
    }

    /// The same with what was measured.
    #[must_use]
    pub fn with_measured(self, measured: Vec<Measured>) -> Self {
        Self { measured, ..self }
    }
}

impl Line {
    fn new(policy: Policy, llc: &LlcState, utilisation: &[u32]) -> Self {
        let mut line = Self {
            policy,
            budget: policy.budget(),
            needs: None,
            depth: Vec::with_capacity(utilisation.len()),
        };
        for &percent in utilisation {
            match policy.depth(&llc.at(percent)) {
                Depth::NoSearch => line.depth.push(0),
                Depth::AtMost(cpus) => line.depth.push(cpus),
                // Utilisation is never what is missing, so the first is as all others.
                Depth::Unavailable { needs } => {
                    line.needs = Some(needs);
                    break;
                }
            }
        }
        line
    }
}
