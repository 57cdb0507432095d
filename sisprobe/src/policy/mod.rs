//! How far a search may look: every policy that the kernel has had, or that was proposed for it,
//! as a pure function of the LLC's state. Integer for integer as the kernel computes it: see
//! docs/policies.md.
//!
//! The models take the place of the policy in today's `select_idle_cpu` (5.12 on), where a search
//! looks either for an idle core, which no budget bounds, or for an idle CPU.

mod active;
mod choice;
mod curve;
mod depth;
pub mod full;
pub mod no_core;
pub mod sis_avg_cpu;
pub mod sis_core_window;
pub mod sis_prop;
pub mod sis_util;
pub mod sis_util_85;
pub mod sis_util_exp;
pub mod sis_util_linear;
pub mod sis_util_quad;
mod state;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::{
    active::ActivePolicy,
    choice::Choice,
    curve::{Curve, Line, Measured},
    depth::{Budget, Depth},
    state::{CAPACITY, LlcState},
};

/// A policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// [`full::depth`].
    Full,
    /// [`sis_avg_cpu::depth`].
    SisAvgCpu,
    /// [`sis_prop::depth_avg_idle`].
    SisPropAvgIdle,
    /// [`sis_prop::depth`].
    SisProp,
    /// [`no_core::depth`].
    NoCore,
    /// [`sis_core_window::depth`].
    SisCoreWindow,
    /// [`sis_util_85::depth`].
    #[serde(rename = "sis_util_85")]
    SisUtil85,
    /// [`sis_util_linear::depth`].
    SisUtilLinear,
    /// [`sis_util_exp::depth`].
    SisUtilExp,
    /// [`sis_util_quad::depth`].
    SisUtilQuad,
    /// [`sis_util_quad::depth_small_llc`].
    SisUtilQuadSmallLlc,
    /// [`sis_util::depth`].
    SisUtil,
}

/// There is no policy of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no policy {0:?}; there are {names}", names = names())]
pub struct UnknownPolicy(String);

impl Policy {
    /// All of them, in the order in which they came up.
    pub const ALL: [Self; 12] = [
        Self::Full,
        Self::SisAvgCpu,
        Self::SisPropAvgIdle,
        Self::SisProp,
        Self::NoCore,
        Self::SisCoreWindow,
        Self::SisUtil85,
        Self::SisUtilLinear,
        Self::SisUtilExp,
        Self::SisUtilQuad,
        Self::SisUtilQuadSmallLlc,
        Self::SisUtil,
    ];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::SisAvgCpu => "sis_avg_cpu",
            Self::SisPropAvgIdle => "sis_prop_avg_idle",
            Self::SisProp => "sis_prop",
            Self::NoCore => "no_core",
            Self::SisCoreWindow => "sis_core_window",
            Self::SisUtil85 => "sis_util_85",
            Self::SisUtilLinear => "sis_util_linear",
            Self::SisUtilExp => "sis_util_exp",
            Self::SisUtilQuad => "sis_util_quad",
            Self::SisUtilQuadSmallLlc => "sis_util_quad_small_llc",
            Self::SisUtil => "sis_util",
        }
    }

    /// How its number becomes a number of CPUs.
    pub const fn budget(self) -> Budget {
        match self {
            Self::Full | Self::SisAvgCpu | Self::SisUtil85 => Budget::Weight,
            Self::SisPropAvgIdle | Self::SisProp | Self::SisCoreWindow | Self::SisUtilLinear => {
                Budget::NrMinusOne
            }
            Self::SisUtilExp | Self::SisUtilQuad | Self::SisUtilQuadSmallLlc | Self::SisUtil => {
                Budget::NrIdleScan
            }
            Self::NoCore => Budget::Constant,
        }
    }

    /// Whether a search looks for an idle core where the LLC claims to have one; `is_searched`
    /// where the policy's number for the linear scan is not 0.
    pub const fn seeks_idle_cores(self, is_searched: bool) -> bool {
        match self {
            Self::NoCore => false,
            Self::SisUtil85
            | Self::SisUtilExp
            | Self::SisUtilQuad
            | Self::SisUtilQuadSmallLlc
            | Self::SisUtil => is_searched,
            Self::Full
            | Self::SisAvgCpu
            | Self::SisPropAvgIdle
            | Self::SisProp
            | Self::SisCoreWindow
            | Self::SisUtilLinear => true,
        }
    }

    /// How far a search of `state` may look. An LLC of no CPUs is not searched.
    pub fn depth(self, state: &LlcState) -> Depth {
        if state.weight == 0 {
            return Depth::NoSearch;
        }
        match self {
            Self::Full => full::depth(state),
            Self::SisAvgCpu => sis_avg_cpu::depth(state),
            Self::SisPropAvgIdle => sis_prop::depth_avg_idle(state),
            Self::SisProp => sis_prop::depth(state),
            Self::NoCore => no_core::depth(state),
            Self::SisCoreWindow => sis_core_window::depth(state),
            Self::SisUtil85 => sis_util_85::depth(state),
            Self::SisUtilLinear => sis_util_linear::depth(state),
            Self::SisUtilExp => sis_util_exp::depth(state),
            Self::SisUtilQuad => sis_util_quad::depth(state),
            Self::SisUtilQuadSmallLlc => sis_util_quad::depth_small_llc(state),
            Self::SisUtil => sis_util::depth(state),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.name() == text)
            .ok_or_else(|| UnknownPolicy(text.to_owned()))
    }
}

fn names() -> String {
    Policy::ALL.map(Policy::name).join(", ")
}
