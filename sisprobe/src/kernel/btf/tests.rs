use super::super::fixture::{self, Machine, machine};
use super::super::{Facts, FactsError, Sources};
use super::*;

/// What pahole made of tests/fixtures/made/kernel/sched/fair.c.
fn made() -> Btf {
    Btf::from_file(&fixture::path("made/made.btf")).unwrap()
}

#[test]
fn functions_and_their_parameters() {
    let btf = made();
    assert_eq!(
        btf.function("select_task_rq_fair").unwrap(),
        ["prev", "target", "flags"]
    );
    assert_eq!(btf.function("available_idle_cpu").unwrap(), ["cpu"]);
    assert_eq!(btf.function("select_idle_cpu"), None);
    // A struct, and the beginning of a function's name.
    assert_eq!(btf.function("sched_domain_shared"), None);
    assert_eq!(btf.function("select_task_rq"), None);
}

#[test]
fn members_also_inside_others() {
    let btf = made();
    let offset = |structure, path| btf.member_offset(structure, path);
    assert_eq!(offset("sched_domain_shared", "nr_idle_scan"), Some(12));
    assert_eq!(offset("sched_domain_shared", "has_idle_cores"), Some(8));
    assert_eq!(offset("cfs_rq", "whole"), Some(8));
    assert_eq!(offset("cfs_rq", "second_half"), Some(12));
    // Through a typedef, then through a const.
    assert_eq!(offset("rq", "cfs.avg.util_avg"), Some(8 + 16 + 8));
    assert_eq!(offset("rq", "cfs.second_half"), Some(8 + 12));
    assert_eq!(
        btf.member("rq", "counters"),
        Some(MemberPlace {
            offset: 48,
            size: Some(12)
        })
    );
    assert_eq!(btf.member("rq", "next").unwrap().size, Some(8));
    assert_eq!(btf.member("rq", "cfs").unwrap().size, Some(32));
}

#[test]
fn what_has_no_offset_in_bytes_has_none() {
    let btf = made();
    for (structure, path) in [
        ("rq", "one_bit"),
        ("rq", "no_such"),
        ("rq", ""),
        ("rq", "next.cfs"),
        ("rq", "nr_running.x"),
        ("no_such", "cfs"),
        ("cfs_rq_t", "avg"),
    ] {
        assert_eq!(btf.member(structure, path), None, "{structure}.{path}");
    }
    assert_eq!(btf.struct_size("cfs_rq"), Some(32));
    assert_eq!(btf.struct_size("select_task_rq_fair"), None);
}

#[test]
fn per_cpu_variables() {
    let btf = made();
    // As `nm dwarf5.elf` has them, from the section's start.
    assert_eq!(btf.percpu_offset("runqueues"), Some(0));
    assert_eq!(btf.percpu_offset("sd_llc_shared"), Some(0x40));
    assert_eq!(btf.percpu_offset("sd_llc_size"), Some(0x48));
    assert_eq!(btf.percpu_offset("policy"), None);
}

/// Cut anywhere, or with bytes changed, it gives an error or an answer but no panic and no
/// endless search.
#[test]
fn damaged_bytes_do_not_panic() {
    let whole = std::fs::read(fixture::path("made/made.btf")).unwrap();
    let ask = |bytes: Vec<u8>| {
        if let Ok(raw) = Raw::parse(bytes) {
            let btf = Btf(raw);
            let _ = btf.function("select_task_rq_fair");
            let _ = btf.member("rq", "cfs.second_half");
            let _ = btf.member("rq", "counters");
            let _ = btf.percpu_offset("sd_llc_size");
        }
    };
    for length in 0..whole.len() {
        assert!(
            Raw::parse(whole[..length].to_vec()).is_err(),
            "cut to {length}"
        );
    }
    for place in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[place] ^= flip;
            ask(damaged);
        }
    }
}

/// The same with every word turned round is what a big-endian kernel has.
#[test]
fn the_other_byte_order_is_read_too() {
    let mut bytes = std::fs::read(fixture::path("made/made.btf")).unwrap();
    let words = |bytes: &[u8], at: usize| {
        usize::try_from(u32::from_le_bytes(*bytes[at..].first_chunk().unwrap())).unwrap()
    };
    let (header, strings) = (words(&bytes, 4), words(&bytes, 16));
    bytes[..2].reverse();
    for word in bytes[4..header + strings].chunks_exact_mut(4) {
        word.reverse();
    }
    let btf = Btf(Raw::parse(bytes).unwrap());
    assert_eq!(btf.member_offset("rq", "cfs.avg.util_avg"), Some(32));
}

#[test]
fn a_kernel_without_it_is_told_what_it_lacks() {
    let nothing = Machine::from_files(&[]);
    let Answer::Absent(why) = Btf::read(&nothing.root, None) else {
        panic!("there is none");
    };
    assert!(
        why.contains("CONFIG_DEBUG_INFO_BTF") && why.contains("--btf PATH"),
        "{why}"
    );
    nothing.write(VMLINUX, b"");
    assert!(matches!(Btf::read(&nothing.root, None), Answer::Unknown(_)));
    let content = std::fs::read(fixture::path("made/made.btf")).unwrap();
    nothing.write(VMLINUX, &content);
    assert!(Btf::read(&nothing.root, None).found().is_some());
}

#[test]
fn a_named_file_must_serve() {
    let machine = machine("6.12-1cpu");
    let with = |name: &str| {
        let sources = Sources {
            btf: Some(fixture::path(name)),
            ..Sources::default()
        };
        Facts::gather(&machine.root, &sources)
    };
    assert!(with("made/made.btf").unwrap().btf.found().is_some());
    for name in ["made/dwarf5.elf", "no-such-file"] {
        let error = with(name).unwrap_err();
        assert!(matches!(error, FactsError::Btf { .. }), "{error}");
    }
}
