//! What other policies would have done with the searches that were seen. Pure.
//!
//! The load of an LLC at the end of an interval stands for the whole interval, and each search of
//! the interval is asked again under each policy:
//!
//! - It would be made where the policy's number is not 0.
//! - Its budget is the policy's number; all CPUs where the LLC claims to have an idle core and the
//!   policy does not bound the search for one.
//! - It would miss where at least one CPU is idle, so that a full scan finds one, and none is among
//!   those that it looks at. Idle CPUs are taken to stand anywhere in the order of the scan with
//!   the same chance, so of `n` looks at `N` CPUs of which `K` are idle, none is idle with the
//!   chance of the hypergeometric distribution, `C(N - K, n) / C(N, n)`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    policy::{Choice, Policy},
    report::{Group, OutcomeName, Predicted, Report, State},
};

/// The searches of a run under each policy.
#[derive(Clone, Debug)]
pub struct WhatIf {
    choice: Choice,
    llcs: BTreeMap<u32, Sums>,
    intervals: u64,
}

/// What was seen of one LLC, and what each policy would have made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LlcAnswer {
    /// The LLC's number.
    pub llc: u32,
    /// Wake-ups.
    pub wakeups: u64,
    /// Searches of the LLC domain, those that the policy skipped among them.
    pub searches: u64,
    /// What was measured.
    pub measured: Measured,
    /// One for each policy that was asked for.
    pub policies: Vec<PolicyAnswer>,
}

/// What the searches did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Part of the wake-ups for which CPUs were looked at, 0 to 1; none without wake-ups.
    pub searched: Option<f64>,
    /// Mean number of CPUs that a search looked at, those that were skipped among them.
    pub scanned: Option<f64>,
    /// Part of the searches that found no CPU, 0 to 1.
    pub failed: Option<f64>,
}

/// What one policy would have done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyAnswer {
    /// The policy.
    pub policy: Policy,
    /// What it cannot be told for, in the kernel's words; and then nothing else is.
    pub not_available: Option<String>,
    /// Part of the wake-ups for which it would look at CPUs, 0 to 1.
    pub searched: Option<f64>,
    /// Mean budget of a search, in CPUs, 0 for those that it would skip.
    pub budget: Option<f64>,
    /// Part of the searches that would miss an idle CPU which a full scan finds, 0 to 1: an
    /// estimate.
    pub missed: Option<f64>,
}

/// Sums over the intervals, for one LLC.
#[derive(Clone, Debug, Default)]
struct Sums {
    wakeups: u64,
    searches: u64,
    skipped: u64,
    failed: u64,
    scanned: u64,
    /// Searches of intervals in which the load was known.
    asked: u64,
    policies: BTreeMap<&'static str, PolicySums>,
}

#[derive(Clone, Debug, Default)]
struct PolicySums {
    not_available: Option<String>,
    searched: f64,
    budget: f64,
    missed: f64,
}

impl WhatIf {
    /// Asks the policies of `choice`.
    pub const fn new(choice: Choice) -> Self {
        Self {
            choice,
            llcs: BTreeMap::new(),
            intervals: 0,
        }
    }

    /// Adds what happened in one interval, with the state at its end.
    pub fn add(&mut self, interval: &Report) {
        self.intervals += 1;
        for group in &interval.groups {
            if let Some(llc) = group.llc {
                self.llcs.entry(llc).or_default().add(group, &self.choice);
            }
        }
    }

    /// How many intervals there were.
    pub const fn intervals(&self) -> u64 {
        self.intervals
    }

    /// By LLC.
    pub fn answers(&self) -> Vec<LlcAnswer> {
        let answer = |(&llc, sums): (&u32, &Sums)| sums.answer(llc, &self.choice);
        self.llcs.iter().map(answer).collect()
    }
}

