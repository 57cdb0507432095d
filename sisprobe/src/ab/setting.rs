//! A setting: a name, and the scheduler features that it asks for.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::kernel::Features;

/// Scheduler features by a name of the user's, as in `prop:NO_SIS_UTIL,SIS_PROP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Letters, digits, `_`, `.` and `-`: files are called by it.
    pub name: String,
    /// As sched/features takes them: `NO_` before those to be off.
    pub features: Vec<String>,
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// It has no colon.
    #[error("it is NAME:FEATURE,…, as in a:SIS_UTIL or prop:NO_SIS_UTIL,SIS_PROP")]
    Form,
    /// Its name cannot be a file's.
    #[error("{0:?} is no name: letters, digits, '_', '.' and '-', no '.' or '-' first")]
    Name(String),
    /// It asks for nothing, or for no feature.
    #[error("{0:?} is no scheduler feature: capital letters, digits and '_'")]
    Feature(String),
    /// It asks for both.
    #[error("{0} cannot be on and off")]
    Both(String),
    /// This kernel lacks a feature.
    #[error("this kernel has no scheduler feature {missing}. It has {there}")]
    Missing {
        /// The feature.
        missing: String,
        /// Those that bound the search.
        there: String,
    },
}

/// The feature's name, and whether it is to be on.
pub(super) fn wanted(feature: &str) -> (&str, bool) {
    match feature.strip_prefix("NO_") {
        Some(off) => (off, false),
        None => (feature, true),
    }
}

impl FromStr for Setting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let (name, features) = text.split_once(':').ok_or(SettingError::Form)?;
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if name.is_empty() || name.starts_with(['.', '-']) || !name.chars().all(in_name) {
            return Err(SettingError::Name(name.into()));
        }
        let features: Vec<String> = features.split(',').map(Into::into).collect();
        let in_feature = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        for (index, feature) in features.iter().enumerate() {
            let (feature_name, on) = wanted(feature);
            if feature_name.is_empty() || !feature.chars().all(in_feature) {
                return Err(SettingError::Feature(feature.clone()));
            }
            let against = |other: &String| wanted(other) == (feature_name, !on);
            if features[..index].iter().any(against) {
                return Err(SettingError::Both(feature_name.into()));
            }
        }
        Ok(Self {
            name: name.into(),
            features,
        })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.features.join(","))
    }
}

impl Setting {
    /// Checks that a kernel has all that is asked for.
    ///
    /// # Errors
    ///
    /// [`SettingError::Missing`].
    pub fn check(&self, there: &Features) -> Result<(), SettingError> {
        let missing = |feature: &&String| there.get(wanted(feature).0).is_none();
        let Some(missing) = self.features.iter().find(missing) else {
            return Ok(());
        };
        let names: Vec<&str> = there.of_search().map(|one| one.name.as_str()).collect();
        Err(SettingError::Missing {
            missing: wanted(missing).0.into(),
            there: names.join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::machine;

    #[test]
    fn names_and_features() {
        let setting: Setting = "prop:NO_SIS_UTIL,SIS_PROP".parse().unwrap();
        assert_eq!(setting.name, "prop");
        assert_eq!(setting.features, ["NO_SIS_UTIL", "SIS_PROP"]);
        assert_eq!(setting.to_string(), "prop:NO_SIS_UTIL,SIS_PROP");
        // Begins with NO, but not with NO_.
        assert_eq!(wanted("NONTASK_CAPACITY"), ("NONTASK_CAPACITY", true));
        for bad in [
            "SIS_UTIL",
            ":SIS_UTIL",
            "../a:SIS_UTIL",
            "-a:SIS_UTIL",
            "a b:SIS_UTIL",
            "a:",
            "a:SIS_UTIL,",
            "a:sis_util",
            "a:NO_",
            "a:SIS_UTIL,NO_SIS_UTIL",
            "a:X Y",
        ] {
            assert!(bad.parse::<Setting>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_the_kernel_lacks_is_named() {
        let features = Features::read(&machine("6.12-2llc").root);
        let features = features.found().unwrap();
        let check = |text: &str| text.parse::<Setting>().unwrap().check(features);
        assert_eq!(check("a:NO_SIS_UTIL,NEXT_BUDDY"), Ok(()));
        let error = check("a:SIS_UTIL,NO_SIS_PROP").unwrap_err().to_string();
        assert_eq!(
            error,
            "this kernel has no scheduler feature SIS_PROP. It has SIS_UTIL"
        );
    }
}
