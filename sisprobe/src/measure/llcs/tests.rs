use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::kernel::topology::Node;

/// A machine with CPUs 0 to `possible` − 1, of which those in `llcs` are online.
fn topology(possible: u32, llcs: &[CpuSet]) -> Topology {
    let possible: CpuSet = (0..possible).collect();
    let mut llcs: Vec<_> = llcs.iter().filter(|cpus| !cpus.is_empty()).collect();
    llcs.sort_by_key(|cpus| cpus.first());
    let llcs = llcs
        .into_iter()
        .zip(0..)
        .map(|(cpus, number)| topology::Llc {
            number,
            cpus: cpus.clone(),
            cache_id: None,
            level: Some(3),
        });
    let llcs: Vec<_> = llcs.collect();
    Topology {
        present: possible.clone(),
        possible,
        online: llcs.iter().flat_map(|llc| llc.cpus.iter()).collect(),
        isolated: CpuSet::new(),
        llcs,
        cores: Vec::new(),
        nodes: Vec::new(),
    }
}

/// As [`topology`], from CPU lists.
fn of(possible: u32, lists: &[&str]) -> Topology {
    let lists: Vec<CpuSet> = lists.iter().map(|list| list.parse().unwrap()).collect();
    topology(possible, &lists)
}

/// (number, away slot, all CPUs ever seen in it), in the order shown.
fn shown(llcs: &Llcs) -> Vec<(u32, u32, String)> {
    llcs.iter()
        .map(|llc| (llc.number, llc.away, llc.members.to_string()))
        .collect()
}

fn row(number: u32, away: u32, members: &str) -> (u32, u32, String) {
    (number, away, members.into())
}

#[test]
fn a_machine_that_stays_as_it_is() {
    let llcs = Llcs::new(&of(8, &["0-3", "4-7"]));
    assert_eq!(shown(&llcs), [row(0, 1, "0-3"), row(1, 2, "4-7")]);
    // Slot 0 is for what belongs to no LLC that is known.
    assert_eq!(llcs.away_slots(), 3);
    assert_eq!(llcs.away_of(2), 1);
    assert_eq!(llcs.away_of(4), 2);
    assert_eq!(llcs.away_of(8), UNKNOWN_LLC);
}

#[test]
fn a_cpu_that_goes_and_comes_back_keeps_what_it_counted() {
    let mut llcs = Llcs::new(&of(8, &["0-3", "4-7"]));
    llcs.update(&of(8, &["1-3", "4-7"]));
    assert_eq!(shown(&llcs), [row(0, 1, "0-3"), row(1, 2, "4-7")]);
    assert_eq!(llcs.away_of(0), 1, "wake-ups may still leave for it");
    llcs.update(&of(8, &["0-3", "4-7"]));
    assert_eq!(shown(&llcs)[0], row(0, 1, "0-3"));
}

#[test]
fn an_llc_that_goes_offline_keeps_its_group() {
    let mut llcs = Llcs::new(&of(8, &["0-3", "4-7"]));
    llcs.update(&of(8, &["4-7"]));
    assert_eq!(shown(&llcs), [row(0, 1, "0-3"), row(1, 2, "4-7")]);
    assert_eq!(llcs.away_of(0), 1);
    // It comes back by another of its CPUs.
    llcs.update(&of(8, &["4-7", "3"]));
    assert_eq!(shown(&llcs)[0], row(0, 1, "0-3"));
}

#[test]
fn a_cpu_that_comes_up_joins_its_llc() {
    let mut llcs = Llcs::new(&of(8, &["0-2", "4-6"]));
    assert_eq!(llcs.away_of(3), UNKNOWN_LLC);
    llcs.update(&of(8, &["0-3", "4-6"]));
    assert_eq!(shown(&llcs)[0], row(0, 1, "0-3"));
    assert_eq!(llcs.away_of(3), 1);
    assert_eq!(llcs.away_of(7), UNKNOWN_LLC);
}

/// What is in a slot was counted for one LLC, and its figures must not change their name.
#[test]
fn an_llc_that_comes_up_between_others_moves_nothing() {
    let mut llcs = Llcs::new(&of(12, &["0-3", "8-11"]));
    assert_eq!(shown(&llcs), [row(0, 1, "0-3"), row(1, 2, "8-11")]);
    assert_eq!(llcs.away_slots(), 1 + 2 + 4);
    llcs.update(&of(12, &["0-3", "5", "8-11"]));
    assert_eq!(
        shown(&llcs),
        [row(0, 1, "0-3"), row(1, 2, "8-11"), row(2, 3, "5")]
    );
    assert_eq!((llcs.away_of(5), llcs.away_of(9)), (3, 2));
}

/// Shards are counted by it.
#[test]
fn the_size_is_that_of_the_searched_cpus_when_first_seen() {
    let mut machine = of(8, &["0-2", "4-7"]);
    machine.isolated = "5-6".parse().unwrap();
    let mut llcs = Llcs::new(&machine);
    let sizes = |llcs: &Llcs| llcs.iter().map(|llc| llc.first_size).collect::<Vec<_>>();
    assert_eq!(sizes(&llcs), [3, 2]);
    llcs.update(&of(8, &["0-3", "4"]));
    assert_eq!(sizes(&llcs), [3, 2]);
}

