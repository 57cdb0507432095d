//! The published vectors, and what must hold for any LLC.

use proptest::prelude::*;

use super::*;

fn depths(policy: Policy, llc: &LlcState, percents: &[u32]) -> Vec<Depth> {
    percents
        .iter()
        .map(|&percent| policy.depth(&llc.at(percent)))
        .collect()
}

fn cpus(policy: Policy, weight: u32, percents: &[u32]) -> Vec<u32> {
    depths(policy, &LlcState::unused(weight), percents)
        .into_iter()
        .map(|depth| depth.cpus().unwrap())
        .collect()
}

fn with_times(weight: u32, idle: u64, cost: u64) -> LlcState {
    LlcState {
        avg_idle: Some(idle),
        wake_avg_idle: Some(idle),
        avg_scan_cost: Some(cost),
        ..LlcState::unused(weight)
    }
}

#[test]
fn sis_util_has_the_published_budgets() {
    let percents = [0, 5, 15, 25, 35, 45, 50, 55, 65, 75, 80, 85, 90];
    let expected = [112, 111, 108, 102, 93, 81, 73, 65, 47, 25, 14, 1, 0];
    assert_eq!(cpus(Policy::SisUtil, 112, &percents), expected);
    let percents = [0, 25, 50, 75, 80, 85];
    assert_eq!(cpus(Policy::SisUtil, 16, &percents), [16, 14, 10, 3, 2, 0]);
    let percents = [0, 25, 50, 75, 85];
    assert_eq!(cpus(Policy::SisUtil, 32, &percents), [32, 29, 21, 7, 0]);
    assert_eq!(cpus(Policy::SisUtil, 8, &[0, 50, 75, 85]), [8, 5, 1, 0]);
}

#[test]
fn sis_util_ends_where_it_was_published() {
    for (weight, first) in [
        (4, 759),
        (8, 820),
        (16, 848),
        (64, 869),
        (112, 872),
        (192, 874),
    ] {
        let budget = |x: u64| sis_util::nr_idle_scan(x * u64::from(weight), weight, 117);
        assert_eq!((0..=1024).find(|&x| budget(x) == 0), Some(first));
    }
}

#[test]
fn sis_util_goes_by_imbalance_pct() {
    // 512^2 * 110^2 / 10240000 = 309; (1024 - 309) * 4 / 1024 = 2.
    assert_eq!(sis_util::nr_idle_scan(2048, 4, 110), 2);
    // 100: all but the last per mille of the capacity leaves something to search.
    assert_eq!(sis_util::nr_idle_scan(1023 * 512, 512, 100), 1);
    assert_eq!(sis_util::nr_idle_scan(1024 * 512, 512, 100), 0);
}

#[test]
fn sis_util_linear_has_the_published_budgets() {
    let nr = |percent| {
        let state = LlcState::unused(112).at(percent);
        sis_util_linear::nr(state.sum_util, state.total_capacity, 112)
    };
    assert_eq!([0, 10, 25, 50, 75].map(nr), [112, 91, 58, 4, 4]);
    // The budget is one more than the CPUs that may be looked at.
    let percents = [0, 10, 25, 50, 75];
    let expected = [111, 90, 57, 3, 3];
    assert_eq!(cpus(Policy::SisUtilLinear, 112, &percents), expected);
    assert_eq!(sis_util_linear::nr(1, 0, 112), 4);
}

#[test]
fn sis_util_85_is_all_or_nothing() {
    let llc = LlcState {
        has_idle_cores: true,
        smt: 2,
        ..LlcState::unused(112)
    };
    let expected = [Depth::AtMost(112), Depth::AtMost(112), Depth::NoSearch];
    assert_eq!(depths(Policy::SisUtil85, &llc, &[0, 85, 86]), expected);
    // 117 * 100 is not less than 100 * 117, but than 101 * 117.
    let at = |sum_util| LlcState {
        total_capacity: 117,
        sum_util,
        ..llc.clone()
    };
    assert_eq!(sis_util_85::depth(&at(100)), Depth::AtMost(112));
    assert_eq!(sis_util_85::depth(&at(101)), Depth::NoSearch);
}

