//! Groupings of captured machines, and of machines whose CPUs go and come.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sisprobe_common::slot::Slot;

use super::*;
use crate::{
    aggregate::{
        aggregate,
        tests::{EMPTY, slot},
    },
    kernel::{
        fixture::{MACHINES, machine},
        topology::{self, Core, Node},
    },
    report::{Figures, Group},
};

const ALL: [GroupBy; 7] = [
    GroupBy::Llc,
    GroupBy::Cpu,
    GroupBy::Smt,
    GroupBy::Numa,
    GroupBy::System,
    GroupBy::Shard,
    GroupBy::ShardV2,
];

fn captured(name: &str) -> Topology {
    Topology::read(&machine(name).root).found().unwrap().clone()
}

fn grouped(topology: &Topology, by: GroupBy, shard_size: u32, llcs: Option<&str>) -> Groups {
    let mut groups = Groups::new(topology);
    groups.set_grouping(Grouping {
        by,
        shard_size,
        llcs: llcs.map(|list| list.parse().unwrap()),
    });
    groups
}

/// `name: online CPUs`, and for what came from other LLCs the away slots instead.
fn shown(groups: &Groups) -> Vec<String> {
    let map = groups.map();
    let line = |group: &Members| match group.kind {
        GroupKind::FromOtherLlcs => format!("{}: {:?}", group.name, group.away),
        _ => format!("{}: {}", group.name, group.online),
    };
    map.groups.iter().map(line).collect()
}

fn of(name: &str, by: GroupBy) -> Vec<String> {
    shown(&grouped(&captured(name), by, 6, None))
}

const FROM_OTHERS: [&str; 2] = ["LLC 0, from other LLCs: [1]", "LLC 1, from other LLCs: [2]"];

#[test]
fn by_llc() {
    assert_eq!(of("6.12-2llc", GroupBy::Llc), ["LLC 0: 0-7", "LLC 1: 8-15"]);
    assert_eq!(of("6.12-3cores", GroupBy::Llc), ["LLC 0: 0-2"]);
    assert_eq!(
        of("6.12-offline", GroupBy::Llc),
        ["LLC 0: 0,3-4,6-7", "LLC 1: 9-12,14-15"]
    );
}

#[test]
fn by_cpu() {
    assert_eq!(
        of("6.12-maxcpus", GroupBy::Cpu),
        [
            "CPU 0: 0",
            "CPU 2: 2",
            "CPU 4: 4",
            "CPU 6: 6",
            "CPU 8: 8",
            "CPU 10: 10",
            FROM_OTHERS[0],
            FROM_OTHERS[1]
        ]
    );
}

#[test]
fn by_core() {
    assert_eq!(
        of("6.12-offline", GroupBy::Smt),
        [
            "core 0: 0",
            "core 1: 3",
            "core 2: 4",
            "core 3: 6-7",
            "core 4: 9",
            "core 5: 10-11",
            "core 6: 12",
            "core 7: 14-15",
            FROM_OTHERS[0],
            FROM_OTHERS[1]
        ]
    );
    assert_eq!(
        of("6.12-3cores", GroupBy::Smt)[..3],
        ["core 0: 0", "core 1: 1", "core 2: 2"]
    );
}

#[test]
fn by_node() {
    assert_eq!(
        of("6.1-nodes", GroupBy::Numa),
        ["node 0: 0-1", "node 1: 2-3"]
    );
    assert_eq!(of("6.12-2llc", GroupBy::Numa), ["node 0: 0-15"]);
    let mut without_nodes = captured("6.12-2llc");
    without_nodes.nodes.clear();
    let groups = grouped(&without_nodes, GroupBy::Numa, 6, None);
    assert_eq!(shown(&groups), ["node ?: 0-15"]);
}

#[test]
fn all_together() {
    for (name, cpus) in [("6.12-1cpu", "0"), ("6.12-maxcpus", "0,2,4,6,8,10")] {
        assert_eq!(of(name, GroupBy::System), [format!("system: {cpus}")]);
    }
}

#[test]
fn by_shard() {
    assert_eq!(
        of("6.12-2llc", GroupBy::Shard),
        [
            "LLC 0 shard 0: 0-1,4-5",
            "LLC 0 shard 1: 2-3,6-7",
            "LLC 1 shard 0: 8-9,12-13",
            "LLC 1 shard 1: 10-11,14-15",
            FROM_OTHERS[0],
            FROM_OTHERS[1]
        ]
    );
    // 8 / 6 is 1.
    assert_eq!(
        of("6.12-2llc", GroupBy::ShardV2)[..2],
        ["LLC 0 shard 0: 0-7", "LLC 1 shard 0: 8-15"]
    );
    let by_3 = grouped(&captured("6.12-2llc"), GroupBy::ShardV2, 3, None);
    assert_eq!(
        shown(&by_3)[2..4],
        ["LLC 1 shard 0: 8,10,12,14", "LLC 1 shard 1: 9,11,13,15"]
    );
}

