//! How much memory the maps take.

use std::mem::size_of;

use sisprobe_common::{
    load::CpuLoad,
    slot::Slot,
    state::{CpuInfo, CpuState},
};

#[test]
fn a_thousand_cpus_and_64_llcs_fit_into_8_mb() {
    let cpu =
        size_of::<Slot>() + size_of::<CpuState>() + size_of::<CpuLoad>() + size_of::<CpuInfo>();
    // One away slot more, for CPUs whose LLC is not known.
    let all = 1024 * cpu + 65 * size_of::<Slot>();
    assert!(all <= 8_000_000, "{all} bytes");
}