impl Sums {
    fn add(&mut self, group: &Group, choice: &Choice) {
        let figures = &group.figures;
        let searches = figures.searches();
        self.wakeups += figures.wakeups;
        self.searches += searches;
        self.skipped += figures.outcome(OutcomeName::Skipped);
        self.failed += figures.failed();
        self.scanned += figures.scanned.sum();
        let Some(state) = &group.state else { return };
        if group.predictions.is_empty() {
            return;
        }
        self.asked += searches;
        for &policy in choice.policies() {
            let of = group.predictions.iter().find(|p| p.policy == policy);
            let sums = self.policies.entry(policy.name()).or_default();
            match of.map(|prediction| &prediction.predicted) {
                Some(Predicted::Depth { cpus, searching }) => {
                    sums.add(policy, state, cpus.mean, *searching, searches as f64);
                }
                Some(Predicted::NotAvailable(why)) => sums.not_available = Some(why.clone()),
                None => {}
            }
        }
    }

    fn answer(&self, llc: u32, choice: &Choice) -> LlcAnswer {
        let policies = choice.policies().iter().map(|&policy| {
            let sums = self
                .policies
                .get(policy.name())
                .cloned()
                .unwrap_or_default();
            let known = sums.not_available.is_none() && self.asked > 0;
            let of_searches = |sum: f64| known.then(|| sum / self.asked as f64);
            // Of the wake-ups as many as of the searches.
            let searches = part(self.searches, self.wakeups);
            PolicyAnswer {
                policy,
                searched: of_searches(sums.searched).zip(searches).map(|(a, b)| a * b),
                budget: of_searches(sums.budget),
                missed: of_searches(sums.missed),
                not_available: sums.not_available,
            }
        });
        LlcAnswer {
            llc,
            wakeups: self.wakeups,
            searches: self.searches,
            measured: Measured {
                searched: part(self.searches - self.skipped, self.wakeups),
                scanned: part(self.scanned, self.searches),
                failed: part(self.failed, self.searches),
            },
            policies: policies.collect(),
        }
    }
}

impl PolicySums {
    /// `searches` under `policy`, which would let them look at `cpus` CPUs in the mean, and make
    /// only the part `searching` of them.
    fn add(&mut self, policy: Policy, state: &State, cpus: f64, searching: f64, searches: f64) {
        let Some(llc) = &state.llc else { return };
        let weight = f64::from(llc.weight);
        let (searching, cpus) = if llc.has_idle_cores && policy.seeks_idle_cores(cpus > 0.0) {
            (1.0, weight)
        } else {
            (searching, cpus)
        };
        self.searched += searches * searching;
        self.budget += searches * cpus;
        // Where there are several numbers, those of the searches that are made.
        let looks = if searching > 0.0 {
            cpus / searching
        } else {
            0.0
        };
        let misses = none_idle(llc.weight, state.idle_cpus, looks);
        self.missed += searches
            * ((1.0 - searching) * none_idle(llc.weight, state.idle_cpus, 0.0)
                + searching * misses);
    }
}

/// The chance that one CPU or more of `cpus` is idle, as `idle` are, and yet none of those that
/// are looked at, `looks` in the mean, which may lie between two whole numbers.
fn none_idle(cpus: u32, idle: u32, looks: f64) -> f64 {
    let idle = idle.min(cpus);
    if idle == 0 {
        return 0.0;
    }
    let (below, above) = (looks.floor(), looks.ceil());
    let chance = |looks: f64| hypergeometric_none(cpus, idle, looks as u32);
    let part = looks - below;
    (1.0 - part) * chance(below) + part * chance(above)
}

/// `C(cpus - idle, looks) / C(cpus, looks)`.
fn hypergeometric_none(cpus: u32, idle: u32, looks: u32) -> f64 {
    let busy = cpus - idle;
    if looks > busy {
        return 0.0;
    }
    (0..looks)
        .map(|look| f64::from(busy - look) / f64::from(cpus - look))
        .product()
}

fn part(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

#[cfg(test)]
mod tests;