/// Those of an LLC without SMT that has its odd CPUs elsewhere.
#[test]
fn a_shard_without_a_cpu_is_not_there() {
    let groups = grouped(&captured("6.12-maxcpus"), GroupBy::ShardV2, 2, None);
    assert_eq!(
        shown(&groups)[..2],
        ["LLC 0 shard 0: 0,2,4,6", "LLC 1 shard 0: 8,10"]
    );
}

#[test]
fn only_the_llcs_that_are_asked_for() {
    let two = captured("6.12-2llc");
    for (by, names) in [
        (GroupBy::Llc, vec!["LLC 1: 8-15"]),
        (GroupBy::Numa, vec!["node 0: 8-15"]),
        (GroupBy::System, vec!["system: 8-15"]),
        (
            GroupBy::Smt,
            vec![
                "core 4: 8-9",
                "core 5: 10-11",
                "core 6: 12-13",
                "core 7: 14-15",
                FROM_OTHERS[1],
            ],
        ),
    ] {
        let groups = grouped(&two, by, 6, Some("1"));
        assert_eq!(shown(&groups), names);
        let (home, away) = (vec![slot(1); 16], [slot(100), slot(1000), slot(10_000)]);
        let counted = aggregate(&home, &away, &groups.map());
        assert_eq!(total(&counted), figures(8 + 10_000), "{by}");
    }
}

#[test]
fn the_llc_that_a_group_lies_in() {
    for by in ALL {
        let map = grouped(&captured("6.12-2llc"), by, 6, None).map();
        for group in map.groups {
            let first = group.online.first().unwrap_or_default();
            let expected = match (by, group.kind) {
                (GroupBy::Numa | GroupBy::System, _) => None,
                (_, GroupKind::FromOtherLlcs) => Some(group.away[0] - 1),
                _ => Some(first / 8),
            };
            assert_eq!(group.llc, expected, "{}", group.name);
        }
    }
}

fn figures(n: u64) -> Figures {
    let mut figures = Figures::default();
    figures.add_slot(&slot(n));
    figures
}

/// All groups together; every figure of `slot(n)` is a multiple of n, so one of them is enough to
/// know which slots are in it.
fn total(groups: &[Group]) -> Figures {
    figures(groups.iter().map(|group| group.figures.wakeups).sum())
}

/// What must hold of groups, however they are made: each CPU in one, each with its own name, all
/// slots counted, and every group's figures those of whole slots.
fn assert_sound(groups: &Groups, home: &[Slot], away: &[Slot]) -> Vec<Group> {
    let map = groups.map();
    let counted = aggregate(home, away, &map);
    let names: BTreeSet<_> = map.groups.iter().map(|group| &group.name).collect();
    assert_eq!(names.len(), map.groups.len(), "{names:?}");
    let mut online = CpuSet::new();
    for group in &counted {
        for cpu in &group.cpus {
            assert!(online.insert(cpu), "CPU {cpu} is in two groups");
        }
        assert_eq!(group.size as usize, group.cpus.len());
        assert_eq!(group.figures, figures(group.figures.wakeups));
    }
    assert_eq!(online, groups.online);
    let slots = home.iter().chain(away).map(|slot| slot.wakeups);
    assert_eq!(total(&counted), figures(slots.sum()));
    counted
}

#[test]
fn nothing_is_lost_on_any_machine() {
    for name in MACHINES {
        let topology = captured(name);
        let cpus = topology.possible.last().unwrap() + 1;
        for by in ALL {
            for shard_size in 1..=8 {
                let groups = grouped(&topology, by, shard_size, None);
                // What has not been seen has counted nothing, but would be told all the same.
                let home: Vec<Slot> = (0..cpus).map(|cpu| slot(1 << cpu)).collect();
                let away = groups.away_slots();
                let away: Vec<Slot> = (0..away).map(|away| slot(1 << (20 + away))).collect();
                assert_sound(&groups, &home, &away);
            }
        }
    }
}

