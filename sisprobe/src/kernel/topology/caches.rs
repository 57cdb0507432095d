//! The last-level cache of a CPU.

use std::fs;

use super::super::read::{self, Missing};
use super::super::{CpuSet, Root};
use super::sysfs;

/// A cache of one CPU.
pub(super) struct Cache {
    pub(super) id: Option<u32>,
    pub(super) level: u8,
    pub(super) cpus: CpuSet,
}

/// The cache of the highest level that holds data, from the second level on: a cache of the
/// first level is a core's own, and the kernel makes no LLC of it. None if sysfs shows no such
/// cache (drivers/base/cacheinfo.c shows none where the CPU tells nothing).
pub(super) fn last_level(root: &Root, cpu: u32) -> Result<Option<Cache>, Missing> {
    let folder = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
    let Ok(entries) = fs::read_dir(root.path(&folder)) else {
        return Ok(None);
    };
    let mut last: Option<(u8, String)> = None;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with("index")) else {
            continue;
        };
        let index = format!("{folder}/{name}");
        // Some hypervisors leave level or type out; such a cache says nothing.
        let (Ok(level), Ok(kind)) = (
            read::number::<u8>(root, &format!("{index}/level")),
            read::text(root, &format!("{index}/type")),
        ) else {
            continue;
        };
        let holds_data = kind == "Data" || kind == "Unified";
        if holds_data && level >= 2 && last.as_ref().is_none_or(|(best, _)| level > *best) {
            last = Some((level, index));
        }
    }
    let Some((level, index)) = last else {
        return Ok(None);
    };
    let cpus = match sysfs::list(root, &format!("{index}/shared_cpu_list")) {
        Ok(cpus) => cpus,
        Err(Missing::Absent(_)) => return Ok(None),
        Err(unknown) => return Err(unknown),
    };
    Ok(Some(Cache {
        id: read::number(root, &format!("{index}/id")).ok(),
        level,
        cpus,
    }))
}
