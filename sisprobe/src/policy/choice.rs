//! Some policies, as they are chosen on the command line.

use std::str::FromStr;

use super::{Policy, UnknownPolicy};

/// Policies without repetition, in the order in which they were named; never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice(Vec<Policy>);

impl Choice {
    /// Every policy.
    pub fn all() -> Self {
        Self(Policy::ALL.to_vec())
    }

    /// The policies.
    pub fn policies(&self) -> &[Policy] {
        &self.0
    }
}

impl FromStr for Choice {
    type Err = UnknownPolicy;

    /// `all`, or names with commas between.
    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        if text == "all" {
            return Ok(Self::all());
        }
        let mut policies = Vec::new();
        for name in text.split(',') {
            let policy = name.trim().parse()?;
            if !policies.contains(&policy) {
                policies.push(policy);
            }
        }
        Ok(Self(policies))
    }
}
