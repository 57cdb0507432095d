//! The topology as sysfs shows it.

use std::fs;

use super::super::read::{self, Missing};
use super::super::{CpuSet, Root};
use super::caches::{self, Cache};
use super::{Core, Llc, Node, Topology};

const CPUS: &str = "/sys/devices/system/cpu";
const NODES: &str = "/sys/devices/system/node";

/// One online CPU, before CPUs are put together.
struct Cpu {
    number: u32,
    siblings: CpuSet,
    package: CpuSet,
    cache: Option<Cache>,
}

/// The CPU list in file `path`.
pub(super) fn list(root: &Root, path: &str) -> Result<CpuSet, Missing> {
    read::text(root, path)?
        .parse()
        .map_err(|error| Missing::Unknown(format!("{path}: {error}")))
}

/// The first of `paths` that can be read, without the CPUs that are not online; none of them
/// leaves `cpu` on its own.
fn shared(root: &Root, cpu: u32, online: &CpuSet, paths: &[&str]) -> Result<CpuSet, Missing> {
    for path in paths {
        match list(root, &format!("{CPUS}/cpu{cpu}/topology/{path}")) {
            Ok(cpus) => {
                let mut cpus = cpus.intersection(online);
                cpus.insert(cpu);
                return Ok(cpus);
            }
            Err(Missing::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
    }
    Ok([cpu].into_iter().collect())
}

pub(super) fn read(root: &Root) -> Result<Topology, Missing> {
    let online_path = format!("{CPUS}/online");
    let online = match list(root, &online_path) {
        Ok(online) if online.is_empty() => {
            return Err(Missing::Unknown(format!("{online_path} names no CPU")));
        }
        Ok(online) => online,
        Err(Missing::Absent(why) | Missing::Unknown(why)) => {
            return Err(Missing::Unknown(format!(
                "{why}, so it is not known which CPUs run: is sysfs mounted?"
            )));
        }
    };
    // A kernel that does not tell has no hotplug.
    let or_online = |name: &str| match list(root, &format!("{CPUS}/{name}")) {
        Ok(cpus) => Ok(cpus),
        Err(Missing::Absent(_)) => Ok(online.clone()),
        Err(unknown) => Err(unknown),
    };
    let possible = or_online("possible")?;
    let present = or_online("present")?;
    let isolated = match list(root, &format!("{CPUS}/isolated")) {
        Err(Missing::Absent(_)) => CpuSet::new(),
        isolated => isolated?,
    };
    let nodes = nodes(root, &online)?;
    let cpus = online
        .iter()
        .map(|number| {
            Ok(Cpu {
                number,
                // The names of Linux 5.3 and later first.
                siblings: shared(
                    root,
                    number,
                    &online,
                    &["core_cpus_list", "thread_siblings_list"],
                )?,
                package: shared(
                    root,
                    number,
                    &online,
                    &["package_cpus_list", "core_siblings_list"],
                )?,
                cache: caches::last_level(root, number)?,
            })
        })
        .collect::<Result<Vec<_>, Missing>>()?;
    Ok(Topology {
        llcs: llcs(&cpus, &online, &nodes),
        cores: cores(&cpus),
        possible,
        present,
        online,
        isolated,
        nodes,
    })
}

fn nodes(root: &Root, online: &CpuSet) -> Result<Vec<Node>, Missing> {
    let Ok(folder) = fs::read_dir(root.path(NODES)) else {
        return Ok(Vec::new());
    };
    let mut nodes = Vec::new();
    for entry in folder.flatten() {
        let name = entry.file_name();
        let Some(number) = name
            .to_str()
            .and_then(|name| name.strip_prefix("node")?.parse().ok())
        else {
            continue;
        };
        let cpus = list(root, &format!("{NODES}/node{number}/cpulist"))?.intersection(online);
        nodes.push(Node { number, cpus });
    }
    nodes.sort_by_key(|node| node.number);
    Ok(nodes)
}

/// The CPUs that share the last-level cache with each CPU, put together to LLCs.
///
/// As the kernel does it for its LLC domain: `cpu_coregroup_mask` is what the cache's shared
/// list says, cut at the border of the NUMA node (arch/x86/kernel/smpboot.c, `match_llc` and
/// `topology_sane`; drivers/base/arch_topology.c, `cpu_coregroup_mask`); and where a CPU tells
/// nothing of a cache above the first level, the whole package counts as sharing one
/// (arch/x86/kernel/cpu/cacheinfo.c, `init_intel_cacheinfo`).
fn llcs(cpus: &[Cpu], online: &CpuSet, nodes: &[Node]) -> Vec<Llc> {
    let mut llcs: Vec<Llc> = Vec::new();
    let mut taken = CpuSet::new();
    for cpu in cpus {
        if taken.contains(cpu.number) {
            continue;
        }
        let mut shared = match &cpu.cache {
            Some(cache) => cache.cpus.intersection(online),
            None => cpu.package.clone(),
        };
        if let Some(node) = nodes.iter().find(|node| node.cpus.contains(cpu.number)) {
            shared = shared.intersection(&node.cpus);
        }
        // Lists that contradict each other (they are not read at one moment) must not put a CPU
        // into two LLCs.
        let mut shared = shared.difference(&taken);
        shared.insert(cpu.number);
        for member in &shared {
            taken.insert(member);
        }
        llcs.push(Llc {
            number: u32::try_from(llcs.len()).unwrap_or(u32::MAX),
            cpus: shared,
            cache_id: cpu.cache.as_ref().and_then(|cache| cache.id),
            level: cpu.cache.as_ref().map(|cache| cache.level),
        });
    }
    llcs
}

fn cores(cpus: &[Cpu]) -> Vec<Core> {
    let mut cores = Vec::new();
    let mut taken = CpuSet::new();
    for cpu in cpus {
        if taken.contains(cpu.number) {
            continue;
        }
        let siblings = cpu.siblings.difference(&taken);
        for member in &siblings {
            taken.insert(member);
        }
        cores.push(Core { cpus: siblings });
    }
    cores
}
