//! How much the search for an idle CPU gets for what it looks at.

use serde::Serialize;

use super::Figures;
use crate::plan::Fidelity;

/// The figures by which search policies are compared since "sched/fair: Track efficiency of
/// select_idle_sibling", a schedstat patch of 2021 that was never merged. What differs from the
/// patch stands in docs/policies.md.
///
/// A percentage is 0 to 100; none where it would be one of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Efficiency {
    /// Calls of `select_idle_sibling`: each wake-up counts as one.
    pub search: u64,
    /// Searches of the LLC domain, whatever their outcome.
    pub domain_search: u64,
    /// 1 for the whole fast path of each search, and 1 for each CPU looked at in the domain.
    pub scanned: u64,
    /// Searches that found no idle CPU.
    pub failed: u64,
    /// `search - domain_search`: those that the fast path settled.
    pub fast: u64,
    /// `(search - failed) / scanned`: 100 where the fast path settles every one.
    pub search_efficiency: Option<f64>,
    /// `(domain_search - failed) / (scanned - fast)`: the same of domain searches alone.
    pub domain_search_efficiency: Option<f64>,
    /// `fast / search`.
    pub fast_success_rate: Option<f64>,
    /// `(search - failed) / search`.
    pub success_rate: Option<f64>,
    /// `(domain_search - failed) / domain_search`. The patch has four percentages; this one
    /// completes them. The fifth of its series, of the CPU used recently, cannot be told here:
    /// that the fast path settled a search is known, but not by which CPU.
    pub domain_success_rate: Option<f64>,
}

impl Efficiency {
    /// None with fidelity `bracketed`, which tells no domain searches.
    pub fn of(figures: &Figures, fidelity: Fidelity) -> Option<Self> {
        if fidelity == Fidelity::Bracketed {
            return None;
        }
        Some(Self::from_counts(
            figures.wakeups,
            figures.searches(),
            figures.scanned.sum(),
            figures.failed(),
        ))
    }

    /// `looked` is how many CPUs were looked at in domain searches.
    ///
    /// Counters are read while they grow, so that a domain search may be there before its
    /// wake-up is: differences stop at 0.
    fn from_counts(search: u64, domain_search: u64, looked: u64, failed: u64) -> Self {
        let scanned = search.saturating_add(looked);
        let fast = search.saturating_sub(domain_search);
        let found = search.saturating_sub(failed);
        let found_in_domain = domain_search.saturating_sub(failed);
        // `scanned - fast`.
        let domain_scanned = domain_search.saturating_add(looked);
        Self {
            search,
            domain_search,
            scanned,
            failed,
            fast,
            search_efficiency: percent(found, scanned),
            domain_search_efficiency: percent(found_in_domain, domain_scanned),
            fast_success_rate: percent(fast, search),
            success_rate: percent(found, search),
            domain_success_rate: percent(found_in_domain, domain_search),
        }
    }
}

fn percent(part: u64, whole: u64) -> Option<f64> {
    // Divided first: the quotient of equal numbers is exactly 1.
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sisprobe_common::slot::Outcome;

    use super::*;

    /// (outcome, searches, CPUs that each looked at)
    fn figures(wakeups: u64, searches: &[(Outcome, u64, u64)]) -> Figures {
        let mut figures = Figures {
            wakeups,
            ..Figures::default()
        };
        for &(outcome, count, looked) in searches {
            *figures.outcomes.entry(outcome.into()).or_default() += count;
            figures.scanned.record(looked, count);
        }
        figures
    }

    /// 1000 wake-ups, 400 domain searches that look at 150 * 2 + 50 * 4 + 60 * 5 + 40 * 10 = 1200
    /// CPUs, 200 of which find none.
    #[test]
    fn as_computed_by_hand() {
        let figures = figures(
            1000,
            &[
                (Outcome::IdleCpu, 150, 2),
                (Outcome::IdleCore, 50, 4),
                (Outcome::BudgetExhausted, 60, 5),
                (Outcome::DomainExhausted, 40, 10),
                (Outcome::Skipped, 100, 0),
            ],
        );
        let expected = Efficiency {
            search: 1000,
            domain_search: 400,
            scanned: 2200,
            failed: 200,
            fast: 600,
            search_efficiency: Some(800.0 / 2200.0 * 100.0),
            domain_search_efficiency: Some(12.5),
            fast_success_rate: Some(60.0),
            success_rate: Some(80.0),
            domain_success_rate: Some(50.0),
        };
        assert_eq!(Efficiency::of(&figures, Fidelity::Inlined), Some(expected));
        assert_eq!(Efficiency::of(&figures, Fidelity::Exact), Some(expected));
        assert_eq!(Efficiency::of(&figures, Fidelity::Bracketed), None);
    }

    #[test]
    fn a_fast_path_that_settles_all_is_wholly_efficient() {
        let efficiency = Efficiency::of(&figures(7, &[]), Fidelity::Exact).unwrap();
        assert_eq!(efficiency.scanned, 7);
        assert_eq!(efficiency.search_efficiency, Some(100.0));
        assert_eq!(efficiency.fast_success_rate, Some(100.0));
        assert_eq!(efficiency.domain_search_efficiency, None);
        assert_eq!(efficiency.domain_success_rate, None);
    }

    #[test]
    fn of_nothing_there_are_no_percentages() {
        let efficiency = Efficiency::of(&Figures::default(), Fidelity::Exact).unwrap();
        assert_eq!(percentages(&efficiency), [None; 5]);
    }

    fn percentages(efficiency: &Efficiency) -> [Option<f64>; 5] {
        [
            efficiency.search_efficiency,
            efficiency.domain_search_efficiency,
            efficiency.fast_success_rate,
            efficiency.success_rate,
            efficiency.domain_success_rate,
        ]
    }

    proptest! {
        /// Also of counters that do not fit together.
        #[test]
        fn percentages_are_percentages(
            search in 0..1u64 << 50,
            domain_search in 0..1u64 << 50,
            looked in 0..1u64 << 55,
            failed in 0..1u64 << 50,
        ) {
            let efficiency = Efficiency::from_counts(search, domain_search, looked, failed);
            for percent in percentages(&efficiency).into_iter().flatten() {
                prop_assert!((0.0..=100.0).contains(&percent), "{efficiency:?}");
            }
        }

        /// What must hold between them where domain searches are some of the searches, and those
        /// that failed some of these.
        #[test]
        fn consistent_counts_have_every_percentage(
            (failed, found, fast) in (1..1u64 << 40, 1..1u64 << 40, 1..1u64 << 40),
            looked in 0..1u64 << 50,
        ) {
            let domain_search = failed + found;
            let search = domain_search + fast;
            let efficiency = Efficiency::from_counts(search, domain_search, looked, failed);
            let [of_search, of_domain, fast_rate, success, domain_success] =
                percentages(&efficiency).map(Option::unwrap);
            prop_assert_eq!(efficiency.fast, fast);
            prop_assert!(of_search <= success);
            prop_assert!(of_domain <= domain_success);
            prop_assert!(fast_rate <= success);
            prop_assert!(domain_success <= success);
        }
    }
}
