//! Where the programs find what they read.

use sisprobe_common::{
    budget::rule,
    layout::{ABSENT, FeatureRule, Layout, LoadLayout},
};

use super::*;
use crate::{
    kernel::{
        Answer, Features,
        fixture::{
            btf::{FUNCTIONS, LOAD_MEMBERS, MEMBERS, btf},
            machine_with_btf,
        },
    },
    policy::Policy,
};

#[test]
fn everything_is_found_by_name() {
    let machine = machine_with_btf("6.12-2llc");
    let layout = layout(&machine.facts(), Fidelity::Inlined).unwrap();
    assert_eq!(
        layout,
        Layout {
            per_cpu_offset: 0xffff_ffff_8256_4e20,
            sd_llc_shared: 0x21728,
            sd_llc: 0x21740,
            runqueues: 0x35e80,
            sched_features: 0xffff_ffff_82e6_8e20,
            util_est: 1 << 25,
            has_idle_cores: 8,
            nr_idle_scan: 12,
            span_weight: 60,
            span: 136,
            nr_cpus_allowed: 800,
            cpus_ptr: 808,
            nr_cpu_ids: 16,
            bracketed: 0,
            avg_idle: ABSENT,
            wake_avg_idle: ABSENT,
            wake_stamp: ABSENT,
            avg_scan_cost: ABSENT,
            features: layout.features,
            otherwise: rule::WEIGHT,
            wide_features: 0,
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
            Ok(layout) if member == "nr_idle_scan" => assert_eq!(layout.nr_idle_scan, ABSENT),
            Ok(_) => assert_eq!(member, "imbalance_pct"),
            Err(error) => {
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
    for name in ["__per_cpu_offset", "sd_llc_shared", "sd_llc", "runqueues"] {
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

/// What a layout makes of the features of captured machines.
#[test]
fn the_features_that_bound_a_search_are_known_by_their_bits() {
    let used = |machine: &str| {
        let facts = kernel(machine).facts();
        let layout = layout(&facts, Fidelity::Inlined).unwrap();
        let mut used = layout.features.to_vec();
        used.retain(|feature| feature.mask != 0);
        (used, layout)
    };
    let (features, layout) = used("6.1-2llc");
    // NO_SIS_PROP SIS_UTIL are the features 11 and 12, SIS_UTIL is asked first.
    let bits = [(12, rule::NR_IDLE_SCAN), (11, rule::AVG_IDLE)];
    let expected = bits.map(|(bit, rule)| FeatureRule {
        mask: 1 << bit,
        // Its BTF here has no static_key.
        key: 0,
        rule,
        reserved: 0,
    });
    assert_eq!(features, expected);
    assert_eq!(layout.otherwise, rule::WEIGHT);
    assert_eq!(layout.sched_features, 0xffff_ffff_82c3_9d78);
    assert_eq!(layout.util_est, 1 << 21);

    let (features, _) = used("6.12-2llc");
    assert_eq!(features.len(), 1);
    assert_eq!(features[0].mask, 1 << 16);
}

/// A bit is set some time before the kernel's code goes by it.
#[test]
fn the_keys_of_features_are_found_where_there_are_any() {
    let machine = kernel("6.1-2llc");
    machine.set_btf(&btf(
        FUNCTIONS,
        &[&MEMBERS[..], &[("static_key", "enabled", 4)]].concat(),
    ));
    let keys = || {
        let layout = layout(&machine.facts(), Fidelity::Inlined).unwrap();
        [layout.features[0].key, layout.features[1].key]
    };
    // The structs of this BTF take 4096 bytes.
    let of = |feature: u64| 0xffff_ffff_82a6_09a0 + feature * 4096 + 4;
    assert_eq!(keys(), [of(12), of(11)]);
    machine.remove_symbol("sched_feat_keys");
    assert_eq!(keys(), [0, 0]);
}

/// As the kernels with all policies of `cargo xtask kernel` have them.
#[test]
fn more_features_than_32_bits_hold_are_read_from_64() {
    let machine = kernel("6.1-2llc");
    let many: String = (0..33).map(|n| format!("F{n} ")).collect();
    let text = format!("{many}NO_SIS_NO_CORE SIS_UTIL");
    machine.write("/sys/kernel/debug/sched/features", text.as_bytes());
    let layout = layout(&machine.facts(), Fidelity::Inlined).unwrap();
    assert_eq!(layout.wide_features, 1);
    let (no_core, util) = (layout.features[0], layout.features[1]);
    assert_eq!((no_core.mask, no_core.rule), (1 << 33, rule::NO_CORE));
    assert_eq!((util.mask, util.rule), (1 << 34, rule::NR_IDLE_SCAN));
}

/// `Features` in the kernel's own form.
fn features(text: &str) -> Answer<Features> {
    let machine = kernel("6.1-2llc");
    machine.write("/sys/kernel/debug/sched/features", text.as_bytes());
    machine.facts().features
}

#[test]
fn the_first_feature_that_is_on_is_the_policy() {
    let layout = layout(&kernel("6.1-2llc").facts(), Fidelity::Inlined).unwrap();
    for (text, policy, because) in [
        ("SIS_UTIL NO_SIS_PROP", Policy::SisUtil, "SIS_UTIL is on"),
        ("SIS_PROP SIS_UTIL", Policy::SisUtil, "SIS_UTIL is on"),
        // Of the later form only where rq::wake_avg_idle is there.
        (
            "SIS_PROP NO_SIS_UTIL",
            Policy::SisPropAvgIdle,
            "SIS_PROP is on",
        ),
        ("NO_SIS_PROP NO_SIS_UTIL", Policy::Full, "no feature"),
        ("SIS_UTIL SIS_NO_CORE", Policy::NoCore, "SIS_NO_CORE is on"),
        ("SIS_AVG_CPU", Policy::SisAvgCpu, "SIS_AVG_CPU is on"),
    ] {
        let active = active(&features(text), &layout);
        assert_eq!(active.policy, Some(policy), "{text}");
        assert_says(&active.because, &[because]);
    }
    let with_wake_avg_idle = Layout {
        wake_avg_idle: 8,
        ..layout
    };
    let prop = active(&features("SIS_PROP NO_SIS_UTIL"), &with_wake_avg_idle);
    assert_eq!(prop.policy, Some(Policy::SisProp));
}

#[test]
fn a_policy_that_is_not_known_is_not_guessed() {
    let layout = layout(&kernel("6.1-2llc").facts(), Fidelity::Inlined).unwrap();
    let other = active(&features("SIS_UTIL SIS_MAGIC NO_SIS_OTHER"), &layout);
    assert_eq!(other.policy, None);
    assert_says(&other.because, &["SIS_MAGIC is on"]);
}

#[test]
fn without_features_the_default_is_assumed_and_said_to_be() {
    let machine = kernel("6.1-2llc");
    machine.remove("/sys/kernel/debug/sched/features");
    let facts = machine.facts();
    let layout = layout(&facts, Fidelity::Inlined).unwrap();
    assert_eq!(
        (layout.sched_features, layout.otherwise),
        (0, rule::NR_IDLE_SCAN)
    );
    let assumed = active(&facts.features, &layout);
    assert_eq!(assumed.policy, Some(Policy::SisUtil));
    assert_says(&assumed.because, &["assumed", "SIS_UTIL", "cannot be read"]);

    let before_6_0 = Layout {
        nr_idle_scan: ABSENT,
        ..layout
    };
    let assumed = active(&facts.features, &before_6_0);
    assert_eq!(assumed.policy, Some(Policy::SisPropAvgIdle));
}

#[test]
fn the_load_is_read_where_all_of_it_is_found() {
    let machine = kernel("6.12-2llc");
    let with = |members: &[_]| {
        let all: Vec<_> = MEMBERS.iter().chain(members).copied().collect();
        machine.set_btf(&btf(FUNCTIONS, &all));
        load_layout(&machine.facts())
    };
    let layout = with(&LOAD_MEMBERS).unwrap();
    assert_eq!(
        layout,
        LoadLayout {
            cpu_scale: 0,
            nr_running: 4,
            curr: 2416,
            idle: 2424,
            ttwu_pending: 56,
            cpu_capacity: 2600,
            cpu_capacity_orig: ABSENT,
            util_avg: 128 + 256 + 56,
            util_est: 128 + 256 + 64,
            imbalance_pct: 48,
            reserved: 0,
        }
    );
    // 6.1's util_est is a struct.
    let enqueued = [&LOAD_MEMBERS[..], &[("util_est", "enqueued", 4)]].concat();
    assert_eq!(with(&enqueued).unwrap().util_est, 128 + 256 + 64 + 4);

    for lacking in LOAD_MEMBERS {
        let members: Vec<_> = LOAD_MEMBERS.into_iter().filter(|&m| m != lacking).collect();
        match (lacking.1, with(&members)) {
            ("ttwu_pending", Ok(layout)) => assert_eq!(layout.ttwu_pending, ABSENT),
            ("util_est", Ok(layout)) => assert_eq!(layout.util_est, ABSENT),
            (member, Err(error)) => assert_says(&error.to_string(), &[member]),
            (member, Ok(_)) => panic!("{member} was not missed"),
        }
    }
}
