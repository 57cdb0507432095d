//! Policies that were never merged, as code of our own for select_idle_cpu.

use std::str::FromStr;

use anyhow::{Result, bail};

mod edits;

pub(super) use edits::edits;

/// A policy that was never merged. What each does is told in its file beside this one, and in
/// docs/policies.md; the number of CPUs is that of its model in `sisprobe/src/policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// A straight line down to half of the capacity.
    Linear,
    /// All or nothing at 85 % of the capacity.
    Util85,
    /// A parabola in percent.
    Quad,
    /// A curve that falls faster the more the LLC is used.
    Exp,
    /// From one core's CPUs to two cores'.
    CoreWindow,
    /// Four CPUs, and no search for an idle core.
    NoCore,
}

impl Policy {
    /// All of them. Where the features of several are on, the first acts.
    pub const ALL: [Self; 6] = [
        Self::Linear,
        Self::Util85,
        Self::Quad,
        Self::Exp,
        Self::CoreWindow,
        Self::NoCore,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Util85 => "util85",
            Self::Quad => "quad",
            Self::Exp => "exp",
            Self::CoreWindow => "core-window",
            Self::NoCore => "no-core",
        }
    }

    /// The scheduler feature that turns it on.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Linear => "SIS_UTIL_LINEAR",
            Self::Util85 => "SIS_UTIL_85",
            Self::Quad => "SIS_UTIL_QUAD",
            Self::Exp => "SIS_UTIL_EXP",
            Self::CoreWindow => "SIS_CORE_WINDOW",
            Self::NoCore => "SIS_NO_CORE",
        }
    }

    /// Its C code: a function `FEATURE_search` in lower case, and `FEATURE_nr` where it goes by
    /// utilisation.
    const fn code(self) -> &'static str {
        match self {
            Self::Linear => include_str!("linear.c"),
            Self::Util85 => include_str!("util85.c"),
            Self::Quad => include_str!("quad.c"),
            Self::Exp => include_str!("exp.c"),
            Self::CoreWindow => include_str!("core_window.c"),
            Self::NoCore => include_str!("no_core.c"),
        }
    }

    /// Whether load balance computes its number and stores it as `nr_idle_scan`.
    const fn goes_by_utilisation(self) -> bool {
        matches!(self, Self::Linear | Self::Util85 | Self::Quad | Self::Exp)
    }

    /// Whether its scan begins where the last one ended.
    const fn has_window(self) -> bool {
        matches!(self, Self::CoreWindow | Self::NoCore)
    }
}

/// The policies of a kernel, without repetition, as they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies(Vec<Policy>);

impl Policies {
    /// Every policy.
    pub fn all() -> Self {
        Self(Policy::ALL.to_vec())
    }

    /// The one whose feature is on at boot: the first that was named.
    pub fn first(&self) -> Option<Policy> {
        self.0.first().copied()
    }

    /// What a kernel with these is called after its series, if not otherwise; `kind` where there
    /// are none.
    pub(super) fn kind(&self, inline: bool) -> String {
        let policies = match self.0[..] {
            [] => return if inline { "inline" } else { "exact" }.into(),
            [one] => one.name(),
            _ => "policies",
        };
        let suffix = if inline { "-inline" } else { "" };
        format!("{policies}{suffix}")
    }

    /// In the order in which they act.
    fn by_precedence(&self) -> Vec<Policy> {
        let mut policies = self.0.clone();
        policies.sort_unstable();
        policies
    }
}

impl FromStr for Policies {
    type Err = anyhow::Error;

    /// `all`, or names with commas between.
    fn from_str(text: &str) -> Result<Self> {
        if text == "all" {
            return Ok(Self::all());
        }
        let mut policies = Vec::new();
        for name in text.split(',') {
            let Some(policy) = Policy::ALL.into_iter().find(|policy| policy.name() == name) else {
                bail!(
                    "there is no policy {name:?}; there are {}, or all",
                    Policy::ALL.map(Policy::name).join(", ")
                );
            };
            if !policies.contains(&policy) {
                policies.push(policy);
            }
        }
        Ok(Self(policies))
    }
}

#[cfg(test)]
mod tests {
    use super::{Policies, Policy};

    fn policies(text: &str) -> Policies {
        text.parse().expect("policies")
    }

    #[test]
    fn policies_are_named_with_commas_or_all() {
        let some = policies("no-core,util85,no-core");
        assert_eq!(some, Policies(vec![Policy::NoCore, Policy::Util85]));
        assert_eq!(some.first(), Some(Policy::NoCore));
        assert_eq!(some.by_precedence(), [Policy::Util85, Policy::NoCore]);
        assert_eq!(policies("all"), Policies(Policy::ALL.to_vec()));
        assert_eq!(Policies::default().first(), None);
        for policy in Policy::ALL {
            assert_eq!(policies(policy.name()).first(), Some(policy));
        }
    }

    #[test]
    fn an_unknown_one_is_answered_with_those_there_are() {
        for text in ["", "sis", "linear,", "linear,all"] {
            let error = text.parse::<Policies>().expect_err(text).to_string();
            assert!(error.contains("core-window"), "{error}");
        }
    }

    #[test]
    fn kernels_are_named_by_what_is_in_them() {
        assert_eq!(Policies::default().kind(false), "exact");
        assert_eq!(Policies::default().kind(true), "inline");
        assert_eq!(policies("linear").kind(false), "linear");
        assert_eq!(policies("linear,exp").kind(false), "policies");
        assert_eq!(policies("all").kind(true), "policies-inline");
    }
}
