//! `--metric NAME=REGEX[:lower|higher]`: a figure that is found by a pattern.

use std::{fmt, str::FromStr};

use regex::{Regex, RegexBuilder};
use thiserror::Error;

use super::{BenchError, Better, Metric, metric::is_name, number::number};

/// What a compiled pattern may take, in bytes: some thousand times what a sensible one does.
const SIZE_LIMIT: usize = 1 << 20;

/// How much of a wrong match an error shows, in characters.
const SHOWN: usize = 40;

/// Names of what is compared of the search itself.
const TAKEN: [&str; 5] = [
    "search_p50",
    "search_p99",
    "scanned_mean",
    "searches_per_wakeup",
    "skipped",
];

/// A metric that was asked for with `--metric`.
#[derive(Clone, Debug)]
pub struct Wanted {
    name: String,
    pattern: Regex,
    better: Better,
}

/// Why a `--metric` is not understood. Not in these texts: the argument, which clap adds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WantedError {
    /// No `=` in it.
    #[error("no '=' in it; write NAME=REGEX, as in 'time=Time: ([0-9.]+)'")]
    NoEquals,
    /// Nothing before the `=`, or no name.
    #[error(
        "{0:?} is no name for a metric; use letters, digits and '_', no digit first, at most 64"
    )]
    Name(String),
    /// One of sisprobe's own.
    #[error("{0:?} is measured by sisprobe itself; choose another name")]
    Taken(String),
    /// Nothing behind the `=`.
    #[error("no regular expression behind '='")]
    NoPattern,
    /// The regex crate's message.
    #[error("not a regular expression that sisprobe takes: {0}")]
    Pattern(String),
    /// So many groups, more than one.
    #[error("{0} groups; put one around the number, and write (?:…) for the others")]
    Groups(usize),
}

impl Wanted {
    /// The metric's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which direction is the better one.
    pub const fn better(&self) -> Better {
        self.better
    }

    /// The figure in `output`, without a unit. The last match counts. Its group is the number, or
    /// all of it if there is no group; commas between each three digits are understood.
    ///
    /// # Errors
    ///
    /// [`BenchError::NoMatch`] and [`BenchError::NotANumber`].
    pub fn read(&self, output: &str) -> Result<Metric, BenchError> {
        let pattern = || self.pattern.as_str().to_owned();
        let last = self.pattern.captures_iter(output).last();
        let Some(found) = last.and_then(|found| found.get(1).or_else(|| found.get(0))) else {
            return Err(BenchError::NoMatch {
                name: self.name.clone(),
                pattern: pattern(),
            });
        };
        let Some(value) = number(found.as_str().trim()) else {
            return Err(BenchError::NotANumber {
                name: self.name.clone(),
                pattern: pattern(),
                text: found.as_str().chars().take(SHOWN).collect(),
            });
        };
        Ok(Metric {
            name: self.name.clone(),
            unit: String::new(),
            better: self.better,
            value,
        })
    }
}

impl FromStr for Wanted {
    type Err = WantedError;

    /// `NAME=REGEX`, lower is better; `:lower` or `:higher` at the very end says it. (A pattern
    /// that itself ends so is written with `[:]`.) `^` and `$` match at lines.
    fn from_str(text: &str) -> Result<Self, WantedError> {
        let (name, rest) = text.split_once('=').ok_or(WantedError::NoEquals)?;
        if TAKEN.contains(&name) {
            return Err(WantedError::Taken(name.to_owned()));
        }
        if !is_name(name) {
            return Err(WantedError::Name(name.to_owned()));
        }
        let (pattern, better) = [Better::Lower, Better::Higher]
            .into_iter()
            .find_map(|better| {
                let pattern = rest.strip_suffix(better.word())?.strip_suffix(':')?;
                Some((pattern, better))
            })
            .unwrap_or((rest, Better::default()));
        if pattern.is_empty() {
            return Err(WantedError::NoPattern);
        }
        let pattern = RegexBuilder::new(pattern)
            .multi_line(true)
            .crlf(true)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .build()
            .map_err(|error| WantedError::Pattern(error.to_string()))?;
        // The whole match counts as a group.
        match pattern.captures_len() - 1 {
            0 | 1 => Ok(Self {
                name: name.to_owned(),
                pattern,
                better,
            }),
            groups => Err(WantedError::Groups(groups)),
        }
    }
}

