//! Where the kernel side finds what it reads, resolved from BTF and kallsyms before load.

use crate::{Plain, budget::rule};

/// An offset that this kernel does not have.
pub const ABSENT: u32 = u32::MAX;

/// Most scheduler features that may bound a search.
pub const FEATURES: usize = 12;

/// Handed over as a global of the eBPF object.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Address of the array `__per_cpu_offset`.
    pub per_cpu_offset: u64,
    /// Offset of the per-CPU variable `sd_llc_shared`.
    pub sd_llc_shared: u64,
    /// Offset of the per-CPU variable `sd_llc`.
    pub sd_llc: u64,
    /// Offset of the per-CPU variable `runqueues`; used only where an offset into it is there.
    pub runqueues: u64,
    /// Address of `sysctl_sched_features`; 0 where it is not known, and then
    /// [`Self::otherwise`] tells the rule.
    pub sched_features: u64,
    /// Bit of `UTIL_EST` there; 0 where it is not known.
    pub util_est: u64,
    /// Byte offset of `sched_domain_shared::has_idle_cores` (int).
    pub has_idle_cores: u32,
    /// Byte offset of `sched_domain_shared::nr_idle_scan` (int), or [`ABSENT`] (before 6.0).
    pub nr_idle_scan: u32,
    /// Byte offset of `sched_domain::span_weight` (unsigned int).
    pub span_weight: u32,
    /// Byte offset of `sched_domain::span` (unsigned long array).
    pub span: u32,
    /// Byte offset of `task_struct::nr_cpus_allowed` (int).
    pub nr_cpus_allowed: u32,
    /// Byte offset of `task_struct::cpus_ptr` (const cpumask_t *).
    pub cpus_ptr: u32,
    /// How many CPUs are possible (the kernel's `nr_cpu_ids`).
    pub nr_cpu_ids: u32,
    /// 1 with fidelity `bracketed`: time and count the whole of `select_task_rq_fair`.
    pub bracketed: u32,
    /// Byte offset of `rq::avg_idle` (u64), or [`ABSENT`].
    pub avg_idle: u32,
    /// Byte offset of `rq::wake_avg_idle` (u64), or [`ABSENT`] (5.14 to 6.6 have it).
    pub wake_avg_idle: u32,
    /// Byte offset of `rq::wake_stamp` (unsigned long), or [`ABSENT`].
    pub wake_stamp: u32,
    /// Byte offset of `sched_domain::avg_scan_cost` (u64), or [`ABSENT`] (up to 6.6).
    pub avg_scan_cost: u32,
    /// The features that bound a search: the first that is on tells the rule. Those not used
    /// have no mask.
    pub features: [FeatureRule; FEATURES],
    /// The [`rule`] where none of them is on.
    pub otherwise: u32,
    /// 1 where `sysctl_sched_features` has 64 bits; else it has 32.
    pub wide_features: u32,
}

// SAFETY: `repr(C)`; the u32 fields come in pairs, so there is no padding.
unsafe impl Plain for Layout {}

/// A scheduler feature, and how it bounds a search where it is on.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureRule {
    /// Its bit in `sysctl_sched_features`.
    pub mask: u64,
    /// Address of `sched_feat_keys[…].enabled` (int), which is 1 while the kernel's code goes by
    /// the feature; 0 where there is no such key, and the bit alone tells.
    pub key: u64,
    /// One of [`rule`].
    pub rule: u32,
    /// Not used: keeps the size a multiple of 8.
    pub reserved: u32,
}

impl FeatureRule {
    /// No feature.
    pub const NONE: Self = Self {
        mask: 0,
        key: 0,
        rule: rule::UNKNOWN,
        reserved: 0,
    };
}

/// What the program that samples the load reads besides.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadLayout {
    /// Offset of the per-CPU variable `cpu_scale` (unsigned long), where there is one; else 0.
    pub cpu_scale: u64,
    /// Byte offset of `rq::nr_running` (unsigned int).
    pub nr_running: u32,
    /// Byte offset of `rq::curr` (struct task_struct *).
    pub curr: u32,
    /// Byte offset of `rq::idle` (struct task_struct *).
    pub idle: u32,
    /// Byte offset of `rq::ttwu_pending` (unsigned int), or [`ABSENT`].
    pub ttwu_pending: u32,
    /// Byte offset of `rq::cpu_capacity` (unsigned long).
    pub cpu_capacity: u32,
    /// Byte offset of `rq::cpu_capacity_orig` (unsigned long), or [`ABSENT`] (before 6.7 or so).
    pub cpu_capacity_orig: u32,
    /// Byte offset of `rq::cfs.avg.util_avg` (unsigned long).
    pub util_avg: u32,
    /// Byte offset of `rq::cfs.avg.util_est`, or of its member `enqueued` where it is a struct
    /// (unsigned int); or [`ABSENT`].
    pub util_est: u32,
    /// Byte offset of `sched_domain::imbalance_pct` (unsigned int).
    pub imbalance_pct: u32,
    /// Not used: keeps the size a multiple of 8.
    pub reserved: u32,
}

// SAFETY: `repr(C)`; the u32 fields come in pairs, so there is no padding.
unsafe impl Plain for LoadLayout {}
