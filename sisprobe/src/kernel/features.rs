//! The scheduler's features: the switches of kernel/sched/features.h.

use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::read::{self, Missing};
use super::{Answer, Lockdown, Root};

/// Since Linux 5.13, and before.
const PLACES: [&str; 2] = [
    "/sys/kernel/debug/sched/features",
    "/sys/kernel/debug/sched_features",
];

/// One switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature {
    /// Without the `NO_` of one that is off.
    pub name: String,
    /// Whether it is on.
    pub enabled: bool,
}

/// All switches of this kernel, in its own order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Features(Vec<Feature>);

impl Features {
    /// Reads them from debugfs. Unknown where debugfs is not mounted or not readable: the kernel
    /// shows them nowhere else.
    pub fn read(root: &Root) -> Answer<Self> {
        try_read(root).into()
    }

    /// Switches one feature: `SIS_UTIL` on, `NO_SIS_UTIL` off (kernel/sched/debug.c,
    /// `sched_feat_write`).
    ///
    /// # Errors
    ///
    /// Where it was written to, and what the kernel answered.
    pub fn set(root: &Root, word: &str) -> Result<(), (String, io::Error)> {
        let mut places = PLACES.into_iter();
        let there = places.find(|place| root.path(place).exists());
        let place = there.unwrap_or(PLACES[0]);
        fs::write(root.path(place), word).map_err(|error| (place.to_owned(), error))
    }

    /// Whether the feature `name` is on; none if this kernel has no such feature.
    pub fn get(&self, name: &str) -> Option<bool> {
        self.0
            .iter()
            .find(|feature| feature.name == name)
            .map(|feature| feature.enabled)
    }

    /// Those that bound the search for an idle CPU: `SIS_UTIL`, `SIS_PROP` and their like.
    pub fn of_search(&self) -> impl Iterator<Item = &Feature> {
        self.iter()
            .filter(|feature| feature.name.starts_with("SIS_"))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Feature> {
        self.0.iter()
    }
}

fn try_read(root: &Root) -> Result<Features, Missing> {
    let mut newest = None;
    for place in PLACES {
        match read::mounted_text(root, read::DEBUGFS, place) {
            Ok(text) => return parse(place, &text),
            Err(why) => newest = newest.or(Some(why)),
        }
    }
    if let Some(level @ (Lockdown::Integrity | Lockdown::Confidentiality)) =
        Lockdown::read(root).found()
    {
        return Err(Missing::Unknown(format!(
            "{} cannot be read: the kernel is locked down ({})",
            PLACES[0],
            level.name()
        )));
    }
    Err(match newest {
        Some(Missing::Unknown(why)) => Missing::Unknown(why),
        Some(Missing::Absent(_)) | None => Missing::Absent(format!(
            "{} is not there though debugfs is mounted (CONFIG_SCHED_DEBUG)",
            PLACES[0]
        )),
    })
}

/// kernel/sched/debug.c, `sched_feat_show`: names with blanks between, `NO_` before those off.
fn parse(place: &str, text: &str) -> Result<Features, Missing> {
    let features: Vec<Feature> = text
        .split_ascii_whitespace()
        .map(|word| {
            let off = word.strip_prefix("NO_");
            Feature {
                name: off.unwrap_or(word).to_owned(),
                enabled: off.is_none(),
            }
        })
        .collect();
    if features.is_empty() {
        return Err(Missing::Unknown(format!("{place} is empty")));
    }
    Ok(Features(features))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    #[test]
    fn on_and_off_of_two_real_kernels() {
        let machine_6_12 = machine("6.12-2llc");
        let features = Features::read(&machine_6_12.root);
        let features = features.found().unwrap();
        assert_eq!(features.get("SIS_UTIL"), Some(true));
        assert_eq!(features.get("SIS_PROP"), None);
        assert_eq!(features.get("NEXT_BUDDY"), Some(false));
        // Begins with NO, but not with NO_.
        assert_eq!(features.get("NONTASK_CAPACITY"), Some(true));
        assert_eq!(features.iter().next().unwrap().name, "PLACE_LAG");

        let machine_6_1 = machine("6.1-2llc");
        let features = Features::read(&machine_6_1.root);
        let features = features.found().unwrap();
        assert_eq!(features.get("SIS_UTIL"), Some(true));
        assert_eq!(features.get("SIS_PROP"), Some(false));
    }

    #[test]
    fn the_older_place_is_read_too() {
        let machine = Machine::from_files(&[(PLACES[1], "SIS_AVG_CPU NO_SIS_PROP \n")]);
        let features = Features::read(&machine.root);
        assert_eq!(features.found().unwrap().get("SIS_PROP"), Some(false));
    }

    #[test]
    fn what_keeps_them_away_is_named() {
        let why = |machine: &Machine| match Features::read(&machine.root) {
            Answer::Unknown(why) | Answer::Absent(why) => why,
            Answer::Found(_) => panic!("there are no features to read"),
        };
        assert!(why(&Machine::from_files(&[])).contains("mount -t debugfs"));
        assert!(why(&machine("6.12-lockdown")).contains("locked down (confidentiality)"));
        let other = Machine::from_files(&[("/sys/kernel/debug/kprobes/enabled", "1\n")]);
        assert!(why(&other).contains("CONFIG_SCHED_DEBUG"));
        let empty = Machine::from_files(&[(PLACES[0], "\n")]);
        assert!(why(&empty).contains("is empty"));
    }
}
