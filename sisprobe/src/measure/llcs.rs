//! LLCs over time: each keeps its away slot, and every CPU that it ever had, while CPUs go and
//! come back.

use sisprobe_common::state::UNKNOWN_LLC;

use crate::{
    aggregate::{Llc, LlcMap},
    kernel::{CpuSet, Topology},
};

/// An LLC that was seen at some time.
struct Known {
    /// Its away slot, from 1.
    away: u32,
    /// Its CPUs that are online now.
    online: CpuSet,
    /// All CPUs that it ever had.
    members: CpuSet,
}

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

    /// Takes over what `topology` says. An LLC is one known before if it has a CPU of it.
    pub(super) fn update(&mut self, topology: &Topology) {
        for known in &mut self.known {
            known.online = CpuSet::default();
        }
        for llc in &topology.llcs {
            let same = self
                .known
                .iter_mut()
                .find(|known| llc.cpus.iter().any(|cpu| known.members.contains(cpu)));
            if let Some(known) = same {
                for cpu in llc.cpus.iter() {
                    known.members.insert(cpu);
                }
                known.online = llc.cpus.clone();
            } else {
                let away = to_u32(self.known.len() + 1);
                self.known.push(Known {
                    // Out of slots only if LLCs split, which no machine does: then not known.
                    away: if away < self.away_slots {
                        away
                    } else {
                        UNKNOWN_LLC
                    },
                    online: llc.cpus.clone(),
                    members: llc.cpus.clone(),
                });
            }
        }
        self.known.sort_by_key(|known| known.members.first());
    }

    /// The away slot of `cpu`'s LLC, or [`UNKNOWN_LLC`].
    pub(super) fn away_of(&self, cpu: u32) -> u32 {
        self.known
            .iter()
            .find(|known| known.members.contains(cpu))
            .map_or(UNKNOWN_LLC, |known| known.away)
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

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("no machine has 2^32 CPUs")
}
