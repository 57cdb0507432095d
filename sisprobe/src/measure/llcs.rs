//! LLCs over time: each keeps its number, its away slot, and every CPU that it ever had, while
//! CPUs go and come back.

use sisprobe_common::state::UNKNOWN_LLC;

use super::membership::Membership;
use crate::kernel::{CpuSet, Topology, topology};

/// What is known of an LLC since it was first seen.
struct Known {
    /// Its cache, where the kernel tells which it is.
    cache: Option<Cache>,
    /// Its NUMA node, where the kernel shows nodes. It lies in one: the kernel cuts LLCs at their
    /// borders.
    node: Option<u32>,
    /// How many CPUs a search of it went over then.
    size: u32,
}

/// What tells a cache from all others: level, number, and the node, at whose border the kernel
/// cuts LLCs.
type Cache = (Option<u8>, u32, Option<u32>);

/// An LLC that was seen at some time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenLlc<'a> {
    /// Counted from 0: as in [`Topology`] for those that were there at the beginning, after those
    /// for others, in the order in which they came. It never changes.
    pub(super) number: u32,
    /// Its away slot, from 1.
    pub(super) away: u32,
    /// All CPUs that were first seen in it.
    pub(super) members: &'a CpuSet,
    /// Its NUMA node, where the kernel shows nodes.
    pub(super) node: Option<u32>,
    /// How many CPUs a search of it went over when it was first seen.
    pub(super) first_size: u32,
}

/// The LLCs seen so far.
pub(super) struct Llcs {
    known: Vec<Known>,
    members: Membership,
    away_slots: u32,
}

impl Llcs {
    /// The LLCs of `topology`, with room for those that CPUs now offline may bring.
    pub(super) fn new(topology: &Topology) -> Self {
        let offline = topology.possible.difference(&topology.online);
        let mut llcs = Self {
            known: Vec::new(),
            members: Membership::default(),
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
    /// CPU of it. A CPU stays in the LLC that it was first seen in.
    pub(super) fn update(&mut self, topology: &Topology) {
        for llc in &topology.llcs {
            let cache = cache(topology, llc);
            let by_cache = self
                .known
                .iter()
                .position(|known| cache.is_some() && known.cache == cache);
            let same = by_cache
                .or_else(|| self.members.meeting(&llc.cpus))
                .unwrap_or_else(|| self.add(topology, llc, cache));
            self.members.join(same, &llc.cpus);
        }
    }

    /// Adds an LLC without CPUs yet.
    fn add(&mut self, topology: &Topology, llc: &topology::Llc, cache: Option<Cache>) -> usize {
        self.known.push(Known {
            cache,
            node: node(topology, llc),
            size: to_u32(topology.searched(llc.number).len()),
        });
        // Each LLC that is added brings a CPU that was offline at the beginning.
        debug_assert!(
            to_u32(self.known.len()) < self.away_slots,
            "out of away slots"
        );
        self.members.add()
    }

    /// The away slot of `cpu`'s LLC, or [`UNKNOWN_LLC`].
    pub(super) fn away_of(&self, cpu: u32) -> u32 {
        self.members.of(cpu).map_or(UNKNOWN_LLC, away)
    }

    /// All of them in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = SeenLlc<'_>> {
        let known = self.known.iter().zip(self.members.sets()).enumerate();
        known.map(|(index, (known, members))| SeenLlc {
            number: to_u32(index),
            away: away(index),
            members,
            node: known.node,
            first_size: known.size,
        })
    }
}

/// The away slot of the LLC that was seen as number `index`.
fn away(index: usize) -> u32 {
    to_u32(index + 1)
}

fn node(topology: &Topology, llc: &topology::Llc) -> Option<u32> {
    llc.cpus.first().and_then(|cpu| topology.node_of(cpu))
}

/// The cache of `llc`; none where the kernel tells no number, or the same for several.
fn cache(topology: &Topology, llc: &topology::Llc) -> Option<Cache> {
    let cache = |llc: &topology::Llc| (llc.cache_id).map(|id| (llc.level, id, node(topology, llc)));
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
