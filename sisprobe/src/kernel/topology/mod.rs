//! Which CPUs there are, and what they share: LLCs, cores, nodes.

mod caches;
mod sysfs;

use serde::{Deserialize, Serialize};

use super::{Answer, CpuSet, Root};

/// CPUs that share a last-level cache, as the scheduler's LLC domain (`sd_llc`) sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Llc {
    /// Counted from 0 in the order of the LLCs' lowest CPUs.
    pub number: u32,
    /// The online CPUs of it.
    pub cpus: CpuSet,
    /// `id` of the cache in sysfs, where the kernel shows one.
    pub cache_id: Option<u32>,
    /// Level of the cache: 3 as a rule. None where sysfs shows no cache, so that the LLC is the
    /// package, as it is for the kernel.
    pub level: Option<u8>,
}

/// CPUs of one core: SMT siblings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Core {
    /// The online CPUs of it.
    pub cpus: CpuSet,
}

/// CPUs of one NUMA node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Node {
    /// The kernel's number of it.
    pub number: u32,
    /// The online CPUs of it; none for a node that has memory only.
    pub cpus: CpuSet,
}

/// The CPUs of a machine at one moment; plain data that does not change afterwards. CPUs can go
/// on- and offline later: read it again to see that.
///
/// Not seen here, for sysfs does not show it: scheduling domains that cpusets cut up
/// (cpuset.cpus.partition). CPUs taken out of all domains at boot are in `isolated`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Topology {
    /// CPUs that could ever be there: per-CPU data exists for these.
    pub possible: CpuSet,
    /// CPUs that are plugged in.
    pub present: CpuSet,
    /// CPUs that run.
    pub online: CpuSet,
    /// CPUs without a scheduling domain (`isolcpus=domain`): no search looks at them, though
    /// they share a cache and so are in an [`Llc`]. See [`Topology::searched`].
    pub isolated: CpuSet,
    /// In ascending order; each online CPU is in exactly one.
    pub llcs: Vec<Llc>,
    /// In the order of their lowest CPUs; each online CPU is in exactly one.
    pub cores: Vec<Core>,
    /// In ascending order; empty where the kernel shows no nodes (no CONFIG_NUMA).
    pub nodes: Vec<Node>,
}

impl Topology {
    /// Reads /sys/devices/system/cpu and /sys/devices/system/node.
    ///
    /// Unknown if sysfs does not even tell which CPUs are online.
    pub fn read(root: &Root) -> Answer<Self> {
        sysfs::read(root).into()
    }

    /// The number of the LLC that `cpu` belongs to; none if it is not online.
    pub fn llc_of(&self, cpu: u32) -> Option<u32> {
        self.llcs
            .iter()
            .find(|llc| llc.cpus.contains(cpu))
            .map(|llc| llc.number)
    }

    /// LLC `number`.
    pub fn llc(&self, number: u32) -> Option<&Llc> {
        self.llcs.get(number as usize)
    }

    /// The CPUs that a search of LLC `number` goes over, as many as the kernel's `sd_llc_size`:
    /// its online CPUs without the isolated ones. Empty if there is no such LLC, or if all of it
    /// is isolated.
    pub fn searched(&self, number: u32) -> CpuSet {
        self.llc(number)
            .map_or_else(CpuSet::new, |llc| llc.cpus.difference(&self.isolated))
    }

    /// The online CPUs of the core of `cpu`, itself among them; none if it is not online.
    pub fn core_of(&self, cpu: u32) -> Option<&CpuSet> {
        self.cores
            .iter()
            .map(|core| &core.cpus)
            .find(|cpus| cpus.contains(cpu))
    }

    /// How many CPUs of the core of `cpu` are online, itself among them; 0 if it is not.
    pub fn smt_width(&self, cpu: u32) -> u32 {
        self.core_of(cpu)
            .map_or(0, |cpus| u32::try_from(cpus.len()).unwrap_or(u32::MAX))
    }

    /// The NUMA node of `cpu`; none if it is not online or the kernel shows no nodes.
    pub fn node_of(&self, cpu: u32) -> Option<u32> {
        self.nodes
            .iter()
            .find(|node| node.cpus.contains(cpu))
            .map(|node| node.number)
    }
}

#[cfg(test)]
mod tests;