#[test]
fn sis_util_quad_goes_in_percent() {
    // By hand, 50 %: 2500 / 72 = 34, 66 * 112 / 100 = 73.
    let percents = [0, 8, 9, 25, 50, 75, 84, 85, 100];
    let expected = [112, 112, 110, 103, 73, 24, 2, 0, 0];
    assert_eq!(cpus(Policy::SisUtilQuad, 112, &percents), expected);
}

#[test]
fn the_tweak_searches_small_llcs_in_full_or_not_at_all() {
    let percents = [0, 25, 50, 75, 85];
    let plain = cpus(Policy::SisUtilQuad, 16, &percents);
    assert_eq!(plain, [16, 14, 10, 3, 0]);
    let tweaked = cpus(Policy::SisUtilQuadSmallLlc, 16, &percents);
    assert_eq!(tweaked, [16, 16, 16, 16, 0]);
    assert_eq!(
        cpus(Policy::SisUtilQuad, 17, &percents),
        cpus(Policy::SisUtilQuadSmallLlc, 17, &percents)
    );
}

/// `n <= 113 - 2^(x / 7)` if and only if `2^x <= (113 - n)^7`, in whole numbers.
#[test]
fn sis_util_exp_is_exact_for_the_llc_it_was_written_for() {
    for x in 0..=100_u32 {
        let below = |n: u32| 1_u128 << x <= u128::from(113 - n).pow(7);
        let exact = (0..=112).rev().find(|&n| below(n)).unwrap_or(0);
        assert_eq!(cpus(Policy::SisUtilExp, 112, &[x]), [exact], "{x} %");
    }
}

#[test]
fn sis_util_exp_leaves_out_twice_as_many_every_seven_percent() {
    let percents = [0, 7, 14, 21, 28, 35, 42, 47, 48];
    let expected = [112, 111, 109, 105, 97, 81, 49, 7, 0];
    assert_eq!(cpus(Policy::SisUtilExp, 112, &percents), expected);
    // Half of the CPUs, half of the budget.
    assert_eq!(cpus(Policy::SisUtilExp, 56, &[35]), [40]);
}

#[test]
fn full_looks_at_what_the_task_may_use() {
    let mut llc = LlcState::unused(16);
    assert_eq!(Policy::Full.depth(&llc), Depth::AtMost(16));
    llc.allowed = 5;
    assert_eq!(Policy::Full.depth(&llc), Depth::AtMost(5));
    llc.allowed = 99;
    assert_eq!(Policy::Full.depth(&llc), Depth::AtMost(16));
}

#[test]
fn sis_avg_cpu_compares_a_512th_with_the_cost() {
    // 512 * 1001 ns against a cost of 1000 + 1 ns.
    let at = |idle| Policy::SisAvgCpu.depth(&with_times(16, idle, 1000));
    assert_eq!(at(512 * 1001), Depth::AtMost(16));
    assert_eq!(at(512 * 1001 - 1), Depth::NoSearch);
    let idle_core = LlcState {
        has_idle_cores: true,
        ..with_times(16, 0, 1000)
    };
    assert_eq!(Policy::SisAvgCpu.depth(&idle_core), Depth::AtMost(16));
}

#[test]
fn sis_prop_divides_the_idle_time_by_the_cost() {
    // The cost is 99 + 1 ns for 16 CPUs.
    let at = |idle| Policy::SisProp.depth(&with_times(16, idle, 99));
    // 16 * 25 = 4 * 100 is not above the floor, and what is just above is not more than it.
    assert_eq!(at(25), Depth::AtMost(3));
    assert_eq!(at(26), Depth::AtMost(3));
    // 16 * 32 / 100 = 5.
    assert_eq!(at(32), Depth::AtMost(4));
    assert_eq!(at(100), Depth::AtMost(15));
    assert_eq!(at(1_000_000), Depth::AtMost(16));
    assert_eq!(at(0), Depth::AtMost(3));
    let earlier = |idle| Policy::SisPropAvgIdle.depth(&with_times(16, idle, 99));
    assert_eq!(earlier(32 * 512), Depth::AtMost(4));
    assert_eq!(earlier(32 * 512 - 1), Depth::AtMost(3));
}

