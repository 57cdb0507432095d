//! What the policies go by, and what they make of it.

use serde::{Deserialize, Serialize};

use crate::policy::Policy;

/// The CPUs of a group at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct State {
    /// CPUs that were looked at.
    pub cpus: u32,
    /// CPUs that `idle_cpu` calls idle. The one that sisprobe runs on is not.
    pub idle_cpus: u32,
    /// Tasks on their run queues, those that run among them.
    pub nr_running: u64,
    /// Sum of `cpu_util_cfs`.
    pub sum_util: u64,
    /// Sum of `arch_scale_cpu_capacity`: 1024 for each CPU of full size.
    pub capacity: u64,
    /// Sum of `capacity_of`: what RT and deadline tasks and interrupts leave to the fair class.
    pub fair_capacity: u64,
    /// What the kernel has stored for the LLC; only where the group is an LLC with a domain.
    pub llc: Option<LlcSaid>,
}

impl State {
    /// Part of the capacity that is in use, 0 to 1; 0 where there is none.
    pub fn utilisation(&self) -> f64 {
        if self.capacity == 0 {
            return 0.0;
        }
        self.sum_util as f64 / self.capacity as f64
    }
}

/// What the kernel has stored for one LLC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LlcSaid {
    /// CPUs of its domain: `sd_llc->span_weight`.
    pub weight: u32,
    /// `sd_llc->imbalance_pct`.
    pub imbalance_pct: u32,
    /// `sd_llc_shared->has_idle_cores`.
    pub has_idle_cores: bool,
    /// `sd_llc_shared->nr_idle_scan`; none before 6.0.
    pub nr_idle_scan: Option<u32>,
    /// What `nr_idle_scan` would be if it were computed now. The kernel computes it in periodic
    /// load balance only.
    pub nr_idle_scan_now: u32,
    /// `rq->avg_idle` of its CPUs, in ns.
    pub avg_idle: Option<Spread>,
    /// `rq->wake_avg_idle` of its CPUs, in ns, aged; none but for 5.14 to 6.6.
    pub wake_avg_idle: Option<Spread>,
    /// `sd_llc->avg_scan_cost` of its CPUs, in ns; none from 6.7.
    pub avg_scan_cost: Option<Spread>,
}

/// A value that differs from CPU to CPU.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub least: u64,
    /// The greatest.
    pub most: u64,
}

impl Spread {
    /// Of `values`; none where there is none.
    pub fn of(values: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut values = values.into_iter();
        let first = values.next()?;
        let (mut spread, mut sum, mut count) = (
            Self {
                mean: 0.0,
                least: first,
                most: first,
            },
            u128::from(first),
            1_u64,
        );
        for value in values {
            spread.least = spread.least.min(value);
            spread.most = spread.most.max(value);
            sum += u128::from(value);
            count += 1;
        }
        spread.mean = sum as f64 / count as f64;
        Some(spread)
    }
}

/// What one policy says of an LLC's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prediction {
    /// The policy.
    pub policy: Policy,
    /// How far it would let a search look.
    #[serde(flatten)]
    pub predicted: Predicted,
}

/// How far a policy would let a linear scan look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Predicted {
    /// The greatest number of CPUs that one search may look at.
    Depth {
        /// Over the CPUs that a search may run on: they differ for policies that go by times.
        cpus: Spread,
        /// Part of those CPUs on which there would be a search at all, 0 to 1.
        searching: f64,
    },
    /// It cannot be told here, and why: what this kernel lacks.
    NotAvailable(String),
}

impl Predicted {
    /// The mean number of CPUs; none where it cannot be told.
    pub const fn cpus(&self) -> Option<f64> {
        match self {
            Self::Depth { cpus, .. } => Some(cpus.mean),
            Self::NotAvailable(_) => None,
        }
    }
}
