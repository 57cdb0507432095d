//! What all probes missed together.

use super::Health;

/// The misses of all probes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misses {
    /// The sum of those that the kernel tells.
    pub known: u64,
    /// Whether there is one that it does not tell.
    pub some_unknown: bool,
}

impl Health {
    /// Misses of all probes together, of either kind.
    pub fn misses(&self) -> Misses {
        let mut misses = Misses::default();
        for probe in &self.probes {
            for figure in [probe.recursion_misses, probe.probe_misses] {
                match figure {
                    Some(count) => misses.known = misses.known.saturating_add(count),
                    None => misses.some_unknown = true,
                }
            }
        }
        misses
    }

    /// Events that were seen but could not be counted where they belong.
    pub fn lost(&self) -> u64 {
        [
            self.unmatched_entries,
            self.unmatched_exits,
            self.searches_outside,
            self.core_calls_dropped,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }
}