#[test]
fn sis_core_window_is_one_to_two_cores() {
    let at = |smt, idle: u64| {
        let llc = LlcState {
            smt,
            ..with_times(64, idle * 512, 99)
        };
        Policy::SisCoreWindow.depth(&llc)
    };
    for (smt, floor) in [(1, 2), (2, 2), (4, 4), (8, 8)] {
        assert_eq!(at(smt, 0), Depth::AtMost(floor - 1));
        assert_eq!(at(smt, 1_000_000), Depth::AtMost(2 * floor - 1));
    }
    // 64 * 5 / 100 = 3, between 2 and 4.
    assert_eq!(at(2, 5), Depth::AtMost(2));
}

#[test]
fn no_core_looks_at_four() {
    let idle_core = LlcState {
        has_idle_cores: true,
        smt: 2,
        ..LlcState::unused(64)
    };
    assert_eq!(Policy::NoCore.depth(&idle_core), Depth::AtMost(4));
    assert_eq!(Policy::NoCore.depth(&LlcState::unused(2)), Depth::AtMost(2));
}

#[test]
fn no_budget_bounds_the_search_for_an_idle_core() {
    let mut llc = LlcState {
        has_idle_cores: true,
        smt: 2,
        ..with_times(16, 0, 1000)
    }
    .at(80);
    for policy in Policy::ALL {
        let expected = match policy {
            Policy::NoCore => Depth::AtMost(4),
            Policy::SisUtilExp => Depth::NoSearch,
            _ => Depth::AtMost(16),
        };
        assert_eq!(policy.depth(&llc), expected, "{policy}");
    }
    // Siblings of allowed CPUs are looked at too.
    llc.allowed = 3;
    assert_eq!(Policy::Full.depth(&llc), Depth::AtMost(6));
    // SIS_UTIL's zero holds for cores too.
    assert_eq!(Policy::SisUtil.depth(&llc.at(90)), Depth::NoSearch);
    assert_eq!(Policy::SisUtilQuad.depth(&llc.at(90)), Depth::NoSearch);
}

#[test]
fn what_the_kernel_lacks_is_named() {
    let llc = LlcState::unused(16);
    let missing: Vec<_> = Policy::ALL
        .into_iter()
        .filter_map(|policy| match policy.depth(&llc) {
            Depth::Unavailable { needs } => Some((policy, needs)),
            _ => None,
        })
        .collect();
    let idle_and_cost = "avg_idle and avg_scan_cost";
    assert_eq!(
        missing,
        [
            (Policy::SisAvgCpu, idle_and_cost),
            (Policy::SisPropAvgIdle, idle_and_cost),
            (Policy::SisProp, "wake_avg_idle and avg_scan_cost"),
            (Policy::SisCoreWindow, idle_and_cost),
        ]
    );
    // One of two is not enough.
    let only_idle = LlcState {
        avg_scan_cost: None,
        ..with_times(16, 1, 1)
    };
    assert_eq!(Policy::SisProp.depth(&only_idle).cpus(), None);
}

#[test]
fn names_are_read_back() {
    for policy in Policy::ALL {
        assert_eq!(policy.name().parse(), Ok(policy));
        let json = serde_json::to_string(&policy).unwrap();
        assert_eq!(json, format!("\"{}\"", policy.name()));
    }
    let error = "sis".parse::<Policy>().unwrap_err().to_string();
    assert!(error.contains("sis_util_85"), "{error}");
}

#[test]
fn policies_are_chosen_by_name_or_all() {
    let choice: Choice = "sis_util,full,sis_util".parse().unwrap();
    assert_eq!(choice.policies(), [Policy::SisUtil, Policy::Full]);
    assert_eq!("all".parse(), Ok(Choice::all()));
    assert!("".parse::<Choice>().is_err());
    assert!("full,".parse::<Choice>().is_err());
    assert!("full,all".parse::<Choice>().is_err());
}

#[test]
fn curves_end_at_all_of_the_capacity() {
    let curve = Curve::new(LlcState::unused(16), &Choice::all(), 30);
    assert_eq!(curve.utilisation, [0, 30, 60, 90, 100]);
    for line in &curve.policies {
        assert_eq!(line.depth.is_empty(), line.needs.is_some());
        assert!(line.needs.is_some() || line.depth.len() == 5);
    }
    let curve = Curve::new(LlcState::unused(16), &Choice::all(), 100);
    assert_eq!(curve.utilisation, [0, 100]);
}

