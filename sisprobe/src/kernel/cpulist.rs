//! Sets of CPUs in the kernel's list form: `0-3,8-11`.

use std::collections::{BTreeSet, btree_set};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// CPU numbers are below this. The kernel's own limit is `CONFIG_NR_CPUS`, at most 8,192 on the
/// architectures of today; the bound keeps a damaged list from filling the memory.
pub const CPU_LIMIT: u32 = 1 << 16;

/// A set of CPU numbers, in ascending order.
///
/// Printed, parsed and serialized in the form that the kernel prints with `%*pbl`
/// (lib/vsprintf.c, `bitmap_list_string`): ranges and single numbers with commas between them,
/// nothing at all for the empty set.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(with = "String"))]
pub struct CpuSet(BTreeSet<u32>);

/// What is wrong with a CPU list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuListError {
    /// An item is no number and no range.
    #[error("`{0}` is not a CPU number nor a range such as 0-3")]
    NotANumber(String),
    /// A range whose end lies before its start.
    #[error("the range `{0}` runs backwards")]
    Backwards(String),
    /// A number that no kernel has.
    #[error("CPU {0} is beyond what a kernel can have (below {CPU_LIMIT})")]
    TooLarge(u64),
}

impl CpuSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// Whether `cpu` is in the set.
    pub fn contains(&self, cpu: u32) -> bool {
        self.0.contains(&cpu)
    }

    /// How many CPUs there are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lowest CPU.
    pub fn first(&self) -> Option<u32> {
        self.0.first().copied()
    }

    /// The highest CPU.
    pub fn last(&self) -> Option<u32> {
        self.0.last().copied()
    }

    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    /// Adds `cpu`; says whether it is new.
    pub fn insert(&mut self, cpu: u32) -> bool {
        self.0.insert(cpu)
    }

    /// The CPUs that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).copied().collect())
    }

    /// The CPUs of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(self.0.difference(&other.0).copied().collect())
    }

    /// Whether all of this set's CPUs are in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a CpuSet {
    type Item = u32;
    type IntoIter = std::iter::Copied<btree_set::Iter<'a, u32>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl fmt::Debug for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CpuSet({self})")
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = String::new();
        let mut cpus = self.iter().peekable();
        while let Some(start) = cpus.next() {
            let mut end = start;
            while cpus.next_if_eq(&(end + 1)).is_some() {
                end += 1;
            }
            if !list.is_empty() {
                list.push(',');
            }
            list += &start.to_string();
            if end > start {
                list.push('-');
                list += &end.to_string();
            }
        }
        f.pad(&list)
    }
}

impl FromStr for CpuSet {
    type Err = CpuListError;

    /// Reads a list; white space around the whole of it (the kernel ends it with a newline) is
    /// no part of it. The order of the items does not matter, overlaps are merged.
    fn from_str(list: &str) -> Result<Self, CpuListError> {
        let list = list.trim();
        let mut cpus = Self::new();
        if list.is_empty() {
            return Ok(cpus);
        }
        for item in list.split(',') {
            let (start, end) = match item.split_once('-') {
                Some((start, end)) => (number(start, item)?, number(end, item)?),
                None => (number(item, item)?, number(item, item)?),
            };
            if end < start {
                return Err(CpuListError::Backwards(item.to_owned()));
            }
            cpus.0.extend(start..=end);
        }
        Ok(cpus)
    }
}

/// Digits only: `u32::from_str` would take a sign as well.
fn number(digits: &str, item: &str) -> Result<u32, CpuListError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CpuListError::NotANumber(item.to_owned()));
    }
    let number = digits.parse::<u64>().unwrap_or(u64::MAX);
    u32::try_from(number)
        .ok()
        .filter(|&cpu| cpu < CPU_LIMIT)
        .ok_or(CpuListError::TooLarge(number))
}

impl Serialize for CpuSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CpuSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(list: &str) -> CpuSet {
        list.parse().unwrap()
    }

    #[test]
    fn reads_what_the_kernel_prints() {
        assert_eq!(set("0-3,8-11\n"), (0..4).chain(8..12).collect());
        assert_eq!(set("5"), [5].into_iter().collect());
        assert_eq!(set(""), CpuSet::new());
        assert_eq!(set("\n"), CpuSet::new());
        assert_eq!(set("0,2-3,7").to_string(), "0,2-3,7");
    }

    #[test]
    fn refuses_what_the_kernel_never_prints() {
        for list in [",", "0,", "-", "-1", "1-", "0x1", "+1", "1 2", "1-2-3", "a"] {
            assert!(
                matches!(list.parse::<CpuSet>(), Err(CpuListError::NotANumber(_))),
                "{list}"
            );
        }
        assert_eq!(
            "3-1".parse::<CpuSet>(),
            Err(CpuListError::Backwards("3-1".into()))
        );
        assert_eq!(
            "0-4294967295".parse::<CpuSet>(),
            Err(CpuListError::TooLarge(4_294_967_295))
        );
        assert_eq!(
            "65536".parse::<CpuSet>(),
            Err(CpuListError::TooLarge(65_536))
        );
        assert!("65535".parse::<CpuSet>().is_ok());
    }

    proptest! {
        #[test]
        fn print_and_parse_are_inverse(cpus in proptest::collection::btree_set(0..300_u32, 0..80)) {
            let set: CpuSet = cpus.iter().copied().collect();
            prop_assert_eq!(set.to_string().parse::<CpuSet>().unwrap(), set);
        }

        #[test]
        fn printed_ranges_are_as_long_as_can_be(
            cpus in proptest::collection::btree_set(0..60_u32, 1..50),
        ) {
            let set: CpuSet = cpus.iter().copied().collect();
            let gaps = cpus.iter().filter(|&&cpu| !cpus.contains(&(cpu + 1))).count();
            prop_assert_eq!(set.to_string().split(',').count(), gaps);
        }

        #[test]
        fn no_text_makes_it_panic(list in "[-0-9,a ]{0,20}") {
            let _ = list.parse::<CpuSet>();
        }
    }
}