#[test]
fn a_split_llc_loses_no_cpu() {
    // No machine does this. Should one do it all the same, the CPUs stay with the LLC that had
    // them, since their slots were counted for it.
    let mut llcs = Llcs::new(&of(4, &["0-3"]));
    llcs.update(&of(4, &["0-1", "2-3"]));
    assert_eq!(shown(&llcs), [row(0, 1, "0-3")]);
}

/// CPU 9 comes up in the LLC of CPU 8 just as that goes.
#[test]
fn an_llc_is_known_by_its_cache_where_no_cpu_of_it_stays() {
    let with_id = |online: &str| {
        let mut topology = of(16, &["0-7", online]);
        topology.llcs[0].cache_id = Some(0);
        topology.llcs[1].cache_id = Some(1);
        topology
    };
    let mut llcs = Llcs::new(&with_id("8"));
    llcs.update(&with_id("9"));
    assert_eq!(shown(&llcs)[1], row(1, 2, "8-9"));

    // Where caches have no number it is taken for another LLC, and stays one: what was counted
    // does not move.
    let mut llcs = Llcs::new(&of(16, &["0-7", "8"]));
    llcs.update(&of(16, &["0-7", "9"]));
    llcs.update(&of(16, &["0-7", "8-10"]));
    assert_eq!(shown(&llcs)[1..], [row(1, 2, "8,10"), row(2, 3, "9")]);
}

#[test]
fn caches_of_one_number_are_not_taken_for_one() {
    let with_ids = |lists: &[&str]| {
        let mut topology = of(16, lists);
        for llc in &mut topology.llcs {
            llc.cache_id = Some(0);
        }
        topology
    };
    // A cache that the kernel cuts at the border of nodes, and numbers that are of no use.
    let cut = |lists: &[&str]| {
        let mut topology = with_ids(lists);
        topology.nodes = ["0-7", "8-15"]
            .into_iter()
            .zip(0..)
            .map(|(cpus, number)| Node {
                number,
                cpus: cpus.parse().unwrap(),
            })
            .collect();
        topology
    };
    for topology in [&with_ids as &dyn Fn(&[&str]) -> Topology, &cut] {
        let mut llcs = Llcs::new(&topology(&["0-7", "8"]));
        assert_eq!(shown(&llcs)[1], row(1, 2, "8"));
        llcs.update(&topology(&["0-7", "8-9"]));
        assert_eq!(shown(&llcs)[1], row(1, 2, "8-9"));
    }
    let mut llcs = Llcs::new(&cut(&["0-7"]));
    llcs.update(&cut(&["0-7", "9"]));
    assert_eq!(shown(&llcs)[1], row(1, 2, "9"));
}

proptest! {
    /// CPUs of LLCs of four that go and come, whichever were online first.
    #[test]
    fn slots_are_stable_and_never_run_out(
        history in prop::collection::vec(prop::collection::btree_set(0..24_u32, 1..24), 1..12),
        has_ids: bool,
    ) {
        let in_llc = |online: &BTreeSet<u32>, llc| -> CpuSet {
            online.iter().copied().filter(|cpu| cpu / 4 == llc).collect()
        };
        let machine = |online: &BTreeSet<u32>| {
            let llcs: Vec<CpuSet> = (0..6).map(|llc| in_llc(online, llc)).collect();
            let mut topology = topology(24, &llcs);
            for llc in &mut topology.llcs {
                llc.cache_id = has_ids.then_some(llc.cpus.first().unwrap() / 4);
            }
            topology
        };
        let mut llcs = Llcs::new(&machine(&history[0]));
        let slots = llcs.away_slots();
        let mut slot_of_cpu = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut before: Vec<(u32, u32, String)> = Vec::new();
        for online in &history {
            llcs.update(&machine(online));
            seen.extend(online);
            prop_assert_eq!(llcs.away_slots(), slots, "the map's size is fixed");
            for &cpu in online {
                let away = llcs.away_of(cpu);
                prop_assert!(away != UNKNOWN_LLC && away < slots, "CPU {} has slot {}", cpu, away);
                prop_assert_eq!(*slot_of_cpu.entry(cpu).or_insert(away), away);
            }
            let mut homes = BTreeSet::new();
            let now = shown(&llcs);
            prop_assert!(now.len() >= before.len());
            for (place, (number, away, members)) in now.iter().enumerate() {
                prop_assert_eq!(*number as usize, place);
                let members: CpuSet = members.parse().unwrap();
                let llc = members.first().unwrap() / 4;
                for cpu in &members {
                    prop_assert_eq!(cpu / 4, llc);
                    prop_assert_eq!(slot_of_cpu[&cpu], *away);
                    prop_assert!(homes.insert(cpu), "CPU {} counts twice", cpu);
                }
                if let Some((_, slot, earlier)) = before.get(place) {
                    let earlier: CpuSet = earlier.parse().unwrap();
                    prop_assert!(slot == away && earlier.is_subset(&members));
                }
            }
            prop_assert_eq!(&homes, &seen, "every CPU ever seen counts");
            if has_ids {
                let llcs: BTreeSet<u32> = seen.iter().map(|cpu| cpu / 4).collect();
                prop_assert_eq!(now.len(), llcs.len(), "one group for each LLC");
            }
            before = now;
        }
    }
}