impl fmt::Display for Wanted {
    /// As on the command line, with the direction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}={}:{}",
            self.name,
            self.pattern.as_str(),
            self.better.word()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        for (argument, output, value) in [
            ("t=Time: ([0-9.]+)", "Time: 1.5\nTime: 2.5\n", 2.5),
            ("t=^Time: (.*)$", "Time: 3\r\nmore\r\n", 3.0),
            ("t=[0-9,]+", "in all 1,234,567 of them", 1_234_567.0),
            ("t=a=(.+)", "a=-1e3", -1e3),
            ("t=(?:fast|slow): (\\S+)", "slow: 7", 7.0),
        ] {
            let metric = wanted(argument).read(output);
            let expected = Metric::lower("t", "", value);
            assert_eq!(metric, Ok(expected), "{argument}");
        }
    }

    #[test]
    fn directions() {
        for (argument, pattern, better) in [
            ("_a1=x", "x", Better::Lower),
            ("_a1=x:lower", "x", Better::Lower),
            ("_a1=x:higher", "x", Better::Higher),
            ("_a1=a:b=c:higher", "a:b=c", Better::Higher),
            ("_a1=x[:]higher", "x[:]higher", Better::Lower),
            ("_a1=x:higher:lower", "x:higher", Better::Lower),
        ] {
            let wanted = wanted(argument);
            assert_eq!(wanted.pattern.as_str(), pattern, "{argument}");
            assert_eq!((wanted.name(), wanted.better()), ("_a1", better));
            let again: Wanted = wanted.to_string().parse().expect("its own text");
            assert_eq!(again.to_string(), wanted.to_string());
            assert_eq!(again.better(), better);
        }
    }

    #[test]
    fn arguments_that_are_wrong() {
        for (argument, words) in [
            ("time", "no '='"),
            ("=x", "\"\" is no name"),
            ("1st=x", "\"1st\" is no name"),
            ("p-99=x", "\"p-99\" is no name"),
            ("zeit_ü=x", "is no name"),
            ("search_p99=x", "measured by sisprobe itself"),
            ("t=", "no regular expression"),
            ("t=:higher", "no regular expression"),
            ("t=(", "unclosed group"),
            ("t=(a)(b)", "2 groups"),
            ("t=(?:\\w{1000}){1000}", "size limit"),
        ] {
            let error = argument.parse::<Wanted>().expect_err(argument).to_string();
            assert!(error.contains(words), "{argument}: {error}");
        }
        let deep = format!("t={}{}", "(?:".repeat(10_000), ")".repeat(10_000));
        assert!(deep.parse::<Wanted>().is_err());
    }

    #[test]
    fn output_without_the_figure() {
        for (argument, output, words) in [
            ("t=Time: (.*)", "Tame: 3", "matched nowhere"),
            (
                "t=Time: (.*)",
                "Time: 12ms",
                "matched \"12ms\", which is no number",
            ),
            ("t=Time: 1", "Time: 1", "which is no number"),
            ("t=(.*)", "1e999", "which is no number"),
            // A group that took no part: the whole match is tried.
            ("t=a(1)?", "a", "matched \"a\""),
        ] {
            let error = wanted(argument)
                .read(output)
                .expect_err(argument)
                .to_string();
            assert!(error.contains(words), "{argument}: {error}");
            assert!(error.starts_with("--metric t: "), "{error}");
        }
    }

    fn wanted(argument: &str) -> Wanted {
        argument.parse().expect(argument)
    }
}
