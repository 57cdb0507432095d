//! What the policies go by, of one CPU after the other.
//!
//! Nothing is computed here and almost nothing decided: each branch in a loop multiplies the
//! verifier's work, up to 6.1 beyond what it takes on.

use aya_ebpf::helpers::generated::bpf_jiffies64;
use sisprobe_common::{
    layout::ABSENT,
    load::{CHUNK, CpuLoad},
};

use crate::{
    kernel::{features, member_or_zero, read_or_zero},
    maps::{LOAD, layout, load_layout},
};

/// `SCHED_CAPACITY_SCALE`.
const FULL_SIZE: u64 = 1024;

/// Looks at `count` CPUs, at most [`CHUNK`], from `first` on.
#[inline(always)]
pub fn sample(first: u32, count: u32) {
    let util_est = if util_est_is_on() { u64::MAX } else { 0 };
    for index in 0..CHUNK {
        if index >= count {
            break;
        }
        let cpu = first + index;
        let Some(load) = LOAD.get_ptr_mut(cpu) else {
            break;
        };
        // SAFETY: a valid map entry; user space asks for one run at a time.
        look(cpu, util_est, unsafe { &mut *load });
    }
}

/// `sched_feat(UTIL_EST)`; on, as by default, where it cannot be told.
#[inline(always)]
fn util_est_is_on() -> bool {
    let mask = layout!(util_est);
    layout!(sched_features) == 0 || mask == 0 || features() & mask != 0
}

#[inline(always)]
fn look(cpu: u32, util_est: u64, load: &mut CpuLoad) {
    let base: u64 = read_or_zero(layout!(per_cpu_offset) + u64::from(cpu) * 8);
    let rq = base.wrapping_add(layout!(runqueues));
    load.util_avg = member_or_zero(rq, load_layout!(util_avg));
    let estimate: u32 = member_or_zero(rq, load_layout!(util_est));
    load.util_est = u64::from(estimate) & util_est;
    load.capacity = member_or_zero(rq, load_layout!(cpu_capacity));
    load.capacity_orig = capacity_orig(base, rq);
    load.avg_idle = member_or_zero(rq, layout!(avg_idle));
    load.wake_avg_idle = member_or_zero(rq, layout!(wake_avg_idle));
    load.wake_stamp = member_or_zero(rq, layout!(wake_stamp));
    // SAFETY: the helper has no precondition.
    load.jiffies = unsafe { bpf_jiffies64() };
    load.nr_running = member_or_zero(rq, load_layout!(nr_running));
    load.occupied = occupied(rq, load.nr_running);
    // Reads relative to a null pointer fail and give 0, as they should.
    let domain: u64 = read_or_zero(base.wrapping_add(layout!(sd_llc)));
    load.span_weight = member_or_zero(domain, layout!(span_weight));
    load.imbalance_pct = member_or_zero(domain, load_layout!(imbalance_pct));
    load.avg_scan_cost = member_or_zero(domain, layout!(avg_scan_cost));
    let shared: u64 = read_or_zero(base.wrapping_add(layout!(sd_llc_shared)));
    load.has_idle_cores = member_or_zero(shared, layout!(has_idle_cores));
    load.nr_idle_scan = member_or_zero(shared, layout!(nr_idle_scan));
}

/// `arch_scale_cpu_capacity`.
#[inline(always)]
fn capacity_orig(base: u64, rq: u64) -> u64 {
    if load_layout!(cpu_capacity_orig) != ABSENT {
        return member_or_zero(rq, load_layout!(cpu_capacity_orig));
    }
    match load_layout!(cpu_scale) {
        0 => FULL_SIZE,
        scale => read_or_zero(base.wrapping_add(scale)),
    }
}

/// What `idle_cpu` (kernel/sched/syscalls.c, or core.c) asks, in one.
#[inline(always)]
fn occupied(rq: u64, nr_running: u32) -> u64 {
    let curr: u64 = member_or_zero(rq, load_layout!(curr));
    let idle: u64 = member_or_zero(rq, load_layout!(idle));
    let pending: u32 = member_or_zero(rq, load_layout!(ttwu_pending));
    (curr ^ idle) | u64::from(nr_running | pending)
}
