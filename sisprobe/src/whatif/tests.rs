use sisprobe_common::slot::Outcome;

use super::*;
use crate::{
    report::{Figures, LlcSaid, Prediction, Spread},
    sink::sample,
};

/// An interval with 100 wake-ups and 10 searches, in an LLC of 8 CPUs of which `idle` are idle.
fn interval(idle: u32, has_idle_cores: bool, predictions: Vec<Prediction>) -> Report {
    let mut figures = Figures {
        wakeups: 100,
        ..Figures::default()
    };
    for (outcome, count) in [
        (Outcome::IdleCpu, 6),
        (Outcome::Skipped, 3),
        (Outcome::BudgetExhausted, 1),
    ] {
        figures.outcomes.insert(outcome.into(), count);
    }
    figures.scanned.record(0, 3);
    figures.scanned.record(4, 7);
    let mut report = sample::report(1, 1);
    let group = &mut report.groups[0];
    group.figures = figures;
    group.predictions = predictions;
    group.state = Some(State {
        cpus: 8,
        idle_cpus: idle,
        nr_running: 8,
        sum_util: 4096,
        capacity: 8192,
        fair_capacity: 8192,
        llc: Some(LlcSaid {
            weight: 8,
            imbalance_pct: 117,
            has_idle_cores,
            nr_idle_scan: Some(4),
            nr_idle_scan_now: 4,
            avg_idle: None,
            wake_avg_idle: None,
            avg_scan_cost: None,
        }),
    });
    report
}

fn depth(policy: Policy, cpus: u64) -> Prediction {
    Prediction {
        policy,
        predicted: Predicted::Depth {
            cpus: Spread::of([cpus]).unwrap(),
            searching: if cpus > 0 { 1.0 } else { 0.0 },
        },
    }
}

fn ask(policies: &str, intervals: &[Report]) -> LlcAnswer {
    let mut what_if = WhatIf::new(policies.parse().unwrap());
    intervals.iter().for_each(|interval| what_if.add(interval));
    assert_eq!(what_if.intervals(), intervals.len() as u64);
    what_if.answers().remove(0)
}

#[track_caller]
fn assert_near(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-9), "{a:?} is not {b}");
}

#[test]
fn the_chance_of_looking_past_every_idle_cpu() {
    // One idle CPU of 8, 4 looks: half. Two idle: 6/8 * 5/7 * 4/6 * 3/5.
    assert_near(Some(none_idle(8, 1, 4.0)), 0.5);
    assert_near(
        Some(none_idle(8, 2, 4.0)),
        6.0 * 5.0 * 4.0 * 3.0 / (8.0 * 7.0 * 6.0 * 5.0),
    );
    assert_near(Some(none_idle(8, 1, 0.0)), 1.0);
    assert_near(Some(none_idle(8, 1, 8.0)), 0.0);
    assert_near(Some(none_idle(8, 5, 4.0)), 0.0);
    // None to be missed.
    assert_near(Some(none_idle(8, 0, 0.0)), 0.0);
    // Between two whole numbers, and idle CPUs that came up between two looks.
    assert_near(Some(none_idle(8, 1, 3.5)), (0.5 + 0.625) / 2.0);
    assert_near(Some(none_idle(8, 9, 0.0)), 1.0);
    assert_near(Some(none_idle(0, 0, 3.0)), 0.0);
}

/// Against counting: all ways in which 2 idle CPUs can stand among 6.
#[test]
fn the_chance_is_that_of_counting() {
    let (cpus, looks) = (6, 3);
    let (mut none, mut all) = (0_u32, 0_u32);
    for a in 0..cpus {
        for b in a + 1..cpus {
            all += 1;
            none += u32::from(a >= looks && b >= looks);
        }
    }
    assert_near(
        Some(none_idle(cpus, 2, f64::from(looks))),
        f64::from(none) / f64::from(all),
    );
}

#[test]
fn searches_are_asked_again_under_each_policy() {
    let predictions = || {
        vec![
            depth(Policy::Full, 8),
            depth(Policy::SisUtil, 4),
            depth(Policy::SisUtil85, 0),
        ]
    };
    let answer = ask(
        "full,sis_util,sis_util_85",
        &[
            interval(1, false, predictions()),
            interval(0, false, predictions()),
        ],
    );
    assert_eq!((answer.wakeups, answer.searches), (200, 20));
    assert_near(answer.measured.searched, 0.07);
    assert_near(answer.measured.scanned, 2.8);
    assert_near(answer.measured.failed, 0.4);
    let [full, util, none] = &answer.policies[..] else {
        panic!("{answer:?}");
    };
    assert_near(full.searched, 0.1);
    assert_near(full.budget, 8.0);
    assert_near(full.missed, 0.0);
    // Half of those of the first interval; in the second there is none to be missed.
    assert_near(util.missed, 0.25);
    assert_near(util.budget, 4.0);
    assert_near(none.searched, 0.0);
    assert_near(none.missed, 0.5);
}

#[test]
fn idle_cores_lift_the_limit_but_not_of_all() {
    let predictions = vec![
        depth(Policy::SisUtil, 2),
        depth(Policy::SisUtil85, 0),
        depth(Policy::NoCore, 4),
    ];
    let answer = ask(
        "sis_util,sis_util_85,no_core",
        &[interval(2, true, predictions)],
    );
    let [util, none, no_core] = &answer.policies[..] else {
        panic!("{answer:?}");
    };
    assert_near(util.budget, 8.0);
    assert_near(util.missed, 0.0);
    assert_near(none.budget, 0.0);
    assert_near(none.missed, 1.0);
    assert_near(no_core.budget, 4.0);
}

#[test]
fn some_cpus_would_search_and_some_not() {
    let predictions = vec![Prediction {
        policy: Policy::SisAvgCpu,
        predicted: Predicted::Depth {
            cpus: Spread::of([0, 8, 8, 8]).unwrap(),
            searching: 0.75,
        },
    }];
    let answer = ask("sis_avg_cpu", &[interval(1, false, predictions)]);
    assert_near(answer.policies[0].searched, 0.075);
    assert_near(answer.policies[0].budget, 6.0);
    assert_near(answer.policies[0].missed, 0.25);
}

#[test]
fn what_cannot_be_told_is_not_told() {
    let why = "this kernel has no rq::wake_avg_idle";
    let predictions = vec![Prediction {
        policy: Policy::SisProp,
        predicted: Predicted::NotAvailable(why.into()),
    }];
    let answer = ask("sis_prop", &[interval(1, false, predictions)]);
    let prop = &answer.policies[0];
    assert_eq!(prop.not_available.as_deref(), Some(why));
    assert_eq!(
        (prop.searched, prop.budget, prop.missed),
        (None, None, None)
    );

    let mut quiet = interval(1, false, vec![depth(Policy::Full, 8)]);
    quiet.groups[0].figures = Figures::default();
    let answer = ask("full", &[quiet]);
    assert_eq!(answer.measured.searched, None);
    assert_eq!(answer.policies[0].missed, None);
}
