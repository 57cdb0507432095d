//! What a policy may ask about an LLC.

use serde::{Deserialize, Serialize};

/// Capacity of one CPU of full size: `SCHED_CAPACITY_SCALE`.
pub const CAPACITY: u64 = 1024;

/// An LLC at one moment, as one search sees it: all that any policy reads.
///
/// Times are those of the CPU on which the wake-up runs: the kernel reads its run queue and its
/// `sd_llc`, not those of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LlcState {
    /// CPUs of the LLC: `sd_llc_size`, equal to `sd_llc->span_weight`. The kernel has no LLC
    /// domain, and so no search, where it is 1; the models compute it all the same.
    pub weight: u32,
    /// CPUs of the LLC that the task may use: weight of `sched_domain_span(sd_llc) & p->cpus_ptr`.
    /// More than [`Self::weight`] counts as all.
    pub allowed: u32,
    /// Sum of `cpu_util_cfs` over the CPUs of the LLC, 0 to [`CAPACITY`] each.
    pub sum_util: u64,
    /// Sum of the capacities of the CPUs of the LLC, [`CAPACITY`] each where they are of full
    /// size. It may be less: RT and deadline tasks, interrupts and small CPUs take from it.
    pub total_capacity: u64,
    /// `sd_llc->imbalance_pct`: 117 for a domain that shares an LLC, 110 for one of SMT siblings.
    pub imbalance_pct: u32,
    /// `rq->avg_idle`, in ns.
    pub avg_idle: Option<u64>,
    /// `rq->wake_avg_idle`, in ns, aged as [`sisprobe_common::budget::aged`] does; 5.14 to 6.6.
    pub wake_avg_idle: Option<u64>,
    /// `sd_llc->avg_scan_cost`, in ns; up to 6.6.
    pub avg_scan_cost: Option<u64>,
    /// CPUs of the target's core: weight of `cpu_smt_mask(target)`, 1 without SMT.
    pub smt: u32,
    /// What `test_idle_cores(target)` says: never true without SMT.
    pub has_idle_cores: bool,
}

impl LlcState {
    /// An LLC of `weight` CPUs of full size, all allowed, of which none has anything to do; with
    /// the usual `imbalance_pct`, without SMT, and with no times known.
    pub fn unused(weight: u32) -> Self {
        Self {
            weight,
            allowed: weight,
            sum_util: 0,
            total_capacity: u64::from(weight) * CAPACITY,
            imbalance_pct: 117,
            avg_idle: None,
            wake_avg_idle: None,
            avg_scan_cost: None,
            smt: 1,
            has_idle_cores: false,
        }
    }

    /// The same with `percent` of the total capacity in use, rounded up: a policy that computes
    /// the percentage again, rounded down, gets this one.
    pub fn at(&self, percent: u32) -> Self {
        let used = (u128::from(self.total_capacity) * u128::from(percent)).div_ceil(100);
        Self {
            sum_util: u64::try_from(used).unwrap_or(u64::MAX),
            ..self.clone()
        }
    }

    /// The most CPUs that a linear scan can look at.
    pub(super) fn scannable(&self) -> u32 {
        self.allowed.min(self.weight)
    }

    /// The most CPUs that the search for an idle core can look at. `select_idle_core` begins with
    /// an allowed CPU and looks at its siblings whether allowed or not, each core once.
    pub(super) fn core_scannable(&self) -> u32 {
        self.allowed
            .saturating_mul(self.smt.max(1))
            .min(self.weight)
    }
}
