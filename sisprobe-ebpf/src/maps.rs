//! The maps. User space sets their sizes before load; those here are the least.

use aya_ebpf::{macros::map, maps::Array};
use sisprobe_common::{
    layout::{FEATURES, FeatureRule, Layout, LoadLayout},
    load::CpuLoad,
    slot::Slot,
    state::{CpuInfo, CpuState},
};

/// `BPF_F_MMAPABLE` (include/uapi/linux/bpf.h): user space reads these without system calls.
const MMAPABLE: u32 = 1 << 10;

/// One a CPU: the wake-up under way there.
#[map]
pub static CPUS: Array<CpuState> = Array::with_max_entries(1, MMAPABLE);

/// One a CPU: what stayed in its own LLC.
#[map]
pub static HOME: Array<Slot> = Array::with_max_entries(1, MMAPABLE);

/// One an LLC: what came to it from another LLC.
#[map]
pub static AWAY: Array<Slot> = Array::with_max_entries(1, MMAPABLE);

/// One a CPU, written by user space.
#[map]
pub static CPU_INFO: Array<CpuInfo> = Array::with_max_entries(1, MMAPABLE);

/// One a CPU: what the last look at it found.
#[map]
pub static LOAD: Array<CpuLoad> = Array::with_max_entries(1, MMAPABLE);

/// One entry, written by user space: 1 while wake-ups are to be counted.
#[map]
pub static ENABLED: Array<u64> = Array::with_max_entries(1, MMAPABLE);

/// Set by user space before load; no value here is ever used.
#[unsafe(no_mangle)]
pub static LAYOUT: Layout = Layout {
    per_cpu_offset: 0,
    sd_llc_shared: 0,
    sd_llc: 0,
    runqueues: 0,
    sched_features: 0,
    util_est: 0,
    has_idle_cores: 0,
    nr_idle_scan: 0,
    span_weight: 0,
    span: 0,
    nr_cpus_allowed: 0,
    cpus_ptr: 0,
    nr_cpu_ids: 0,
    bracketed: 0,
    avg_idle: 0,
    wake_avg_idle: 0,
    wake_stamp: 0,
    avg_scan_cost: 0,
    features: [FeatureRule::NONE; FEATURES],
    otherwise: 0,
    wide_features: 0,
};

/// As [`LAYOUT`].
#[unsafe(no_mangle)]
pub static LOAD_LAYOUT: LoadLayout = LoadLayout {
    cpu_scale: 0,
    nr_running: 0,
    curr: 0,
    idle: 0,
    ttwu_pending: 0,
    cpu_capacity: 0,
    cpu_capacity_orig: 0,
    util_avg: 0,
    util_est: 0,
    imbalance_pct: 0,
    reserved: 0,
};

/// A place in the layout that user space handed over, a constant to the verifier.
macro_rules! layout {
    ($($place:tt)+) => {
        // SAFETY: LAYOUT is a valid static; volatile because its value is replaced at load.
        unsafe { core::ptr::read_volatile(&raw const $crate::maps::LAYOUT.$($place)+) }
    };
}
pub(crate) use layout;

/// A field of what the sampling program reads besides.
macro_rules! load_layout {
    ($field:ident) => {
        // SAFETY: LOAD_LAYOUT is a valid static; volatile because its value is replaced at load.
        unsafe { core::ptr::read_volatile(&raw const $crate::maps::LOAD_LAYOUT.$field) }
    };
}
pub(crate) use load_layout;

/// Whether wake-ups are to be counted now.
#[inline(always)]
pub fn enabled() -> bool {
    ENABLED.get(0).is_some_and(|&enabled| enabled != 0)
}
