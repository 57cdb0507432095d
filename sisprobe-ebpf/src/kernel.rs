//! Reads of kernel memory, at the places that the layout names.

use core::ffi::c_void;

use aya_ebpf::helpers::{
    bpf_probe_read_kernel,
    generated::{bpf_jiffies64, bpf_probe_read_kernel as bpf_probe_read_kernel_raw},
};
use sisprobe_common::{
    budget::aged,
    layout::ABSENT,
    state::{Shared, UNKNOWN_LLC},
};

use crate::maps::{CPU_INFO, layout};

/// Words of a CPU mask that are looked at: 4,096 CPUs.
const MASK_WORDS: usize = 64;
/// Bits in a word of a CPU mask.
const WORD_BITS: u32 = 64;

/// Reads a `T` at kernel address `address`.
#[inline(always)]
fn read<T>(address: u64) -> Option<T> {
    // SAFETY: the helper checks the address; every T used here is an integer.
    unsafe { bpf_probe_read_kernel(address as *const T) }.ok()
}

/// Reads a `T` at kernel address `address`; 0 where that fails, without a branch, of which each
/// doubles the verifier's work in a loop.
#[inline(always)]
pub fn read_or_zero<T: Default>(address: u64) -> T {
    let mut value = T::default();
    // SAFETY: the helper writes no more than a T, checks the address, and fills with 0 where it
    // fails (kernel/trace/bpf_trace.c, `bpf_probe_read_kernel_common`); every T used here is an
    // integer.
    unsafe {
        bpf_probe_read_kernel_raw(
            (&raw mut value).cast(),
            size_of::<T>() as u32,
            address as *const c_void,
        );
    }
    value
}

/// As [`read_or_zero`], `offset` bytes from `base`; 0 also where this kernel has no such offset.
#[inline(always)]
pub fn member_or_zero<T: Default>(base: u64, offset: u32) -> T {
    if offset == ABSENT {
        return T::default();
    }
    read_or_zero(base + u64::from(offset))
}

/// The address of `cpu`'s copy of the per-CPU variable at `offset`.
#[inline(always)]
fn percpu(offset: u64, cpu: u32) -> Option<u64> {
    let base: u64 = read(layout!(per_cpu_offset) + u64::from(cpu) * 8)?;
    Some(base.wrapping_add(offset))
}

/// The pointer that the per-CPU variable at `offset` holds for `cpu`; none where it is null.
#[inline(always)]
pub fn percpu_pointer(offset: u64, cpu: u32) -> Option<u64> {
    let pointer: u64 = read(percpu(offset, cpu)?)?;
    (pointer != 0).then_some(pointer)
}

/// `sysctl_sched_features`: the features that are on. 0 where it cannot be read.
#[inline(always)]
pub fn features() -> u64 {
    let address = layout!(sched_features);
    if layout!(wide_features) != 0 {
        read_or_zero(address)
    } else {
        u64::from(read_or_zero::<u32>(address))
    }
}

/// The run queue of `cpu`: `cpu_rq` in kernel/sched/sched.h.
#[inline(always)]
pub fn run_queue(cpu: u32) -> Option<u64> {
    percpu(layout!(runqueues), cpu)
}

/// `wake_avg_idle` of run queue `rq`, in ns, aged as a search at this moment would age it; 0
/// where this kernel has none.
#[inline(always)]
pub fn wake_avg_idle(rq: u64) -> u64 {
    let idle = member_or_zero(rq, layout!(wake_avg_idle));
    let stamp = member_or_zero(rq, layout!(wake_stamp));
    // SAFETY: the helper has no precondition.
    aged(idle, stamp, unsafe { bpf_jiffies64() })
}

/// How many CPUs `cpu`'s LLC domain spans; 0 where it has none.
#[inline(always)]
pub fn span_weight(cpu: u32) -> u32 {
    percpu_pointer(layout!(sd_llc), cpu)
        .map_or(0, |domain| member_or_zero(domain, layout!(span_weight)))
}

/// `sched_domain_shared` of `cpu`'s LLC, as `per_cpu(sd_llc_shared, cpu)` in
/// kernel/sched/fair.c. Unknown where the CPU has no LLC domain or a read fails.
#[inline(always)]
pub fn shared(cpu: u32, llc: u32) -> Shared {
    let mut shared = Shared {
        known: 0,
        has_idle_cores: 0,
        nr_idle_scan: 0,
        llc,
    };
    let Some(pointer) = percpu_pointer(layout!(sd_llc_shared), cpu) else {
        return shared;
    };
    if let Some(has) = read(pointer + u64::from(layout!(has_idle_cores))) {
        shared.has_idle_cores = has;
        shared.known = 1;
    }
    shared.nr_idle_scan = member_or_zero(pointer, layout!(nr_idle_scan));
    shared
}

/// How many CPUs a search for `task` could look at in `cpu`'s LLC: the weight of
/// `sched_domain_span(sd_llc) & p->cpus_ptr`, as select_idle_cpu forms it. 0 where it cannot be
/// read.
#[inline(always)]
pub fn domain_weight(task: u64, cpu: u32) -> u32 {
    let Some(domain) = percpu_pointer(layout!(sd_llc), cpu) else {
        return 0;
    };
    let allowed: u32 = member_or_zero(task, layout!(nr_cpus_allowed));
    if allowed >= layout!(nr_cpu_ids) {
        return member_or_zero(domain, layout!(span_weight));
    }
    let mask: u64 = member_or_zero(task, layout!(cpus_ptr));
    let span = domain + u64::from(layout!(span));
    let words = layout!(nr_cpu_ids).div_ceil(WORD_BITS);
    let mut weight = 0;
    for word in 0..MASK_WORDS as u64 {
        if word >= u64::from(words) {
            break;
        }
        let allowed: u64 = read_or_zero(mask + word * 8);
        let spanned: u64 = read_or_zero(span + word * 8);
        weight += (allowed & spanned).count_ones();
    }
    weight
}

/// The away slot of `cpu`'s LLC, or [`UNKNOWN_LLC`].
#[inline(always)]
pub fn llc(cpu: u32) -> u32 {
    CPU_INFO.get(cpu).map_or(UNKNOWN_LLC, |info| info.llc)
}

/// Online CPUs in `cpu`'s core.
#[inline(always)]
pub fn smt_width(cpu: u32) -> u32 {
    CPU_INFO.get(cpu).map_or(1, |info| info.smt_width)
}
