//! Sets of CPUs in the kernel's list form: `0-3,8-11`.

use std::cmp::Ordering;
use std::fmt;
use std::iter::FlatMap;
use std::ops::RangeInclusive;
use std::slice;
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
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(with = "String"))]
pub struct CpuSet(
    // Held in that form too, so that it takes no more memory than its text, whoever wrote that.
    /// First and last of each range, in ascending order, none next to another.
    Vec<(u32, u32)>,
);

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
        Self(Vec::new())
    }

    /// Ranges in any order, which may overlap.
    fn of(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        Self(merged)
    }

    /// Whether `cpu` is in the set.
    pub fn contains(&self, cpu: u32) -> bool {
        let place = self.0.partition_point(|&(_, last)| last < cpu);
        self.0.get(place).is_some_and(|&(first, _)| first <= cpu)
    }

    /// How many CPUs there are in the set.
    pub fn len(&self) -> usize {
        let ranges = self.0.iter();
        ranges
            .map(|&(first, last)| (last - first) as usize + 1)
            .sum()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lowest CPU.
    pub fn first(&self) -> Option<u32> {
        self.0.first().map(|&(first, _)| first)
    }

    /// The highest CPU.
    pub fn last(&self) -> Option<u32> {
        self.0.last().map(|&(_, last)| last)
    }

    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Adds `cpu`; says whether it is new.
    pub fn insert(&mut self, cpu: u32) -> bool {
        let is_new = !self.contains(cpu);
        if is_new {
            self.0.push((cpu, cpu));
            *self = Self::of(std::mem::take(&mut self.0));
        }
        is_new
    }

    /// The CPUs that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.difference(&self.difference(other))
    }

    /// The CPUs of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut left = Vec::new();
        let mut others = other.0.iter().peekable();
        for &(mut first, last) in &self.0 {
            while others.next_if(|&&(_, end)| end < first).is_some() {}
            let mut all_taken = false;
            while let Some(&&(start, end)) = others.peek() {
                if start > last {
                    break;
                }
                if first < start {
                    left.push((first, start - 1));
                }
                if end >= last {
                    all_taken = true;
                    break;
                }
                first = end + 1;
                others.next();
            }
            if !all_taken {
                left.push((first, last));
            }
        }
        Self(left)
    }

    /// Whether all of this set's CPUs are in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }
}

impl Ord for CpuSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl PartialOrd for CpuSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> Self {
        Self::of(cpus.into_iter().map(|cpu| (cpu, cpu)).collect())
    }
}

/// All of them together.
impl<'a> FromIterator<&'a Self> for CpuSet {
    fn from_iter<I: IntoIterator<Item = &'a Self>>(sets: I) -> Self {
        Self::of(sets.into_iter().flat_map(|set| &set.0).copied().collect())
    }
}

impl<'a> IntoIterator for &'a CpuSet {
    type Item = u32;
    type IntoIter = FlatMap<
        slice::Iter<'a, (u32, u32)>,
        RangeInclusive<u32>,
        fn(&(u32, u32)) -> RangeInclusive<u32>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().flat_map(|&(first, last)| first..=last)
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
        for &(first, last) in &self.0 {
            if !list.is_empty() {
                list.push(',');
            }
            list += &first.to_string();
            if last > first {
                list.push('-');
                list += &last.to_string();
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
        let mut ranges = Vec::new();
        if list.is_empty() {
            return Ok(Self::new());
        }
        for item in list.split(',') {
            let (start, end) = match item.split_once('-') {
                Some((start, end)) => (number(start, item)?, number(end, item)?),
                None => (number(item, item)?, number(item, item)?),
            };
            if end < start {
                return Err(CpuListError::Backwards(item.to_owned()));
            }
            ranges.push((start, end));
        }
        Ok(Self::of(ranges))
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
    use std::collections::BTreeSet;

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

        /// As a set that has every CPU by itself.
        #[test]
        fn sets_are_sets(
            one in proptest::collection::btree_set(0..60_u32, 0..40),
            other in proptest::collection::btree_set(0..60_u32, 0..40),
            cpu in 0..60_u32,
        ) {
            let of = |cpus: &BTreeSet<u32>| cpus.iter().copied().collect::<CpuSet>();
            let (a, b) = (of(&one), of(&other));
            prop_assert_eq!(a.difference(&b), of(&(&one - &other)));
            prop_assert_eq!(a.intersection(&b), of(&(&one & &other)));
            prop_assert_eq!([&a, &b].into_iter().collect::<CpuSet>(), of(&(&one | &other)));
            prop_assert_eq!(a.is_subset(&b), one.is_subset(&other));
            prop_assert_eq!(a.cmp(&b), one.cmp(&other));
            prop_assert_eq!(a.contains(cpu), one.contains(&cpu));
            prop_assert_eq!(a.len(), one.len());
            prop_assert_eq!((a.first(), a.last()), (one.first().copied(), one.last().copied()));
            prop_assert!(a.iter().rev().eq(one.iter().rev().copied()));
            let (mut grown, mut model) = (a, one);
            prop_assert_eq!(grown.insert(cpu), model.insert(cpu));
            prop_assert_eq!(grown, of(&model));
        }

        #[test]
        fn no_text_makes_it_panic(list in "[-0-9,a ]{0,20}") {
            let _ = list.parse::<CpuSet>();
        }
    }
}
