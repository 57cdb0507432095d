use std::collections::BTreeMap;
use std::fs;

use super::super::fixture::{MACHINES, Machine, machine};
use super::*;

fn read(name: &str) -> Topology {
    of(&machine(name))
}

fn of(machine: &Machine) -> Topology {
    Topology::read(&machine.root).found().unwrap().clone()
}

fn llcs(topology: &Topology) -> Vec<String> {
    topology
        .llcs
        .iter()
        .map(|llc| format!("{}: {}", llc.number, llc.cpus))
        .collect()
}

/// What must hold on every machine.
fn assert_sound(topology: &Topology) {
    assert!(topology.online.is_subset(&topology.present));
    assert!(topology.present.is_subset(&topology.possible));
    for cpu in &topology.online {
        let holders = topology
            .llcs
            .iter()
            .filter(|llc| llc.cpus.contains(cpu))
            .count();
        assert_eq!(holders, 1, "CPU {cpu} is in {holders} LLCs");
        assert!(topology.smt_width(cpu) >= 1);
    }
    for (index, llc) in topology.llcs.iter().enumerate() {
        assert_eq!(llc.number as usize, index);
        assert!(llc.cpus.is_subset(&topology.online));
    }
    assert!(
        topology
            .llcs
            .is_sorted_by_key(|llc| llc.cpus.first().unwrap())
    );
}

#[test]
fn two_sockets_are_two_llcs() {
    for name in ["6.12-2llc", "6.1-2llc"] {
        let topology = read(name);
        assert_sound(&topology);
        assert_eq!(llcs(&topology), ["0: 0-7", "1: 8-15"], "{name}");
        assert_eq!(topology.llcs[1].level, Some(3));
        assert_eq!(topology.llc_of(8), Some(1));
        assert_eq!(topology.llc_of(16), None);
        assert_eq!(topology.smt_width(3), 2);
        assert_eq!(topology.core_of(3).unwrap().to_string(), "2-3");
        assert_eq!(topology.cores.len(), 8);
        assert_eq!(topology.node_of(15), Some(0));
        assert_ne!(topology.llcs[0].cache_id, topology.llcs[1].cache_id);
    }
}

/// The CPUs of each scheduling domain, by CPU, as the kernel that was captured had them
/// (kernel/sched/stats.c, `show_schedstat`).
fn domains(machine: &Machine) -> BTreeMap<u32, Vec<CpuSet>> {
    let text = fs::read_to_string(machine.root.path("/proc/schedstat")).unwrap();
    let mut domains: BTreeMap<u32, Vec<CpuSet>> = BTreeMap::new();
    let mut cpu = 0;
    for line in text.lines().skip(1) {
        if let Some(number) = line.strip_prefix("cpu") {
            cpu = number.parse().unwrap();
            domains.insert(cpu, Vec::new());
        } else {
            let mask = line.split(' ').next_back().unwrap();
            let mask = u64::from_str_radix(mask, 16).unwrap();
            let cpus = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
            domains.get_mut(&cpu).unwrap().push(cpus);
        }
    }
    domains
}

#[test]
fn every_llc_is_a_domain_that_the_kernel_made() {
    for name in MACHINES {
        let machine = machine(name);
        let topology = of(&machine);
        let domains = domains(&machine);
        assert_eq!(topology.online, domains.keys().copied().collect(), "{name}");
        for (cpu, domains) in domains {
            let number = topology.llc_of(cpu).unwrap();
            let llc = &topology.llc(number).unwrap().cpus;
            // The kernel drops a domain of a single CPU.
            assert!(
                domains.contains(llc) || llc.len() == 1,
                "{name}: the LLC {llc} of CPU {cpu} is none of {domains:?}"
            );
        }
    }
}

#[test]
fn three_cores_without_smt() {
    let topology = read("6.12-3cores");
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0-2"]);
    assert_eq!(topology.smt_width(2), 1);
    assert_eq!(topology.cores.len(), 3);
}

#[test]
fn a_single_cpu() {
    let topology = read("6.12-1cpu");
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0"]);
    assert_eq!(topology.possible.len(), 1);
}

#[test]
fn offline_cpus_are_in_no_group() {
    let topology = read("6.12-offline");
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0,3-4,6-7", "1: 9-12,14-15"]);
    assert_eq!(topology.present.to_string(), "0-15");
    assert_eq!(topology.llc_of(1), None);
    assert_eq!(topology.smt_width(1), 0);
    assert_eq!(topology.node_of(1), None);
    // The sibling of 0 is offline, that of 6 is not.
    assert_eq!((topology.smt_width(0), topology.smt_width(6)), (1, 2));
}

