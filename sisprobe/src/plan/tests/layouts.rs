//! Where the programs find what they read.

use sisprobe_common::layout::{ABSENT, Layout};

use super::*;
use crate::kernel::fixture::{
    btf::{FUNCTIONS, MEMBERS, btf},
    machine_with_btf,
};

#[test]
fn everything_is_found_by_name() {
    let machine = machine_with_btf("6.12-2llc");
    assert_eq!(
        layout(&machine.facts(), Fidelity::Inlined).unwrap(),
        Layout {
            per_cpu_offset: 0xffff_ffff_8256_4e20,
            sd_llc_shared: 0x21728,
            sd_llc: 0x21740,
            has_idle_cores: 8,
            nr_idle_scan: 12,
            span_weight: 60,
            span: 136,
            nr_cpus_allowed: 800,
            cpus_ptr: 808,
            nr_cpu_ids: 16,
            bracketed: 0,
        }
    );
}

#[test]
fn only_bracketed_says_so() {
    let facts = kernel("6.12-2llc").facts();
    let bracketed = |fidelity| layout(&facts, fidelity).unwrap().bracketed;
    assert_eq!(bracketed(Fidelity::Bracketed), 1);
    assert_eq!(bracketed(Fidelity::Inlined), 0);
    assert_eq!(bracketed(Fidelity::Exact), 0);
}

#[test]
fn there_is_room_for_every_possible_cpu() {
    let facts = machine_with_btf("6.1-nodes").facts();
    let topology = facts.topology.found().unwrap();
    assert!(topology.online.len() < topology.possible.len());
    let layout = layout(&facts, Fidelity::Bracketed).unwrap();
    assert_eq!(layout.nr_cpu_ids, 8);
}

#[test]
fn a_kernel_without_nr_idle_scan_is_measured_without() {
    let machine = kernel("6.1-2llc");
    for lacking in MEMBERS {
        let members: Vec<_> = MEMBERS.into_iter().filter(|&m| m != lacking).collect();
        machine.set_btf(&btf(FUNCTIONS, &members));
        let (structure, member, _) = lacking;
        match layout(&machine.facts(), Fidelity::Inlined) {
            Ok(layout) => {
                assert_eq!(member, "nr_idle_scan");
                assert_eq!(layout.nr_idle_scan, ABSENT);
            }
            Err(error) => {
                assert_ne!(member, "nr_idle_scan");
                assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
                assert_says(&error.to_string(), &[&format!("{structure}::{member}")]);
            }
        }
    }
}

#[test]
fn hidden_addresses_are_not_missing_ones() {
    let machine = kernel("6.12-2llc");
    machine.hide_addresses();
    for (kptr_restrict, remedy) in [("1", "CAP_SYSLOG"), ("2", "kernel.kptr_restrict=1")] {
        machine.write("/proc/sys/kernel/kptr_restrict", kptr_restrict.as_bytes());
        let facts = machine.facts();
        // Names are enough for a plan.
        assert_eq!(best(&facts).fidelity, Fidelity::Bracketed);
        let error = layout(&facts, Fidelity::Bracketed).unwrap_err();
        assert!(matches!(error, PlanError::Hidden { .. }), "{error:?}");
        assert_says(&error.to_string(), &["__per_cpu_offset", remedy]);
    }
}

#[test]
fn variables_that_no_file_tells_are_missing() {
    for name in ["__per_cpu_offset", "sd_llc_shared", "sd_llc"] {
        let machine = kernel("6.12-2llc");
        machine.remove_symbol(name);
        let error = layout(&machine.facts(), Fidelity::Bracketed).unwrap_err();
        assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
        let address = format!("the address of {name} is needed");
        assert_says(&error.to_string(), &[&address, "CONFIG_KALLSYMS_ALL"]);
    }
}

#[test]
fn without_btf_nothing_can_be_read() {
    let machine = kernel("6.12-2llc");
    machine.remove("/sys/kernel/btf");
    let facts = machine.facts();
    assert_eq!(best(&facts).attach, AttachMethod::Kprobe);
    let error = layout(&facts, Fidelity::Bracketed).unwrap_err();
    assert!(matches!(error, PlanError::Missing { .. }), "{error:?}");
    assert_says(&error.to_string(), &["CONFIG_DEBUG_INFO_BTF", "--btf PATH"]);
}
