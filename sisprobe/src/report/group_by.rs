//! What figures are put together by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a group is. The names of the first five are those that people use of affinity scopes,
/// kernel/workqueue.c.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GroupBy {
    /// An LLC.
    #[default]
    Llc,
    /// A CPU.
    Cpu,
    /// A core: the CPUs that are SMT siblings.
    Smt,
    /// A NUMA node.
    Numa,
    /// All CPUs.
    System,
    /// A shard of an LLC, as version 3 of the shared run queue series divides it.
    Shard,
    /// A shard of an LLC, as version 2 of that series divides it.
    ShardV2,
}

impl GroupBy {
    /// Whether a group is a part of an LLC. Then what came to an LLC from another is told apart,
    /// since it is counted for the LLC as a whole.
    pub const fn is_part_of_llc(self) -> bool {
        matches!(self, Self::Cpu | Self::Smt | Self::Shard | Self::ShardV2)
    }

    /// Whether it divides LLCs in shards, so that a shard size has a meaning.
    pub const fn is_shard(self) -> bool {
        matches!(self, Self::Shard | Self::ShardV2)
    }

    /// Into how many shards `llc_size` searched CPUs are divided; 1 with a grouping by something
    /// else. A `shard_size` of 0 counts as 1.
    ///
    /// "sched: Implement shared runqueue in CFS", a series of 2023: `ceil(llc_size / shard_size)`
    /// in its version 3, `max(llc_size / shard_size, 1)` in its version 2.
    pub fn shards(self, llc_size: u32, shard_size: u32) -> u32 {
        let shard_size = shard_size.max(1);
        let shards = match self {
            Self::Shard => llc_size.div_ceil(shard_size),
            Self::ShardV2 => llc_size / shard_size,
            Self::Llc | Self::Cpu | Self::Smt | Self::Numa | Self::System => 1,
        };
        shards.max(1)
    }

    /// Which of `shards` a CPU belongs to: `(cpu >> 1) % shards`, in version 2 `cpu % shards`.
    /// `shards` is at least 1.
    pub fn shard_of(self, cpu: u32, shards: u32) -> u32 {
        let cpu = if self == Self::ShardV2 { cpu } else { cpu >> 1 };
        cpu % shards.max(1)
    }
}

impl fmt::Display for GroupBy {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Llc => "llc",
            Self::Cpu => "cpu",
            Self::Smt => "smt",
            Self::Numa => "numa",
            Self::System => "system",
            Self::Shard => "shard",
            Self::ShardV2 => "shard-v2",
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn one_name_everywhere() {
        for by in GroupBy::value_variants() {
            let name = by.to_string();
            assert_eq!(by.to_possible_value().unwrap().get_name(), name);
            assert_eq!(serde_json::to_value(by).unwrap(), name.as_str());
        }
    }

    #[test]
    fn shards_of_known_sizes() {
        let shards = |by: GroupBy| [1, 5, 6, 7, 12, 16, 112].map(|size| by.shards(size, 6));
        assert_eq!(shards(GroupBy::Shard), [1, 1, 1, 2, 2, 3, 19]);
        assert_eq!(shards(GroupBy::ShardV2), [1, 1, 1, 1, 2, 2, 18]);
        let of = |by: GroupBy| [0, 1, 2, 3, 4, 5, 6, 7].map(|cpu| by.shard_of(cpu, 3));
        assert_eq!(of(GroupBy::Shard), [0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(of(GroupBy::ShardV2), [0, 1, 2, 0, 1, 2, 0, 1]);
    }

    /// Every size of an LLC and every size of a shard: none is too large, and none is left over.
    #[test]
    fn shards_bound_their_size_and_all_are_used() {
        for llc_size in 1..=512_u32 {
            for size in 1..=16 {
                let (v3, v2) = (
                    GroupBy::Shard.shards(llc_size, size),
                    GroupBy::ShardV2.shards(llc_size, size),
                );
                assert!(v3 * size >= llc_size && (v3 - 1) * size < llc_size);
                assert!(v2 == 1 || v2 * size <= llc_size);
                assert!((v2 + 1) * size > llc_size);
                assert!(v2 <= v3 && v3 <= v2 + 1);
                // CPUs 0 to llc_size - 1, as on a machine of one LLC.
                let used = |by: GroupBy, shards| {
                    let mut used = vec![false; shards as usize];
                    for cpu in 0..llc_size {
                        used[by.shard_of(cpu, shards) as usize] = true;
                    }
                    used.into_iter().filter(|&used| used).count() as u32
                };
                assert_eq!(used(GroupBy::ShardV2, v2), v2);
                // Two CPUs in a row go together: with shards of one there are twice too many.
                assert_eq!(used(GroupBy::Shard, v3), v3.min(llc_size.div_ceil(2)));
            }
        }
    }

    #[test]
    fn nothing_to_divide_is_one_shard() {
        for by in [GroupBy::Shard, GroupBy::ShardV2] {
            assert_eq!(by.shards(0, 6), 1, "an LLC whose CPUs are all isolated");
            assert_eq!(by.shards(8, 0), 8);
            assert_eq!(by.shard_of(7, 0), 0);
        }
        assert_eq!(GroupBy::Llc.shards(64, 6), 1);
    }
}
