//! The answer to "does this kernel have it?".

use serde::Serialize;

/// Found, absent, or impossible to tell; the latter two say why, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<T> {
    /// It is there.
    Found(T),
    /// It was looked for where it would be, and is not there.
    Absent(String),
    /// Something kept us from looking (no permission, not mounted, unreadable).
    Unknown(String),
}

impl<T> Answer<T> {
    /// The value, if it was found.
    pub const fn found(&self) -> Option<&T> {
        match self {
            Self::Found(value) => Some(value),
            Self::Absent(_) | Self::Unknown(_) => None,
        }
    }

    /// The answer with another value.
    pub fn map<U>(self, value: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Found(found) => Answer::Found(value(found)),
            Self::Absent(why) => Answer::Absent(why),
            Self::Unknown(why) => Answer::Unknown(why),
        }
    }

    /// Why there is no value; none if it was found.
    pub fn why_not(&self) -> Option<&str> {
        match self {
            Self::Found(_) => None,
            Self::Absent(why) | Self::Unknown(why) => Some(why),
        }
    }
}
