//! Reads of kernel memory, at the places that the layout names.

use aya_ebpf::helpers::bpf_probe_read_kernel;
use sisprobe_common::{
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

/// The pointer that the per-CPU variable at `offset` holds for `cpu`; none where it is null.
#[inline(always)]
fn percpu_pointer(offset: u64, cpu: u32) -> Option<u64> {
    let base: u64 = read(layout!(per_cpu_offset) + u64::from(cpu) * 8)?;
    let pointer: u64 = read(base.wrapping_add(offset))?;
    (pointer != 0).then_some(pointer)
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
    if layout!(nr_idle_scan) != ABSENT
        && let Some(nr) = read(pointer + u64::from(layout!(nr_idle_scan)))
    {
        shared.nr_idle_scan = nr;
    }
    shared
}

/// How many CPUs a search for `task` could look at in `cpu`'s LLC: the weight of
/// `sched_domain_span(sd_llc) & p->cpus_ptr`, as select_idle_cpu forms it.
#[inline(always)]
pub fn domain_weight(task: u64, cpu: u32) -> Option<u32> {
    let domain = percpu_pointer(layout!(sd_llc), cpu)?;
    let allowed: u32 = read(task + u64::from(layout!(nr_cpus_allowed)))?;
    if allowed >= layout!(nr_cpu_ids) {
        return read(domain + u64::from(layout!(span_weight)));
    }
    let mask: u64 = read(task + u64::from(layout!(cpus_ptr)))?;
    let span = domain + u64::from(layout!(span));
    let words = layout!(nr_cpu_ids).div_ceil(WORD_BITS);
    let mut weight = 0;
    for word in 0..MASK_WORDS as u64 {
        if word >= u64::from(words) {
            break;
        }
        let allowed: u64 = read(mask + word * 8)?;
        let spanned: u64 = read(span + word * 8)?;
        weight += (allowed & spanned).count_ones();
    }
    Some(weight)
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
