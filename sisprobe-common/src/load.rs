//! What one look at a CPU's run queue and LLC domain found, as it stands there.

use crate::{Plain, budget::aged};

/// CPUs that one run of the sampling program looks at.
pub const CHUNK: u32 = 32;

/// One CPU as the last look found it. Values that this kernel does not have, or that could not be
/// read, are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuLoad {
    /// `rq->cfs.avg.util_avg`.
    pub util_avg: u64,
    /// `rq->cfs.avg.util_est`, or its member `enqueued`; 0 where `UTIL_EST` is off.
    pub util_est: u64,
    /// `capacity_of`: what RT and deadline tasks and interrupts leave of it to the fair class. At
    /// least 1, so that 0 tells a CPU that could not be read.
    pub capacity: u64,
    /// `arch_scale_cpu_capacity`: 1024 for a CPU of full size.
    pub capacity_orig: u64,
    /// `rq->avg_idle`, in ns.
    pub avg_idle: u64,
    /// `rq->wake_avg_idle`, in ns, as it was at `wake_stamp`.
    pub wake_avg_idle: u64,
    /// `rq->wake_stamp`, in jiffies.
    pub wake_stamp: u64,
    /// When the CPU was looked at, in jiffies.
    pub jiffies: u64,
    /// `sd_llc->avg_scan_cost`, in ns.
    pub avg_scan_cost: u64,
    /// 0 where `idle_cpu` would call it idle.
    pub occupied: u64,
    /// `rq->nr_running`: tasks of all classes.
    pub nr_running: u32,
    /// `sd_llc_shared->nr_idle_scan`.
    pub nr_idle_scan: u32,
    /// `sd_llc_shared->has_idle_cores`.
    pub has_idle_cores: u32,
    /// `sd_llc->imbalance_pct`.
    pub imbalance_pct: u32,
    /// `sd_llc->span_weight`; 0 where it has no LLC domain (an LLC of one CPU, an isolated CPU).
    pub span_weight: u32,
    /// Not used: keeps the size a multiple of 8.
    pub reserved: u32,
}

// SAFETY: `repr(C)`; the u32 fields come in pairs, so there is no padding.
unsafe impl Plain for CpuLoad {}

impl CpuLoad {
    /// Whether it could be read.
    pub const fn is_known(&self) -> bool {
        self.capacity != 0
    }

    /// Whether it has an LLC domain.
    pub const fn has_llc(&self) -> bool {
        self.span_weight != 0
    }

    /// `idle_cpu`: kernel/sched/syscalls.c, or core.c.
    pub const fn is_idle(&self) -> bool {
        self.occupied == 0
    }

    /// `cpu_util_cfs`: kernel/sched/sched.h, or fair.c.
    pub fn util(&self) -> u64 {
        self.util_avg.max(self.util_est).min(self.capacity_orig)
    }

    /// `wake_avg_idle` as a search at that moment would use it, in ns.
    pub const fn wake_avg_idle_now(&self) -> u64 {
        aged(self.wake_avg_idle, self.wake_stamp, self.jiffies)
    }
}
