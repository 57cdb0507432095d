//! Which set a CPU belongs to, for as long as the measurement lasts.

use std::collections::BTreeMap;

use crate::kernel::CpuSet;

/// Sets of CPUs that only grow, numbered from 0 in the order in which they were first seen. A CPU
/// stays in the set that it was first seen in, for there its counts are.
#[derive(Default)]
pub(super) struct Membership {
    sets: Vec<CpuSet>,
    of: BTreeMap<u32, usize>,
}

impl Membership {
    /// The set that `cpu` was first seen in.
    pub(super) fn of(&self, cpu: u32) -> Option<usize> {
        self.of.get(&cpu).copied()
    }

    /// All CPUs ever seen in each set, by its number.
    pub(super) fn sets(&self) -> &[CpuSet] {
        &self.sets
    }

    /// The lowest set that has one of `cpus`.
    pub(super) fn meeting(&self, cpus: &CpuSet) -> Option<usize> {
        cpus.iter().filter_map(|cpu| self.of(cpu)).min()
    }

    /// A new set without CPUs yet.
    pub(super) fn add(&mut self) -> usize {
        self.sets.push(CpuSet::new());
        self.sets.len() - 1
    }

    /// Puts into `set` those of `cpus` that are in none.
    pub(super) fn join(&mut self, set: usize, cpus: &CpuSet) {
        for cpu in cpus {
            if let std::collections::btree_map::Entry::Vacant(new) = self.of.entry(cpu) {
                new.insert(set);
                self.sets[set].insert(cpu);
            }
        }
    }
}
