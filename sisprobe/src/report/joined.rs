//! Several runs of one machine as one.

use std::collections::{BTreeSet, HashMap};

use super::{Figures, Group, Health, ProbeHealth, Report};

impl Report {
    /// This report and `next`, a later one that counted from 0 again, as one: what was counted in
    /// either, and the time of both. States and predictions are those of `next`, as is how it was
    /// measured; but the fidelity is the lesser one, and no warning is lost.
    ///
    /// A group is known by its name. Misses that either does not know are not known.
    #[must_use]
    pub fn joined(mut self, next: &Self) -> Self {
        let mut source = next.source.clone();
        source.fidelity = source.fidelity.min(self.source.fidelity);
        let mut warnings = self.source.warnings;
        warnings.extend(source.warnings);
        let mut told = BTreeSet::new();
        warnings.retain(|warning| told.insert(warning.clone()));
        source.warnings = warnings;
        self.source = source;
        self.elapsed += next.elapsed;
        // By name, so that hundreds of CPUs are no matter.
        let places: HashMap<String, usize> = (self.groups.iter().enumerate())
            .map(|(place, group)| (group.name.clone(), place))
            .collect();
        for group in &next.groups {
            match places.get(&group.name) {
                Some(&place) => self.groups[place].join(group),
                None => self.groups.push(group.clone()),
            }
        }
        self.health.join(&next.health);
        self
    }

    /// The figures of all groups together. No wake-up is in two of them.
    pub fn total(&self) -> Figures {
        let mut total = Figures::default();
        for group in &self.groups {
            total.add(&group.figures);
        }
        total
    }
}

impl Group {
    fn join(&mut self, next: &Self) {
        self.cpus = [&self.cpus, &next.cpus].into_iter().collect();
        self.size = u32::try_from(self.cpus.len()).unwrap_or(u32::MAX);
        self.figures.add(&next.figures);
        self.state.clone_from(&next.state);
        self.predictions.clone_from(&next.predictions);
    }
}

impl Health {
    fn join(&mut self, next: &Self) {
        for (place, probe) in next.probes.iter().enumerate() {
            // By place first: the names of two probes may be alike.
            let alike = |mine: &ProbeHealth| mine.name == probe.name;
            let mine = match self.probes.get(place) {
                Some(mine) if alike(mine) => Some(place),
                _ => self.probes.iter().position(alike),
            };
            match mine {
                Some(mine) => self.probes[mine].join(probe),
                None => self.probes.push(probe.clone()),
            }
        }
        for (mine, theirs) in [
            (&mut self.unmatched_entries, next.unmatched_entries),
            (&mut self.unmatched_exits, next.unmatched_exits),
            (&mut self.searches_outside, next.searches_outside),
            (&mut self.core_calls_dropped, next.core_calls_dropped),
        ] {
            *mine = mine.saturating_add(theirs);
        }
    }
}

impl ProbeHealth {
    fn join(&mut self, next: &Self) {
        let both = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        self.recursion_misses = both(self.recursion_misses, next.recursion_misses);
        self.probe_misses = both(self.probe_misses, next.probe_misses);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{plan::Fidelity, sink::sample};

    /// Counters that only grow, read at several moments.
    fn readings(steps: &[(u32, u64)]) -> Vec<Report> {
        let mut report = sample::report(3, 0);
        let mut readings = vec![report.clone()];
        for (index, &(seconds, times)) in steps.iter().enumerate() {
            report.elapsed += f64::from(seconds);
            let group = &mut report.groups[index % 3];
            group.figures.add(&sample::figures(times));
            report.health.unmatched_exits += times;
            report.health.probes[index % 3].recursion_misses = Some(times * index as u64);
            readings.push(report.clone());
        }
        readings
    }

    fn join(parts: &[Report]) -> Report {
        let (first, rest) = parts.split_first().unwrap();
        rest.iter().fold(first.clone(), Report::joined)
    }

    proptest! {
        #[test]
        fn the_parts_joined_are_the_whole(
            steps in prop::collection::vec((0..100u32, 0..1000u64), 1..12),
        ) {
            // Misses that a probe told once grow too.
            let mut readings = readings(&steps);
            for index in 1..readings.len() {
                for probe in 0..3 {
                    let before = readings[index - 1].health.probes[probe].recursion_misses;
                    let now = &mut readings[index].health.probes[probe].recursion_misses;
                    *now = Some(before.unwrap() + now.unwrap());
                }
            }
            let parts: Vec<Report> = readings
                .windows(2)
                .map(|pair| pair[1].since(&pair[0]).unwrap())
                .collect();
            let whole = readings.last().unwrap().since(&readings[0]).unwrap();
            prop_assert_eq!(join(&parts), whole);
        }
    }

    #[test]
    fn groups_are_known_by_their_names() {
        let (mut one, mut other) = (sample::report(2, 1), sample::report(3, 2));
        other.groups.reverse();
        one.groups[1].figures.wakeups = 5;
        let joined = one.clone().joined(&other);
        let names: Vec<&str> = joined.groups.iter().map(|group| &*group.name).collect();
        assert_eq!(names, ["LLC 0", "LLC 1", "LLC 2"]);
        assert_eq!(joined.groups[0].figures, sample::figures(3));
        let wakeups = |report: &Report| report.total().wakeups;
        assert_eq!(wakeups(&joined), wakeups(&one) + wakeups(&other));
        // A CPU that came up meanwhile.
        other.groups[2].cpus.insert(99);
        let group = &one.joined(&other).groups[0];
        assert_eq!((group.cpus.len(), group.size), (9, 9));
    }

    #[test]
    fn what_one_does_not_know_is_not_known() {
        let one = sample::report(1, 1);
        let mut other = one.clone();
        other.health.probes[0].recursion_misses = None;
        other.health.probes[1].recursion_misses = Some(7);
        other.health.probes.push(ProbeHealth {
            name: "kprobe:later".into(),
            recursion_misses: Some(2),
            probe_misses: None,
        });
        for joined in [
            one.clone().joined(&other),
            other.clone().joined(&one).joined(&other),
        ] {
            let misses = |probe: usize| joined.health.probes[probe].recursion_misses;
            assert_eq!(misses(0), None);
            assert!(misses(1) >= Some(7));
            assert_eq!(joined.health.probes.len(), 4);
        }
    }

    #[test]
    fn the_lesser_fidelity_and_every_warning_stay() {
        let mut one = sample::bracketed(1, 1);
        one.source.warnings = vec!["a".into(), "b".into()];
        let mut other = sample::report(1, 1);
        other.source.warnings = vec!["b".into(), "c".into()];
        for joined in [one.clone().joined(&other), other.joined(&one)] {
            assert_eq!(joined.source.fidelity, Fidelity::Bracketed);
            let mut warnings = joined.source.warnings;
            warnings.sort();
            assert_eq!(warnings, ["a", "b", "c"]);
        }
    }
}
