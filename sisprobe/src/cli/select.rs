//! Which LLCs are shown.

use std::str::FromStr;

use crate::{failure::Failure, kernel::CpuSet, report::Report};

/// All LLCs, or some by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LlcChoice {
    /// All, also those that come up later.
    All,
    /// These numbers.
    Some(CpuSet),
}

impl FromStr for LlcChoice {
    type Err = String;

    /// `all`, or a list in the kernel's form, `0,2-5`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        match text.parse::<CpuSet>() {
            Ok(numbers) if numbers.is_empty() => Err("it names no LLC".into()),
            Ok(numbers) => Ok(Self::Some(numbers)),
            Err(error) => Err(format!("{error}; it is all, or numbers as in 0,2-5")),
        }
    }
}

impl LlcChoice {
    /// Checks that `report` has every LLC that was chosen.
    pub(super) fn check(&self, report: &Report) -> Result<(), Failure> {
        let Self::Some(numbers) = self else {
            return Ok(());
        };
        let known = |number| report.groups.iter().any(|group| group.id == Some(number));
        let Some(unknown) = numbers.iter().find(|&number| !known(number)) else {
            return Ok(());
        };
        let there: Vec<_> = report
            .groups
            .iter()
            .filter(|group| group.id.is_some())
            .map(|group| format!("{} (CPUs {})", group.name, group.cpus))
            .collect();
        Err(Failure::Usage(format!(
            "--llc: there is no LLC {unknown}. This machine has {}",
            there.join(", ")
        )))
    }

    /// Leaves only the chosen groups in `report`.
    pub(super) fn keep(&self, report: &mut Report) {
        if let Self::Some(numbers) = self {
            report
                .groups
                .retain(|group| group.id.is_some_and(|id| numbers.contains(id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LlcChoice;

    #[test]
    fn lists_and_all() {
        assert_eq!("all".parse(), Ok(LlcChoice::All));
        let some = "0,2-4".parse::<LlcChoice>();
        assert!(matches!(some, Ok(LlcChoice::Some(set)) if set.to_string() == "0,2-4"));
        for bad in ["", "a", "3-1", "1,", "-1"] {
            assert!(bad.parse::<LlcChoice>().is_err(), "{bad}");
        }
    }
}