#[test]
fn fewer_cpus_brought_up_than_possible() {
    let topology = read("6.12-maxcpus");
    assert_sound(&topology);
    assert_eq!(topology.possible.to_string(), "0-15");
    assert_eq!(llcs(&topology), ["0: 0,2,4,6", "1: 8,10"]);
    assert_eq!(topology.smt_width(0), 1);
}

#[test]
fn fewer_cpus_plugged_in_than_possible_and_two_nodes() {
    let topology = read("6.1-nodes");
    assert_sound(&topology);
    assert_eq!(topology.possible.to_string(), "0-7");
    assert_eq!(topology.present.to_string(), "0-3");
    assert_eq!(llcs(&topology), ["0: 0-1", "1: 2-3"]);
    assert_eq!(
        (topology.node_of(1), topology.node_of(2)),
        (Some(0), Some(1))
    );
    assert_eq!(topology.nodes.len(), 2);
}

#[test]
fn without_caches_the_package_is_the_llc() {
    let machine = machine("6.12-2llc");
    for cpu in 0..16 {
        machine.remove(&format!("/sys/devices/system/cpu/cpu{cpu}/cache"));
    }
    let topology = of(&machine);
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0-7", "1: 8-15"]);
    assert_eq!(topology.llcs[0].level, None);
    assert_eq!(topology.llcs[0].cache_id, None);
}

#[test]
fn a_cache_of_the_first_level_only_is_no_llc() {
    let machine = machine("6.12-2llc");
    for cpu in 0..16 {
        for index in [2, 3] {
            machine.remove(&format!(
                "/sys/devices/system/cpu/cpu{cpu}/cache/index{index}"
            ));
        }
    }
    assert_eq!(llcs(&of(&machine)), ["0: 0-7", "1: 8-15"]);
}

#[test]
fn the_second_level_is_the_last_where_there_is_no_third() {
    let machine = machine("6.12-2llc");
    for cpu in 0..16 {
        machine.remove(&format!("/sys/devices/system/cpu/cpu{cpu}/cache/index3"));
    }
    let topology = of(&machine);
    assert_sound(&topology);
    assert_eq!(topology.llcs.len(), 8);
    assert_eq!(topology.llcs[1].cpus.to_string(), "2-3");
    assert_eq!(topology.llcs[1].level, Some(2));
}

#[test]
fn a_node_border_cuts_an_llc_as_the_kernel_does() {
    let machine = machine("6.12-2llc");
    machine.write("/sys/devices/system/node/node0/cpulist", b"0-3,8-11\n");
    machine.write("/sys/devices/system/node/node1/cpulist", b"4-7,12-15\n");
    machine.write("/sys/devices/system/node/node2/cpulist", b"\n");
    let topology = of(&machine);
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0-3", "1: 4-7", "2: 8-11", "3: 12-15"]);
    assert_eq!(topology.nodes.len(), 3);
}

#[test]
fn numbers_follow_the_lowest_cpu_where_llcs_interleave() {
    let machine = machine("6.12-2llc");
    for cpu in 0..16 {
        let shared = if cpu % 2 == 0 {
            "0,2,4,6,8,10,12,14\n"
        } else {
            "1,3,5,7,9,11,13,15\n"
        };
        machine.write(
            &format!("/sys/devices/system/cpu/cpu{cpu}/cache/index3/shared_cpu_list"),
            shared.as_bytes(),
        );
    }
    let topology = of(&machine);
    assert_sound(&topology);
    assert_eq!(topology.llc_of(0), Some(0));
    assert_eq!(topology.llc_of(1), Some(1));
    assert_eq!(topology.llcs[1].cpus.to_string(), "1,3,5,7,9,11,13,15");
}

#[test]
fn no_folders_but_the_lists() {
    let machine = Machine::from_files(&[("/sys/devices/system/cpu/online", "0-1\n")]);
    let topology = of(&machine);
    assert_sound(&topology);
    assert_eq!(llcs(&topology), ["0: 0", "1: 1"]);
    assert!(topology.nodes.is_empty());
    assert_eq!(topology.node_of(0), None);
}

#[test]
fn isolated_cpus_are_known() {
    let machine = machine("6.12-3cores");
    machine.write("/sys/devices/system/cpu/isolated", b"2\n");
    let topology = of(&machine);
    assert_eq!(topology.isolated.to_string(), "2");
    assert_eq!(topology.searched(0).to_string(), "0-1");
    assert_eq!(topology.searched(1), CpuSet::new());
}

#[test]
fn what_cannot_be_told_is_unknown() {
    let nothing = Machine::from_files(&[]);
    assert!(matches!(Topology::read(&nothing.root), Answer::Unknown(_)));
    let machine = machine("6.12-2llc");
    machine.write("/sys/devices/system/cpu/online", b"0-x\n");
    assert!(matches!(Topology::read(&machine.root), Answer::Unknown(_)));
}
