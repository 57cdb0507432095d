//! How much is run at once.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Tasks, in percent of a machine's CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// More than 0. None where nothing was said, so that there are as many tasks as CPUs.
    pub percent: Option<u32>,
    /// Online CPUs.
    pub cpus: u32,
    /// Tasks in a group, at least 1.
    pub group_tasks: u32,
}

impl Load {
    /// Tasks: the CPUs' part, rounded, at least one.
    pub fn threads(self) -> u64 {
        let percent = u64::from(self.percent.unwrap_or(100));
        ((u64::from(self.cpus) * percent + 50) / 100).max(1)
    }

    /// Groups of tasks: as many as make up the tasks, rounded, at least one.
    pub fn groups(self) -> u64 {
        let tasks = u64::from(self.group_tasks.max(1));
        ((self.threads() + tasks / 2) / tasks).max(1)
    }

    /// `word` with its placeholders filled in: `{load}`, `{cpus}`, `{threads}`, `{groups}` and
    /// `{setting}`. All else stays as it is.
    pub fn fill(self, word: &OsStr, setting: &str) -> OsString {
        let values = [
            ("{load}", self.percent.unwrap_or(100).to_string()),
            ("{cpus}", self.cpus.to_string()),
            ("{threads}", self.threads().to_string()),
            ("{groups}", self.groups().to_string()),
            ("{setting}", setting.to_owned()),
        ];
        let mut rest = word.as_bytes();
        let mut filled = Vec::new();
        while let Some((&first, after)) = rest.split_first() {
            let holder = (values.iter()).find(|(name, _)| rest.starts_with(name.as_bytes()));
            if let Some((name, value)) = holder {
                filled.extend_from_slice(value.as_bytes());
                rest = &rest[name.len()..];
            } else {
                filled.push(first);
                rest = after;
            }
        }
        OsString::from_vec(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(percent: u32, cpus: u32, group_tasks: u32) -> Load {
        Load {
            percent: Some(percent),
            cpus,
            group_tasks,
        }
    }

    #[test]
    fn percent_of_the_cpus_are_tasks() {
        let threads = [25, 50, 75, 100, 125, 150, 175, 200].map(|p| load(p, 112, 2).threads());
        assert_eq!(threads, [28, 56, 84, 112, 140, 168, 196, 224]);
        assert_eq!(load(1, 8, 2).threads(), 1);
        assert_eq!(
            (load(100, 16, 2).groups(), load(100, 16, 40).groups()),
            (8, 1)
        );
        assert_eq!(load(200, 112, 40).groups(), 6);
    }

    #[test]
    fn only_known_placeholders_are_filled_in() {
        let fill = |word: &str| load(50, 16, 2).fill(word.as_ref(), "a");
        assert_eq!(fill("-g{groups}"), "-g4");
        assert_eq!(
            fill("{load}% of {cpus}: {threads} {setting}"),
            "50% of 16: 8 a"
        );
        assert_eq!(fill("awk '{print $1}' {{load}"), "awk '{print $1}' {50");
        let odd = OsStr::from_bytes(b"\xff{load");
        assert_eq!(load(50, 16, 2).fill(odd, "a"), odd);
    }
}
