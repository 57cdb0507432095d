//! LLCs over time: each keeps its away slot, and every CPU that it ever had, while CPUs go and
//! come back.

use sisprobe_common::state::UNKNOWN_LLC;

use crate::{
    aggregate::{Llc, LlcMap},
    kernel::{CpuSet, Topology, topology},
};

/// An LLC that was seen at some time.
struct Known {
    /// Its away slot, from 1.
    away: u32,
    /// Its cache, where the kernel tells which it is.
    cache: Option<Cache>,
    /// Its CPUs that are online now.
    online: CpuSet,
    /// All CPUs that it ever had.
    members: CpuSet,
}

/// What tells a cache from all others: level, number, and the node, at whose border the kernel
/// cuts LLCs.
type Cache = (Option<u8>, u32, Option<u32>);

/// The LLCs seen so far.
pub(super) struct Llcs {
    known: Vec<Known>,
    away_slots: u32,
}

impl Llcs {
    /// The LLCs of `topology`, with room for those that CPUs now offline may bring.
    pub(super) fn new(topology: &Topology) -> Self {
        let offline = topology.possible.difference(&topology.online);
        let mut llcs = Self {
            known: Vec::new(),
            away_slots: to_u32(1 + topology.llcs.len() + offline.len()),
        };
        llcs.update(topology);
        llcs
    }

    /// How many away slots there must be, [`UNKNOWN_LLC`] included.
    pub(super) const fn away_slots(&self) -> u32 {
        self.away_slots
    }

    /// Takes over what `topology` says. An LLC is one known before if it has that one's cache or a
    /// CPU of it. A CPU stays in the LLC that it was first seen in, for there its counts are.
    pub(super) fn update(&mut self, topology: &Topology) {
        for known in &mut self.known {
            known.online = CpuSet::default();
        }
        for llc in &topology.llcs {
            let cache = cache(topology, llc);
            let same = self.known.iter().position(|known| {
                cache.is_some() && known.cache == cache
                    || llc.cpus.iter().any(|cpu| known.members.contains(cpu))
            });
            let same = same.unwrap_or_else(|| {
                self.add(cache);
                self.known.len() - 1
            });
            for cpu in llc.cpus.iter() {
                let owner = self.owner(cpu).unwrap_or(same);
                self.known[owner].members.insert(cpu);
                self.known[owner].online.insert(cpu);
            }
        }
        self.known.sort_by_key(|known| known.members.first());
    }

    /// Adds an LLC without CPUs yet.
    fn add(&mut self, cache: Option<Cache>) {
        let away = to_u32(self.known.len() + 1);
        // Each LLC that is added brings a CPU that was offline at the beginning.
        debug_assert!(away < self.away_slots, "out of away slots");
        self.known.push(Known {
            away,
            cache,
            online: CpuSet::new(),
            members: CpuSet::new(),
        });
    }

    /// Which LLC `cpu` was seen in.
    fn owner(&self, cpu: u32) -> Option<usize> {
        self.known
            .iter()
            .position(|known| known.members.contains(cpu))
    }

    /// The away slot of `cpu`'s LLC, or [`UNKNOWN_LLC`].
    pub(super) fn away_of(&self, cpu: u32) -> u32 {
        self.owner(cpu)
            .map_or(UNKNOWN_LLC, |owner| self.known[owner].away)
    }

    /// Which slots belong to which LLC, numbered in the order of their lowest CPUs.
    pub(super) fn map(&self) -> LlcMap {
        let llcs = self.known.iter().zip(0..).map(|(known, id)| Llc {
            id,
            away: known.away,
            cpus: known.online.to_string(),
            size: to_u32(known.online.len()),
            home: known.members.iter().collect(),
        });
        LlcMap {
            llcs: llcs.collect(),
        }
    }
}

/// The cache of `llc`; none where the kernel tells no number, or the same for several.
fn cache(topology: &Topology, llc: &topology::Llc) -> Option<Cache> {
    let cache = |llc: &topology::Llc| {
        let node = llc.cpus.first().and_then(|cpu| topology.node_of(cpu));
        llc.cache_id.map(|id| (llc.level, id, node))
    };
    let wanted = cache(llc)?;
    let same = topology
        .llcs
        .iter()
        .filter(|&llc| cache(llc) == Some(wanted));
    (same.count() == 1).then_some(wanted)
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("no machine has 2^32 CPUs")
}

#[cfg(test)]
mod tests;
