//! Slots made up by hand.

use sisprobe_common::{
    bucket::{self, Row},
    slot::{Buckets, Outcome, Slot},
};

use super::*;
use crate::{
    histogram::{Histogram, Shrunk},
    report::OutcomeName,
};

const fn buckets<const N: usize>() -> Buckets<N> {
    Buckets {
        sum: 0,
        counts: [0; N],
    }
}

/// A slot in which nothing was counted.
pub(crate) const EMPTY: Slot = Slot {
    wakeups: 0,
    forks: 0,
    execs: 0,
    outcomes: [0; 5],
    idle_cores_claimed: 0,
    at_limit: 0,
    before_limit: 0,
    over_limit: 0,
    duration: buckets(),
    scanned: buckets(),
    limit: buckets(),
    core_duration: buckets(),
};

/// A slot in which every figure tells `n`, and which figure it is.
pub(crate) fn slot(n: u64) -> Slot {
    let mut slot = EMPTY;
    slot.wakeups = n;
    slot.forks = 10 * n;
    slot.execs = 100 * n;
    slot.outcomes = [1, 2, 3, 4, 5].map(|place| place * n);
    slot.idle_cores_claimed = 6 * n;
    slot.at_limit = 7 * n;
    slot.before_limit = 9 * n;
    slot.over_limit = 8 * n;
    slot.duration.counts[bucket::DURATION.index(1000)] = 15 * n;
    slot.duration.sum = 15_000 * n;
    slot.scanned.counts[3] = 15 * n;
    slot.scanned.sum = 45 * n;
    slot.limit.counts[4] = 14 * n;
    slot.limit.sum = 56 * n;
    slot.core_duration.counts[9] = 13 * n;
    slot.core_duration.sum = 117 * n;
    slot
}

fn llc(llc: u32, away: u32, home: &[u32]) -> Members {
    Members {
        name: format!("LLC {llc}"),
        kind: GroupKind::Cpus,
        llc: Some(llc),
        online: (4 * llc..4 * llc + 4).collect(),
        home: home.iter().copied().collect(),
        away: vec![away],
    }
}

fn map(groups: Vec<Members>) -> GroupMap {
    GroupMap {
        groups,
        rest: Rest::Apart,
    }
}

/// What one slot tells, as figures.
fn figures(n: u64) -> Figures {
    let mut figures = Figures::default();
    figures.add_slot(&slot(n));
    figures
}

#[test]
fn every_figure_of_a_slot_arrives_in_its_place() {
    let figures = figures(2);
    assert_eq!(
        (figures.wakeups, figures.forks, figures.execs),
        (2, 20, 200)
    );
    let outcomes = Outcome::ALL.map(|outcome| figures.outcome(outcome.into()));
    assert_eq!(outcomes, [2, 4, 6, 8, 10]);
    assert_eq!(figures.searches(), 30);
    assert_eq!(figures.idle_cores_claimed, 12);
    assert_eq!((figures.at_limit, figures.over_limit), (14, 16));
    assert_eq!(figures.before_limit, 18);
    assert_eq!(figures.duration.mean(), Some(1000.0));
    assert_eq!(figures.scanned.mean(), Some(3.0));
    assert_eq!((figures.limit.count(), figures.limit.sum()), (28, 112));
    assert_eq!(figures.core_duration.log2_rows(), [(Row::Log2(3), 26)]);
}

#[test]
fn home_and_away_slots_add_up_by_llc() {
    let home = [slot(1), slot(2), slot(4), slot(8)];
    let away = [EMPTY, slot(16), slot(32)];
    let map = map(vec![llc(0, 1, &[0, 2]), llc(1, 2, &[1, 3])]);
    let groups = aggregate(&home, &away, &map);
    assert_eq!(groups.len(), 2, "nothing is left for `LLC ?`");
    assert_eq!(groups[0].name, "LLC 0");
    assert_eq!(groups[1].cpus.to_string(), "4-7");
    assert_eq!((groups[1].llc, groups[1].size), (Some(1), 4));
    assert_eq!(groups[0].figures, figures(1 + 4 + 16));
    assert_eq!(groups[1].figures, figures(2 + 8 + 32));
}

