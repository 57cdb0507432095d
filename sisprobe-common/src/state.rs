//! Per-CPU state of the wake-up under way, and what went wrong on that CPU.

use crate::Plain;

/// Where a CPU is on its way through one wake-up.
pub mod phase {
    /// Not inside `select_task_rq_fair`.
    pub const OUTSIDE: u32 = 0;
    /// Inside it, before a search.
    pub const ENTERED: u32 = 1;
    /// Inside the search of the LLC domain.
    pub const SEARCHING: u32 = 2;
    /// The search has returned (fidelity `exact` only).
    pub const SEARCHED: u32 = 3;
}

/// Whether the search found a CPU, where its return value tells.
pub mod found {
    /// Its return was not seen.
    pub const UNKNOWN: u32 = 0;
    /// It returned a CPU.
    pub const YES: u32 = 1;
    /// It returned none.
    pub const NO: u32 = 2;
}

/// Most `select_idle_core` calls of one search whose times are kept.
pub const CORE_CALLS: usize = 256;

/// `sched_domain_shared` of one LLC as a search began.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Shared {
    /// 1 where it could be read.
    pub known: u32,
    /// `has_idle_cores`.
    pub has_idle_cores: u32,
    /// `nr_idle_scan`.
    pub nr_idle_scan: u32,
    /// The LLC it belongs to, as in [`CpuInfo::llc`].
    pub llc: u32,
}

/// Events that could not be counted where they belong.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Health {
    /// Entries of `select_task_rq_fair` whose return was never seen.
    pub unmatched_entries: u64,
    /// Returns whose entry was never seen.
    pub unmatched_exits: u64,
    /// Searches that began outside a wake-up.
    pub searches_outside: u64,
    /// `select_idle_core` calls of one search beyond [`CORE_CALLS`], whose times were dropped.
    pub core_calls_dropped: u64,
}

/// One CPU's state. Only that CPU writes it, with interrupts off.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CpuState {
    /// One of [`phase`].
    pub phase: u32,
    /// CPUs looked at in this search (or in this wake-up, with fidelity `bracketed`).
    pub looked: u32,
    /// How many of the last CPUs looked at in a row were idle.
    pub idle_run: u32,
    /// The wake flags of this wake-up (`WF_*`, kernel/sched/sched.h).
    pub wake_flags: u32,
    /// The task's previous CPU.
    pub prev_cpu: u32,
    /// 1 while a `select_idle_core` call is being timed.
    pub in_core: u32,
    /// One of [`found`].
    pub found: u32,
    /// `select_idle_core` calls of this search whose times are in `core_took`.
    pub core_calls: u32,
    /// Address of the `task_struct` that is being woken.
    pub task: u64,
    /// When the search (or the wake-up, with fidelity `bracketed`) began: `bpf_ktime_get_ns`.
    pub began: u64,
    /// How the policy that was active as the search began bounds it: see [`crate::budget::rule`].
    pub rule: u32,
    /// Not used: keeps what follows aligned.
    pub reserved: u32,
    /// The idle time, in ns, by which that rule goes, if it goes by one.
    pub avg_idle: u64,
    /// `sd_llc->avg_scan_cost` of the waking CPU, in ns, for such a rule.
    pub avg_scan_cost: u64,
    /// How long the search took, in ns, once it has returned (fidelity `exact`).
    pub took: u64,
    /// When the `select_idle_core` call that is being timed began.
    pub core_began: u64,
    /// The waking CPU's LLC.
    pub here: Shared,
    /// The previous CPU's LLC.
    pub prev: Shared,
    /// How long each `select_idle_core` call took, in ns: counted once the LLC is known.
    pub core_took: [u32; CORE_CALLS],
    /// What went wrong.
    pub health: Health,
}

// SAFETY: `repr(C)`; the u32 fields come in pairs, so there is no padding.
unsafe impl Plain for CpuState {}

/// The away slot of CPUs whose LLC is not known.
pub const UNKNOWN_LLC: u32 = 0;

/// What user space tells the kernel side of each CPU.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuInfo {
    /// The away slot of the CPU's LLC, or [`UNKNOWN_LLC`].
    pub llc: u32,
    /// Online CPUs of its core, itself included.
    pub smt_width: u32,
}

// SAFETY: `repr(C)`, two u32.
unsafe impl Plain for CpuInfo {}
