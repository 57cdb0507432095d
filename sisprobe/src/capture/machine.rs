//! On what it was measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kernel::{Facts, Feature, KernelConfig, Root, Topology, boot_command_line};

/// The options of the kernel's build that change what a wake-up costs.
const OPTIONS: [&str; 16] = [
    "CONFIG_PREEMPT_NONE",
    "CONFIG_PREEMPT_VOLUNTARY",
    "CONFIG_PREEMPT",
    "CONFIG_PREEMPT_DYNAMIC",
    "CONFIG_PREEMPT_RT",
    "CONFIG_HZ",
    "CONFIG_NO_HZ_FULL",
    "CONFIG_NUMA",
    "CONFIG_SCHED_SMT",
    "CONFIG_SCHED_CLUSTER",
    "CONFIG_SCHED_MC",
    "CONFIG_SCHED_CORE",
    "CONFIG_SCHED_CLASS_EXT",
    "CONFIG_FAIR_GROUP_SCHED",
    "CONFIG_UCLAMP_TASK",
    "CONFIG_JUMP_LABEL",
];

/// The kernel and the CPUs. What cannot be read is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Machine {
    /// `uname -r`.
    pub release: Option<String>,
    /// `uname -m`.
    pub architecture: Option<String>,
    /// The kernel's GNU build id, in hex.
    pub build_id: Option<String>,
    /// What the kernel was booted with: /proc/cmdline.
    pub boot_command_line: Option<String>,
    /// The options of its build that change what a wake-up costs; without those not set.
    pub options: Option<BTreeMap<String, String>>,
    /// The scheduler's features as the first run began, those of the search and all others.
    pub features: Option<Vec<Feature>>,
    /// CPUs, caches, nodes, as the first run began.
    pub topology: Option<Topology>,
}

impl Machine {
    /// That which `facts` were gathered of, under `root`.
    pub fn of(facts: &Facts, root: &Root) -> Self {
        let release = facts.release.found();
        let config = KernelConfig::read(root, release.map(String::as_str));
        Self {
            release: release.cloned(),
            architecture: facts.machine.found().cloned(),
            build_id: facts.build_id.found().map(ToString::to_string),
            boot_command_line: boot_command_line(root).found().cloned(),
            options: config.found().map(options),
            features: facts
                .features
                .found()
                .map(|features| features.iter().cloned().collect()),
            topology: facts.topology.found().cloned(),
        }
    }

    /// How many CPUs were online; none where that is not known.
    pub fn cpus(&self) -> Option<usize> {
        self.topology.as_ref().map(|topology| topology.online.len())
    }
}

fn options(config: &KernelConfig) -> BTreeMap<String, String> {
    let set = |option: &&str| Some(((*option).to_owned(), config.get(option)?.to_owned()));
    OPTIONS.iter().filter_map(set).collect()
}
