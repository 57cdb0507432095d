//! One span of time of one group, with no more than charts need of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sisprobe_common::bucket::{self, Row};

use super::{Figures, Group};
use crate::{histogram::Histogram, plan::Fidelity, policy::Policy};

/// Rows of the log2 view of durations: zero, the powers of two, overflow.
const ROWS: usize = bucket::DURATION.top() as usize + 2;

/// How many values there were, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Values {
    count: u64,
    sum: u64,
}

impl Values {
    fn of(histogram: &Histogram) -> Self {
        Self {
            count: histogram.count(),
            sum: histogram.sum(),
        }
    }

    const fn since(self, earlier: Self) -> Self {
        Self {
            count: self.count.saturating_sub(earlier.count),
            sum: self.sum.saturating_sub(earlier.sum),
        }
    }

    const fn add(&mut self, more: Self) {
        self.count = self.count.saturating_add(more.count);
        self.sum = self.sum.saturating_add(more.sum);
    }

    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// What a group had counted at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    wakeups: u64,
    searches: u64,
    scanned: Values,
    limit: Values,
    durations: [u64; ROWS],
}

impl Default for Totals {
    fn default() -> Self {
        Self::of(&Figures::default())
    }
}

impl Totals {
    /// Of these figures.
    pub fn of(figures: &Figures) -> Self {
        let mut durations = [0; ROWS];
        for (row, count) in figures.duration.log2_rows() {
            durations[place(row)] = count;
        }
        Self {
            wakeups: figures.wakeups,
            searches: figures.searches(),
            scanned: Values::of(&figures.scanned),
            limit: Values::of(&figures.limit),
            durations,
        }
    }
}

/// Where a row of the log2 view stands.
const fn place(row: Row) -> usize {
    match row {
        Row::Zero => 0,
        Row::Log2(power) => power as usize + 1,
        Row::Overflow => ROWS - 1,
    }
}

/// What happened in a group in one span of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Column {
    /// Seconds since the probes were enabled.
    from: f64,
    to: f64,
    wakeups: u64,
    searches: u64,
    scanned: Values,
    limit: Values,
    /// Of the active policy, at each look in the span: their sum, and how many there were.
    predicted: Looks,
    /// Four bytes each, since there are many columns; a count stops at the greatest.
    /// In JSON without those that are 0, by the exponent k of the row `[2^(k-1), 2^k)` ns; 0 is
    /// for 0 ns, the last for what is longer than any bucket.
    #[serde(serialize_with = "sparse", deserialize_with = "dense")]
    #[cfg_attr(test, schemars(with = "BTreeMap<usize, u32>"))]
    durations: [u32; ROWS],
}

/// A figure that was looked at now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Looks {
    count: u32,
    sum: f64,
}

impl Column {
    /// A span that begins at `from` seconds, in which nothing has happened yet.
    pub const fn new(from: f64) -> Self {
        Self {
            from,
            to: from,
            wakeups: 0,
            searches: 0,
            scanned: Values { count: 0, sum: 0 },
            limit: Values { count: 0, sum: 0 },
            predicted: Looks { count: 0, sum: 0.0 },
            durations: [0; ROWS],
        }
    }

    /// Goes on to `to`, by when the group had counted `now` after `before`. A counter that went
    /// back counts as one that stood still.
    pub fn extend(&mut self, to: f64, before: &Totals, now: &Totals) {
        self.to = to;
        let more = |now: u64, before| now.saturating_sub(before);
        self.wakeups = (self.wakeups).saturating_add(more(now.wakeups, before.wakeups));
        self.searches = (self.searches).saturating_add(more(now.searches, before.searches));
        self.scanned.add(now.scanned.since(before.scanned));
        self.limit.add(now.limit.since(before.limit));
        let counts = now.durations.iter().zip(&before.durations);
        for (mine, (now, before)) in self.durations.iter_mut().zip(counts) {
            let more = u32::try_from(now.saturating_sub(*before)).unwrap_or(u32::MAX);
            *mine = mine.saturating_add(more);
        }
    }

    /// This column and the one after it as one.
    #[must_use]
    pub fn joined(mut self, next: &Self) -> Self {
        self.to = next.to;
        self.wakeups = self.wakeups.saturating_add(next.wakeups);
        self.searches = self.searches.saturating_add(next.searches);
        self.scanned.add(next.scanned);
        self.limit.add(next.limit);
        self.predicted.count = self.predicted.count.saturating_add(next.predicted.count);
        self.predicted.sum += next.predicted.sum;
        for (mine, theirs) in self.durations.iter_mut().zip(next.durations) {
            *mine = mine.saturating_add(theirs);
        }
        self
    }

    /// This column and that of another group in the same span as one.
    #[must_use]
    pub fn beside(self, other: &Self) -> Self {
        let (from, to) = (self.from.min(other.from), self.to);
        Self {
            from,
            to,
            ..self.joined(other)
        }
    }

    /// Takes what `policy` says of the group now.
    pub fn look(&mut self, group: &Group, policy: Option<Policy>) {
        let mut predictions = group.predictions.iter();
        let said = predictions.find(|said| Some(said.policy) == policy);
        if let Some(cpus) = said.and_then(|said| said.predicted.cpus()) {
            self.predicted.sum += cpus;
            self.predicted.count = self.predicted.count.saturating_add(1);
        }
    }

    /// Seconds since the probes were enabled.
    pub const fn from(&self) -> f64 {
        self.from
    }

    /// Seconds since the probes were enabled.
    pub const fn to(&self) -> f64 {
        self.to
    }

    /// Wake-ups that came through.
    pub const fn wakeups(&self) -> u64 {
        self.wakeups
    }

    /// Searches; with fidelity `bracketed`, which tells none, 0.
    pub const fn searches(&self) -> u64 {
        self.searches
    }

    /// How many CPUs a search looked at, in the mean; none where there was no search.
    pub fn scanned(&self) -> Option<f64> {
        self.scanned.mean()
    }

    /// How many the policy let it look at as it began, in the mean over linear scans.
    pub fn limit(&self, fidelity: Fidelity) -> Option<f64> {
        let told = fidelity != Fidelity::Bracketed;
        told.then(|| self.limit.mean()).flatten()
    }

    /// What the active policy said at the looks, in the mean.
    pub fn predicted(&self) -> Option<f64> {
        let Looks { count, sum } = self.predicted;
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Durations by row, without empty ones; k stands for `[2^(k-1), 2^k)` ns, 0 for 0.
    pub fn durations(&self) -> impl Iterator<Item = (usize, u64)> {
        let rows = self.durations.iter().enumerate();
        rows.filter(|(_, count)| **count > 0)
            .map(|(row, &count)| (row, u64::from(count)))
    }
}

fn sparse<S: Serializer>(durations: &[u32; ROWS], writer: S) -> Result<S::Ok, S::Error> {
    let rows = durations.iter().enumerate();
    writer.collect_map(rows.filter(|(_, count)| **count > 0))
}

fn dense<'de, D: Deserializer<'de>>(reader: D) -> Result<[u32; ROWS], D::Error> {
    let mut durations = [0; ROWS];
    for (row, count) in BTreeMap::<usize, u32>::deserialize(reader)? {
        let place = durations.get_mut(row);
        *place.ok_or_else(|| D::Error::custom(format!("there is no row {row} of durations")))? =
            count;
    }
    Ok(durations)
}