#[test]
fn what_no_llc_claims_is_shown_apart() {
    let home = [slot(1), slot(2), EMPTY];
    let away = [slot(4), slot(8), slot(16)];
    let map = map(vec![llc(7, 1, &[0, 2])]);
    let groups = aggregate(&home, &away, &map);
    assert_eq!(groups[0].figures, figures(1 + 8));
    assert_eq!(groups[1].name, "LLC ?");
    assert_eq!(groups[1].kind, GroupKind::Unknown);
    assert_eq!((groups[1].llc, groups[1].size), (None, 0));
    assert_eq!(groups[1].figures, figures(2 + 4 + 16));
    let none = aggregate(&home, &away, &GroupMap::default());
    assert_eq!(none.len(), 1);
    assert_eq!(none[0].figures, figures(1 + 2 + 4 + 8 + 16));
}

#[test]
fn what_is_not_asked_for_is_left_out() {
    let map = GroupMap {
        rest: Rest::LeftOut,
        ..map(vec![llc(0, 1, &[0])])
    };
    let groups = aggregate(&[slot(1), slot(2)], &[slot(4), slot(8)], &map);
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].figures, figures(1 + 8));
}

#[test]
fn what_came_from_other_llcs_is_there_only_if_something_did() {
    let from_others = Members {
        kind: GroupKind::FromOtherLlcs,
        ..llc(0, 1, &[])
    };
    let map = map(vec![from_others, llc(1, 2, &[0])]);
    let names = |away: [Slot; 3]| -> Vec<String> {
        let groups = aggregate(&[EMPTY], &away, &map).into_iter();
        groups.map(|group| group.name).collect()
    };
    assert_eq!(names([EMPTY, EMPTY, EMPTY]), ["LLC 1"]);
    assert_eq!(names([EMPTY, slot(1), EMPTY]), ["LLC 0", "LLC 1"]);
}

#[test]
fn a_map_that_is_wrong_neither_loses_nor_doubles() {
    let home = [slot(1), slot(2)];
    let away = [EMPTY, slot(4)];
    let map = map(vec![llc(0, 1, &[0, 99]), llc(1, 1, &[0, 1])]);
    let groups = aggregate(&home, &away, &map);
    assert_eq!(groups[0].figures, figures(1 + 4));
    assert_eq!(groups[1].figures, figures(2));
    assert_eq!(groups.len(), 2);
}

#[test]
fn differences_of_figures() {
    assert_eq!(figures(5).since(&figures(2)), Ok(figures(3)));
    assert_eq!(figures(5).since(&Figures::default()), Ok(figures(5)));
    let none = figures(5).since(&figures(5)).unwrap();
    assert!(none.is_empty());
}

/// Each counter alone is noticed when it goes back.
#[test]
fn a_counter_that_went_back_is_an_error() {
    let earlier = figures(2);
    let back: [fn(&mut Figures); 12] = [
        |f| f.wakeups -= 1,
        |f| f.forks -= 1,
        |f| f.execs -= 1,
        |f| *f.outcomes.get_mut(&OutcomeName::Skipped).unwrap() -= 1,
        |f| f.idle_cores_claimed -= 1,
        |f| f.at_limit -= 1,
        |f| f.before_limit -= 1,
        |f| f.over_limit -= 1,
        |f| f.duration = Histogram::new(bucket::DURATION),
        |f| f.scanned = Histogram::new(bucket::COUNT),
        |f| f.limit = Histogram::new(bucket::COUNT),
        |f| f.core_duration = Histogram::new(bucket::DURATION),
    ];
    for (index, back) in back.into_iter().enumerate() {
        let mut now = figures(2);
        back(&mut now);
        assert_eq!(now.since(&earlier), Err(Shrunk), "counter {index}");
        assert!(earlier.since(&now).is_ok(), "counter {index}");
    }
}
