//! The last interval of a run.

use super::{Group, Health, ProbeHealth, Report};
use crate::histogram::{Shrunk, grown};

impl Report {
    /// What happened after `earlier`, a former report of the same run; `elapsed` is the time
    /// between the two, so rates come out of it as they do out of a whole run.
    ///
    /// A group is known by its name. A group or probe that `earlier` does not have is taken to have been at 0.
    ///
    /// # Errors
    ///
    /// [`Shrunk`] where a counter or the time went back: `earlier` is then of another run, or
    /// CPUs have moved between groups meanwhile.
    pub fn since(&self, earlier: &Self) -> Result<Self, Shrunk> {
        let elapsed = self.elapsed - earlier.elapsed;
        if elapsed < 0.0 {
            return Err(Shrunk);
        }
        Ok(Self {
            source: self.source.clone(),
            elapsed,
            groups: (self.groups.iter())
                .map(|group| group.since(&earlier.groups))
                .collect::<Result<_, _>>()?,
            health: self.health.since(&earlier.health)?,
        })
    }
}

impl Group {
    fn since(&self, earlier: &[Self]) -> Result<Self, Shrunk> {
        let figures = match earlier.iter().find(|group| group.name == self.name) {
            Some(earlier) => self.figures.since(&earlier.figures)?,
            None => self.figures.clone(),
        };
        Ok(Self {
            name: self.name.clone(),
            kind: self.kind,
            llc: self.llc,
            cpus: self.cpus.clone(),
            size: self.size,
            figures,
            state: self.state.clone(),
            predictions: self.predictions.clone(),
        })
    }
}

impl Health {
    fn since(&self, earlier: &Self) -> Result<Self, Shrunk> {
        // By place first: the names of two probes may be alike.
        let before = |(index, probe): (usize, &ProbeHealth)| {
            let alike = |other: &&ProbeHealth| other.name == probe.name;
            let probes = &earlier.probes;
            let same_place = probes.get(index).filter(alike);
            probe.since(same_place.or_else(|| probes.iter().find(alike)))
        };
        Ok(Self {
            probes: (self.probes.iter().enumerate())
                .map(before)
                .collect::<Result<_, _>>()?,
            unmatched_entries: grown(self.unmatched_entries, earlier.unmatched_entries)?,
            unmatched_exits: grown(self.unmatched_exits, earlier.unmatched_exits)?,
            searches_outside: grown(self.searches_outside, earlier.searches_outside)?,
            core_calls_dropped: grown(self.core_calls_dropped, earlier.core_calls_dropped)?,
        })
    }
}

impl ProbeHealth {
    fn since(&self, earlier: Option<&Self>) -> Result<Self, Shrunk> {
        let difference = |now: Option<u64>, before: Option<Option<u64>>| {
            now.map(|now| grown(now, before.flatten().unwrap_or(0)))
                .transpose()
        };
        Ok(Self {
            name: self.name.clone(),
            recursion_misses: difference(
                self.recursion_misses,
                earlier.map(|probe| probe.recursion_misses),
            )?,
            probe_misses: difference(self.probe_misses, earlier.map(|probe| probe.probe_misses))?,
        })
    }
}