#[test]
fn the_documentation_has_every_policy() {
    let table = include_str!("../../../docs/policies.md");
    for policy in Policy::ALL {
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| `{policy}` |")))
            .unwrap_or_else(|| panic!("docs/policies.md has no row for {policy}"));
        let budget = format!("| {} |", policy.budget());
        assert!(row.contains(&budget), "{row} should have {budget}");
    }
}

/// With more of the LLC in use no policy looks further, whatever the LLC's size. Those that go by
/// times do not ask for utilisation.
#[test]
fn no_policy_looks_further_with_more_in_use() {
    for weight in 1..=512 {
        let llc = with_times(weight, 100_000, 300);
        for policy in Policy::ALL {
            let mut last = weight;
            for percent in 0..=120 {
                let depth = policy.depth(&llc.at(percent)).cpus().unwrap();
                assert!(depth <= last, "{policy}, {weight} CPUs, {percent} %");
                last = depth;
            }
        }
    }
}

#[test]
fn an_unused_llc_is_searched_in_full_by_those_that_go_by_utilisation() {
    for weight in 1..=512 {
        for policy in [
            Policy::SisUtil85,
            Policy::SisUtilExp,
            Policy::SisUtilQuad,
            Policy::SisUtilQuadSmallLlc,
            Policy::SisUtil,
        ] {
            assert_eq!(cpus(policy, weight, &[0, 100]), [weight, 0], "{policy}");
        }
        // One CPU is lost to the budget rule, but in an LLC below its floor.
        let expected = if weight < 4 { weight } else { weight - 1 };
        assert_eq!(cpus(Policy::SisUtilLinear, weight, &[0]), [expected]);
    }
}

fn any_state() -> impl Strategy<Value = LlcState> {
    let sizes = (any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>());
    let sums = (any::<u64>(), any::<u64>());
    let times = (any::<u64>(), any::<u64>(), any::<u64>());
    (sizes, sums, times, any::<bool>()).prop_map(
        |((weight, allowed, pct, smt), (sum_util, total_capacity), (idle, wake, cost), cores)| {
            LlcState {
                weight,
                allowed,
                sum_util,
                total_capacity,
                imbalance_pct: pct,
                avg_idle: Some(idle),
                wake_avg_idle: Some(wake),
                avg_scan_cost: Some(cost),
                smt,
                has_idle_cores: cores,
            }
        },
    )
}

fn llc_state() -> impl Strategy<Value = LlcState> {
    (any_state(), 1..=512_u32, 0..=120_u32, 100..=150_u32).prop_map(
        |(state, weight, percent, imbalance_pct)| {
            LlcState {
                weight,
                allowed: state.allowed % (weight + 1),
                imbalance_pct,
                total_capacity: u64::from(weight) * CAPACITY,
                ..state
            }
            .at(percent)
        },
    )
}

proptest! {
    /// Not even numbers that no kernel has lead to an overflow, which tests would not forgive, or
    /// to more CPUs than there are.
    #[test]
    fn no_depth_is_above_the_weight(state in prop_oneof![any_state(), llc_state()]) {
        for policy in Policy::ALL {
            prop_assert!(policy.depth(&state).cpus().unwrap() <= state.weight);
        }
    }

    #[test]
    fn more_in_use_is_never_further(state in llc_state(), more in 0..=600_000_u64) {
        let busier = LlcState { sum_util: state.sum_util + more, ..state.clone() };
        for policy in Policy::ALL {
            let [calm, busy] = [&state, &busier].map(|state| policy.depth(state).cpus());
            prop_assert!(busy <= calm, "{} {:?} {:?}", policy, calm, busy);
        }
    }

    #[test]
    fn more_idle_time_is_never_less_far(state in llc_state(), idle in 0..=u64::MAX) {
        let idle = Some(idle);
        let other = LlcState { avg_idle: idle, wake_avg_idle: idle, ..state.clone() };
        for policy in Policy::ALL {
            let [a, b] = [&state, &other].map(|state| policy.depth(state).cpus());
            let idle_of = |state: &LlcState| match policy {
                Policy::SisProp => state.wake_avg_idle,
                _ => state.avg_idle,
            };
            if idle_of(&state) <= idle_of(&other) {
                prop_assert!(a <= b, "{}", policy);
            } else {
                prop_assert!(a >= b, "{}", policy);
            }
        }
    }
}
