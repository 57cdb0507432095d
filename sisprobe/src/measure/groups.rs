//! CPUs over time and how they are grouped.

use std::{collections::BTreeMap, fmt};

use sisprobe_common::state::UNKNOWN_LLC;

use super::{
    llcs::{Llcs, SeenLlc},
    membership::Membership,
};
use crate::{
    aggregate::{GroupMap, Members, Rest},
    kernel::{CpuSet, Topology},
    report::{GroupBy, GroupKind},
};

/// What is asked for: which LLCs, and what their figures are put together by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grouping {
    /// What a group is.
    pub by: GroupBy,
    /// CPUs of a shard, at least 1; no matter where groups are no shards.
    pub shard_size: u32,
    /// The numbers of the LLCs that are asked for; none for all, also those that come up later.
    /// What belongs to no LLC that is known is left out where this is some.
    pub llcs: Option<CpuSet>,
}

/// What a group is, in the order in which groups are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Llc(u32),
    Shard { llc: u32, shard: u32 },
    Cpu(u32),
    Core(usize),
    Node(u32),
    UnknownNode,
    System,
    FromOtherLlcs(u32),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Llc(llc) => write!(f, "LLC {llc}"),
            Self::Shard { llc, shard } => write!(f, "LLC {llc} shard {shard}"),
            Self::Cpu(cpu) => write!(f, "CPU {cpu}"),
            Self::Core(core) => write!(f, "core {core}"),
            Self::Node(node) => write!(f, "node {node}"),
            Self::UnknownNode => write!(f, "node ?"),
            Self::System => write!(f, "system"),
            Self::FromOtherLlcs(llc) => write!(f, "LLC {llc}, from other LLCs"),
        }
    }
}

/// The CPUs seen so far, and how their slots are grouped. A CPU stays in the group that it was
/// first seen in, so no counter of a group shrinks.
pub(super) struct Groups {
    llcs: Llcs,
    /// SMT siblings. Their numbers are those of no file in sysfs: they follow the lowest CPUs.
    cores: Membership,
    online: CpuSet,
    grouping: Grouping,
}

impl Groups {
    /// The CPUs of `topology`, all of them, by LLC.
    pub(super) fn new(topology: &Topology) -> Self {
        let mut groups = Self {
            llcs: Llcs::new(topology),
            cores: Membership::default(),
            online: CpuSet::new(),
            grouping: Grouping::default(),
        };
        groups.take_over(topology);
        groups
    }

    /// Groups in another way from now on.
    pub(super) fn set_grouping(&mut self, grouping: Grouping) {
        self.grouping = grouping;
    }

    /// How many away slots there must be.
    pub(super) const fn away_slots(&self) -> u32 {
        self.llcs.away_slots()
    }

    /// The away slot of `cpu`'s LLC, or [`UNKNOWN_LLC`].
    pub(super) fn away_of(&self, cpu: u32) -> u32 {
        self.llcs.away_of(cpu)
    }

    /// Takes over what `topology` says.
    pub(super) fn update(&mut self, topology: &Topology) {
        self.llcs.update(topology);
        self.take_over(topology);
    }

    fn take_over(&mut self, topology: &Topology) {
        for core in &topology.cores {
            let same = self.cores.meeting(&core.cpus);
            let same = same.unwrap_or_else(|| self.cores.add());
            self.cores.join(same, &core.cpus);
        }
        self.online = topology.online.clone();
    }

    /// Which slots belong to which group, and which CPUs are online in it.
    pub(super) fn map(&self) -> GroupMap {
        let mut groups: BTreeMap<Key, Members> = BTreeMap::new();
        let wanted = self.grouping.llcs.as_ref();
        let is_wanted = |llc: &SeenLlc<'_>| wanted.is_none_or(|some| some.contains(llc.number));
        for llc in self.llcs.iter().filter(is_wanted) {
            for cpu in llc.members {
                let members = group(&mut groups, self.key(&llc, cpu), llc.number);
                members.home.insert(cpu);
                if self.online.contains(cpu) {
                    members.online.insert(cpu);
                }
            }
            let key = self.away_key(&llc);
            group(&mut groups, key, llc.number).away.push(llc.away);
        }
        // What left for a CPU of an unknown LLC is of the system all the same.
        if wanted.is_none()
            && let Some(system) = groups.get_mut(&Key::System)
        {
            system.away.push(UNKNOWN_LLC);
        }
        GroupMap {
            groups: groups.into_values().collect(),
            rest: match wanted {
                Some(_) => Rest::LeftOut,
                None => Rest::Apart,
            },
        }
    }

    /// The group of a CPU's home slot.
    fn key(&self, llc: &SeenLlc<'_>, cpu: u32) -> Key {
        let by = self.grouping.by;
        match by {
            GroupBy::Llc => Key::Llc(llc.number),
            GroupBy::Cpu => Key::Cpu(cpu),
            GroupBy::Smt => self.cores.of(cpu).map_or(Key::Cpu(cpu), Key::Core),
            GroupBy::Numa => llc.node.map_or(Key::UnknownNode, Key::Node),
            GroupBy::System => Key::System,
            GroupBy::Shard | GroupBy::ShardV2 => {
                let shards = by.shards(llc.first_size, self.grouping.shard_size);
                Key::Shard {
                    llc: llc.number,
                    shard: by.shard_of(cpu, shards),
                }
            }
        }
    }

    /// The group of an LLC's away slot.
    fn away_key(&self, llc: &SeenLlc<'_>) -> Key {
        match (self.grouping.by, llc.members.first()) {
            (by, Some(cpu)) if !by.is_part_of_llc() => self.key(llc, cpu),
            _ => Key::FromOtherLlcs(llc.number),
        }
    }
}

/// The group of `key`, to which LLC `llc` adds something.
fn group(groups: &mut BTreeMap<Key, Members>, key: Key, llc: u32) -> &mut Members {
    let members = groups.entry(key).or_insert_with(|| Members {
        name: key.to_string(),
        kind: match key {
            Key::FromOtherLlcs(_) => GroupKind::FromOtherLlcs,
            _ => GroupKind::Cpus,
        },
        llc: match key {
            Key::Node(_) | Key::UnknownNode | Key::System => None,
            _ => Some(llc),
        },
        online: CpuSet::new(),
        home: CpuSet::new(),
        away: Vec::new(),
    });
    // No machine has a core that lies in two LLCs; should one say so, it is in neither.
    if members.llc != Some(llc) {
        members.llc = None;
    }
    members
}

#[cfg(test)]
mod tests;
