use super::*;

const ALL: Has = Has {
    nr_idle_scan: true,
    avg_idle: true,
    wake_avg_idle: true,
    avg_scan_cost: true,
};

/// As 6.7 and later are.
const NEW: Has = Has {
    wake_avg_idle: false,
    avg_scan_cost: false,
    ..ALL
};

fn cpu(util: u64) -> Looked {
    Looked {
        load: CpuLoad {
            util_avg: util,
            util_est: 0,
            capacity: 1000,
            capacity_orig: 1024,
            avg_idle: 512_000,
            wake_avg_idle: 4000,
            wake_stamp: 98,
            jiffies: 100,
            avg_scan_cost: 999,
            nr_running: u32::from(util > 0),
            occupied: util,
            nr_idle_scan: 7,
            has_idle_cores: 0,
            imbalance_pct: 117,
            span_weight: 16,
            reserved: 0,
        },
        smt_width: 2,
    }
}

fn llc_of(util: u64) -> Vec<Looked> {
    vec![cpu(util); 16]
}

fn depth(predictions: &[Prediction], policy: Policy) -> Predicted {
    let of = |prediction: &&Prediction| prediction.policy == policy;
    predictions.iter().find(of).unwrap().predicted.clone()
}

fn same(cpus: u64) -> Predicted {
    Predicted::Depth {
        cpus: Spread {
            mean: cpus as f64,
            least: cpus,
            most: cpus,
        },
        searching: if cpus > 0 { 1.0 } else { 0.0 },
    }
}

#[test]
fn sums_over_the_cpus_that_could_be_read() {
    let mut cpus = llc_of(512);
    cpus[3] = cpu(0);
    cpus[4].load.capacity = 0;
    let state = state(&cpus).unwrap();
    assert_eq!((state.cpus, state.idle_cpus, state.nr_running), (15, 1, 14));
    assert_eq!((state.sum_util, state.capacity), (14 * 512, 15 * 1024));
    assert_eq!(state.fair_capacity, 15_000);
    assert!((state.utilisation() - 14.0 / 30.0).abs() < 1e-9);
    assert_eq!(state.llc, None);
    cpus.iter_mut().for_each(|cpu| cpu.load.capacity = 0);
    assert_eq!(super::state(&cpus), None);
    assert_eq!(super::state(&[]), None);
}

#[test]
fn every_policy_says_something_where_the_kernel_has_all_it_asks_for() {
    let (state, predictions) = llc(&llc_of(512), ALL);
    let said = state.unwrap().llc.unwrap();
    assert_eq!((said.nr_idle_scan, said.nr_idle_scan_now), (Some(7), 10));
    assert_eq!(predictions.len(), Policy::ALL.len());
    // 16 * 1000 / 1000, less one.
    assert_eq!(depth(&predictions, Policy::SisProp), same(15));
    assert_eq!(depth(&predictions, Policy::SisPropAvgIdle), same(15));
    assert_eq!(depth(&predictions, Policy::SisUtil), same(10));
    assert_eq!(depth(&predictions, Policy::NoCore), same(4));
    assert!(predictions.iter().all(|p| p.predicted.cpus().is_some()));
}

#[test]
fn what_this_kernel_lacks_is_named() {
    let (state, predictions) = llc(&llc_of(512), NEW);
    assert_eq!(state.unwrap().llc.unwrap().avg_scan_cost, None);
    let why = |policy| match depth(&predictions, policy) {
        Predicted::NotAvailable(why) => why,
        depth @ Predicted::Depth { .. } => panic!("{policy}: {depth:?}"),
    };
    assert_eq!(
        why(Policy::SisProp),
        "this kernel has no rq::wake_avg_idle and no sched_domain::avg_scan_cost"
    );
    assert_eq!(
        why(Policy::SisPropAvgIdle),
        "this kernel has no sched_domain::avg_scan_cost"
    );
    let without: Vec<Policy> = (predictions.iter())
        .filter(|prediction| prediction.predicted.cpus().is_none())
        .map(|prediction| prediction.policy)
        .collect();
    assert_eq!(
        without,
        [
            Policy::SisAvgCpu,
            Policy::SisPropAvgIdle,
            Policy::SisProp,
            Policy::SisCoreWindow
        ]
    );
}

#[test]
fn cpus_differ_for_policies_that_go_by_their_times() {
    let mut cpus = llc_of(512);
    cpus[0].load.wake_avg_idle = 0;
    cpus[0].load.avg_idle = 0;
    let (_, predictions) = llc(&cpus, ALL);
    let spread = Spread {
        mean: (15.0 * 15.0 + 3.0) / 16.0,
        least: 3,
        most: 15,
    };
    assert_eq!(
        depth(&predictions, Policy::SisProp),
        Predicted::Depth {
            cpus: spread,
            searching: 1.0
        }
    );
    match depth(&predictions, Policy::SisAvgCpu) {
        Predicted::Depth { cpus, searching } => {
            assert_eq!((cpus.least, cpus.most), (0, 16));
            assert!((searching - 15.0 / 16.0).abs() < 1e-9);
        }
        none @ Predicted::NotAvailable(_) => panic!("{none:?}"),
    }
}

/// An idle core takes no part: what is predicted is the linear scan.
#[test]
fn idle_cores_do_not_lift_the_limit() {
    let mut cpus = llc_of(1000);
    cpus.iter_mut().for_each(|cpu| cpu.load.has_idle_cores = 1);
    let (state, predictions) = llc(&cpus, ALL);
    assert!(state.unwrap().llc.unwrap().has_idle_cores);
    assert_eq!(depth(&predictions, Policy::SisUtil), same(0));
}

#[test]
fn cpus_without_a_domain_do_not_count_for_it() {
    let mut cpus = llc_of(512);
    let mut isolated = cpu(1024);
    isolated.load.span_weight = 0;
    cpus.push(isolated);
    let (state, predictions) = llc(&cpus, ALL);
    assert_eq!(state.unwrap().cpus, 17);
    assert_eq!(depth(&predictions, Policy::SisUtil), same(10));

    let (state, predictions) = llc(&[isolated], ALL);
    assert_eq!(state.unwrap().llc, None);
    assert_eq!(predictions, []);
}