/// A machine of 24 CPUs: two in a core, four in an LLC, twelve in a node.
fn machine_of_24(online: &BTreeSet<u32>) -> Topology {
    let sets = |size: u32| -> Vec<CpuSet> {
        let mut sets: BTreeMap<u32, CpuSet> = BTreeMap::new();
        for &cpu in online {
            sets.entry(cpu / size).or_default().insert(cpu);
        }
        sets.into_values().collect()
    };
    let possible: CpuSet = (0..24).collect();
    let llcs = sets(4).into_iter().zip(0..);
    Topology {
        present: possible.clone(),
        possible,
        online: online.iter().copied().collect(),
        isolated: CpuSet::new(),
        llcs: llcs
            .map(|(cpus, number)| topology::Llc {
                number,
                cache_id: cpus.first().map(|cpu| cpu / 4),
                cpus,
                level: Some(3),
            })
            .collect(),
        cores: sets(2).into_iter().map(|cpus| Core { cpus }).collect(),
        nodes: (sets(12).into_iter())
            .map(|cpus| Node {
                number: cpus.first().unwrap() / 12,
                cpus,
            })
            .collect(),
    }
}

#[test]
fn a_core_keeps_its_number_and_its_cpus() {
    let online = |cpus: &[u32]| machine_of_24(&cpus.iter().copied().collect());
    let mut groups = grouped(&online(&[0, 1, 4, 5]), GroupBy::Smt, 6, None);
    groups.update(&online(&[0, 2, 5]));
    assert_eq!(
        shown(&groups)[..3],
        ["core 0: 0", "core 1: 5", "core 2: 2"],
        "what comes later is numbered after what was there"
    );
    let home = &groups.map().groups[0].home;
    assert_eq!(home.to_string(), "0-1", "what CPU 1 counted stays");
}

#[test]
fn shards_stay_as_many_as_they_were() {
    let online = |cpus: &[u32]| machine_of_24(&cpus.iter().copied().collect());
    let mut groups = grouped(&online(&[0, 1, 2, 4]), GroupBy::Shard, 2, None);
    let before = ["LLC 0 shard 0: 0-1", "LLC 0 shard 1: 2", "LLC 1 shard 0: 4"];
    assert_eq!(shown(&groups)[..3], before);
    // LLC 1 was seen with one CPU, so all of its CPUs go to its one shard.
    groups.update(&online(&[0, 4, 5, 6, 7]));
    let after = ["LLC 0 shard 0: 0", "LLC 0 shard 1: ", "LLC 1 shard 0: 4-7"];
    assert_eq!(shown(&groups)[..3], after);
}

proptest! {
    // Each case goes through all groupings.
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever CPUs go and come, each group only grows, none disappears, and together they have
    /// all that was counted.
    #[test]
    fn groups_only_grow(
        history in prop::collection::vec(prop::collection::btree_set(0..24_u32, 1..24), 1..8),
        counts in prop::collection::vec(0..1000_u64, 24 + 25),
        shard_size in 1..8_u32,
    ) {
        for by in ALL {
            let first = machine_of_24(&history[0]);
            let mut groups = grouped(&first, by, shard_size, None);
            let mut seen = BTreeSet::new();
            let mut home = [0; 24];
            let mut away = vec![0; groups.away_slots() as usize];
            let mut before: Vec<Group> = Vec::new();
            for online in &history {
                groups.update(&machine_of_24(online));
                seen.extend(online);
                for &cpu in &seen {
                    home[cpu as usize] += counts[cpu as usize];
                    away[groups.away_of(cpu) as usize] += counts[24 + cpu as usize];
                }
                away[0] += counts[48];
                let home = home.map(slot);
                let away: Vec<Slot> = away.iter().copied().map(slot).collect();
                let now = assert_sound(&groups, &home, &away);
                for earlier in &before {
                    let later = now.iter().find(|group| group.name == earlier.name);
                    let grown = later.map(|later| later.figures.since(&earlier.figures));
                    prop_assert!(matches!(grown, Some(Ok(_))), "{}: {grown:?}", earlier.name);
                }
                before = now;
            }
            if by == GroupBy::System {
                prop_assert_eq!(before.len(), 1);
            }
        }
    }
}

#[test]
fn an_unknown_llc_counts_for_the_system_and_apart_for_all_others() {
    for by in ALL {
        let groups = grouped(&captured("6.1-nodes"), by, 6, None);
        let mut away = vec![EMPTY; groups.away_slots() as usize];
        away[0] = slot(1);
        let counted = assert_sound(&groups, &[EMPTY; 8], &away);
        let last = counted.last().unwrap();
        let expected = match by {
            GroupBy::System => ("system", GroupKind::Cpus),
            _ => ("LLC ?", GroupKind::Unknown),
        };
        assert_eq!((last.name.as_str(), last.kind), expected);
        assert_eq!(last.figures, figures(1));
    }
}
