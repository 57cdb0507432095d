//! Where the kernel side finds what it reads, resolved from BTF and kallsyms before load.

use crate::Plain;

/// An offset that this kernel does not have.
pub const ABSENT: u32 = u32::MAX;

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
}

// SAFETY: `repr(C)`; the u32 fields come in pairs, so there is no padding.
unsafe impl Plain for Layout {}
