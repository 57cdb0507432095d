//! Arithmetic on [`Figures`].

use sisprobe_common::{
    bucket,
    slot::{Outcome, Slot},
};

use super::{Figures, OutcomeName};
use crate::histogram::{Histogram, Shrunk, grown};

impl Default for Figures {
    fn default() -> Self {
        Self {
            wakeups: 0,
            forks: 0,
            execs: 0,
            outcomes: Outcome::ALL.map(|outcome| (outcome.into(), 0)).into(),
            idle_cores_claimed: 0,
            at_limit: 0,
            before_limit: 0,
            over_limit: 0,
            duration: Histogram::new(bucket::DURATION),
            scanned: Histogram::new(bucket::COUNT),
            limit: Histogram::new(bucket::COUNT),
            core_duration: Histogram::new(bucket::DURATION),
        }
    }
}

impl Figures {
    /// Searches of the LLC domain, whatever their outcome; 0 with fidelity `bracketed`, which
    /// tells no searches.
    pub fn searches(&self) -> u64 {
        self.outcomes.values().copied().fold(0, u64::saturating_add)
    }

    /// How many searches ended so.
    pub fn outcome(&self, name: OutcomeName) -> u64 {
        self.outcomes.get(&name).copied().unwrap_or(0)
    }

    /// Searches that found no idle CPU.
    pub fn failed(&self) -> u64 {
        [
            OutcomeName::BudgetExhausted,
            OutcomeName::DomainExhausted,
            OutcomeName::Skipped,
        ]
        .into_iter()
        .map(|name| self.outcome(name))
        .fold(0, u64::saturating_add)
    }

    /// Whether nothing at all was counted.
    pub fn is_empty(&self) -> bool {
        self.wakeups == 0
            && self.forks == 0
            && self.execs == 0
            && self.searches() == 0
            && self.duration.is_empty()
            && self.core_duration.is_empty()
    }

    /// Adds what one slot counted.
    pub fn add_slot(&mut self, slot: &Slot) {
        for (mine, theirs) in [
            (&mut self.wakeups, slot.wakeups),
            (&mut self.forks, slot.forks),
            (&mut self.execs, slot.execs),
            (&mut self.idle_cores_claimed, slot.idle_cores_claimed),
            (&mut self.at_limit, slot.at_limit),
            (&mut self.before_limit, slot.before_limit),
            (&mut self.over_limit, slot.over_limit),
        ] {
            *mine = mine.saturating_add(theirs);
        }
        for (outcome, count) in Outcome::ALL.into_iter().zip(slot.outcomes) {
            let mine = self.outcomes.entry(outcome.into()).or_default();
            *mine = mine.saturating_add(count);
        }
        self.duration.add_buckets(&slot.duration);
        self.scanned.add_buckets(&slot.scanned);
        self.limit.add_buckets(&slot.limit);
        self.core_duration.add_buckets(&slot.core_duration);
    }

    /// Adds what others counted.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.wakeups, other.wakeups),
            (&mut self.forks, other.forks),
            (&mut self.execs, other.execs),
            (&mut self.idle_cores_claimed, other.idle_cores_claimed),
            (&mut self.at_limit, other.at_limit),
            (&mut self.before_limit, other.before_limit),
            (&mut self.over_limit, other.over_limit),
        ] {
            *mine = mine.saturating_add(theirs);
        }
        for (&outcome, &count) in &other.outcomes {
            let mine = self.outcomes.entry(outcome).or_default();
            *mine = mine.saturating_add(count);
        }
        self.duration.add(&other.duration);
        self.scanned.add(&other.scanned);
        self.limit.add(&other.limit);
        self.core_duration.add(&other.core_duration);
    }

    /// What was counted after `earlier`, a former state of these figures.
    ///
    /// # Errors
    ///
    /// [`Shrunk`] where any of them is less than it was in `earlier`.
    pub fn since(&self, earlier: &Self) -> Result<Self, Shrunk> {
        let outcomes = self.outcomes.iter().map(|(&name, &count)| {
            let grown = grown(count, earlier.outcome(name))?;
            Ok((name, grown))
        });
        Ok(Self {
            wakeups: grown(self.wakeups, earlier.wakeups)?,
            forks: grown(self.forks, earlier.forks)?,
            execs: grown(self.execs, earlier.execs)?,
            outcomes: outcomes.collect::<Result<_, _>>()?,
            idle_cores_claimed: grown(self.idle_cores_claimed, earlier.idle_cores_claimed)?,
            at_limit: grown(self.at_limit, earlier.at_limit)?,
            before_limit: grown(self.before_limit, earlier.before_limit)?,
            over_limit: grown(self.over_limit, earlier.over_limit)?,
            duration: self.duration.since(&earlier.duration)?,
            scanned: self.scanned.since(&earlier.scanned)?,
            limit: self.limit.since(&earlier.limit)?,
            core_duration: self.core_duration.since(&earlier.core_duration)?,
        })
    }
}
