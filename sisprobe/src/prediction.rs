//! Looks at CPUs → the state of a group, and what each policy says of it. Pure.

use sisprobe_common::{
    layout::{ABSENT, Layout},
    load::CpuLoad,
};

use crate::{
    policy::{Depth, LlcState, Policy, sis_util},
    report::{LlcSaid, Predicted, Prediction, Spread, State},
};

/// Which of the values that policies ask for this kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Has {
    /// `sched_domain_shared::nr_idle_scan`.
    pub nr_idle_scan: bool,
    /// `rq::avg_idle`.
    pub avg_idle: bool,
    /// `rq::wake_avg_idle`.
    pub wake_avg_idle: bool,
    /// `sched_domain::avg_scan_cost`.
    pub avg_scan_cost: bool,
}

impl From<&Layout> for Has {
    fn from(layout: &Layout) -> Self {
        Self {
            nr_idle_scan: layout.nr_idle_scan != ABSENT,
            avg_idle: layout.avg_idle != ABSENT,
            wake_avg_idle: layout.wake_avg_idle != ABSENT && layout.wake_stamp != ABSENT,
            avg_scan_cost: layout.avg_scan_cost != ABSENT,
        }
    }
}

/// One CPU of a group, as the last look found it.
#[derive(Clone, Copy, Debug)]
pub struct Looked {
    /// What was found.
    pub load: CpuLoad,
    /// Online CPUs of its core.
    pub smt_width: u32,
}

/// The state of a group of CPUs; none if no look at any of them succeeded.
pub fn state(cpus: &[Looked]) -> Option<State> {
    let known = || {
        cpus.iter()
            .map(|cpu| &cpu.load)
            .filter(|load| load.is_known())
    };
    let sum = |value: fn(&CpuLoad) -> u64| known().map(value).sum();
    let state = State {
        cpus: count(known()),
        idle_cpus: count(known().filter(|load| load.is_idle())),
        nr_running: sum(|load| u64::from(load.nr_running)),
        sum_util: sum(CpuLoad::util),
        capacity: sum(|load| load.capacity_orig),
        fair_capacity: sum(|load| load.capacity),
        llc: None,
    };
    (state.cpus > 0).then_some(state)
}

/// The same of the CPUs of one LLC, with what the kernel has stored for it, and what every
/// policy says of it.
///
/// Predictions are for the linear scan: the search for an idle core, where the LLC claims to have
/// one, is not bounded by most policies. Policies that go by the times of the CPU on which the
/// wake-up runs are asked once for each CPU of the LLC.
pub fn llc(cpus: &[Looked], has: Has) -> (Option<State>, Vec<Prediction>) {
    let mut state = state(cpus);
    let domain: Vec<Looked> = cpus
        .iter()
        .copied()
        .filter(|cpu| cpu.load.has_llc())
        .collect();
    let (Some(state_of_cpus), Some(first)) = (&mut state, domain.first()) else {
        return (state, Vec::new());
    };
    let whole = whole(&domain, &first.load);
    let seen: Vec<LlcState> = domain
        .iter()
        .map(|cpu| as_seen_by(cpu, &whole, has))
        .collect();
    state_of_cpus.llc = Some(said(&first.load, &seen, has));
    let predictions = Policy::ALL.map(|policy| Prediction {
        policy,
        predicted: predict(policy, &seen, has),
    });
    (state, predictions.into())
}

/// The LLC but for what each of its CPUs sees for itself; `load` is that of any of them.
fn whole(domain: &[Looked], load: &CpuLoad) -> LlcState {
    let sum = |value: fn(&CpuLoad) -> u64| domain.iter().map(|cpu| value(&cpu.load)).sum();
    LlcState {
        sum_util: sum(CpuLoad::util),
        total_capacity: sum(|load| load.capacity),
        imbalance_pct: load.imbalance_pct,
        ..LlcState::unused(load.span_weight)
    }
}

/// The LLC as a search that runs on `cpu` sees it.
fn as_seen_by(cpu: &Looked, whole: &LlcState, has: Has) -> LlcState {
    let load = &cpu.load;
    LlcState {
        avg_idle: has.avg_idle.then_some(load.avg_idle),
        wake_avg_idle: has.wake_avg_idle.then_some(load.wake_avg_idle_now()),
        avg_scan_cost: has.avg_scan_cost.then_some(load.avg_scan_cost),
        smt: cpu.smt_width,
        ..whole.clone()
    }
}

fn said(load: &CpuLoad, seen: &[LlcState], has: Has) -> LlcSaid {
    let spread = |value: fn(&LlcState) -> Option<u64>| Spread::of(seen.iter().filter_map(value));
    LlcSaid {
        weight: load.span_weight,
        imbalance_pct: load.imbalance_pct,
        has_idle_cores: load.has_idle_cores != 0,
        nr_idle_scan: has.nr_idle_scan.then_some(load.nr_idle_scan),
        nr_idle_scan_now: seen.first().map_or(0, |llc| {
            sis_util::nr_idle_scan(llc.sum_util, llc.weight, llc.imbalance_pct)
        }),
        avg_idle: spread(|llc| llc.avg_idle),
        wake_avg_idle: spread(|llc| llc.wake_avg_idle),
        avg_scan_cost: spread(|llc| llc.avg_scan_cost),
    }
}

fn predict(policy: Policy, seen: &[LlcState], has: Has) -> Predicted {
    let mut depths = Vec::with_capacity(seen.len());
    for llc in seen {
        match policy.depth(llc) {
            Depth::NoSearch => depths.push(0),
            Depth::AtMost(cpus) => depths.push(u64::from(cpus)),
            Depth::Unavailable { needs } => {
                return Predicted::NotAvailable(not_available(needs, has));
            }
        }
    }
    let searching = depths.iter().filter(|&&cpus| cpus > 0).count() as f64;
    match Spread::of(depths.iter().copied()) {
        Some(cpus) => Predicted::Depth {
            cpus,
            searching: searching / depths.len() as f64,
        },
        None => Predicted::NotAvailable("the LLC has no domain".into()),
    }
}

/// What is missing, of what the policy needs, in the kernel's words.
fn not_available(needs: &str, has: Has) -> String {
    let members = [
        ("wake_avg_idle", "rq::wake_avg_idle", has.wake_avg_idle),
        ("avg_idle", "rq::avg_idle", has.avg_idle),
        (
            "avg_scan_cost",
            "sched_domain::avg_scan_cost",
            has.avg_scan_cost,
        ),
    ];
    let lacking: Vec<&str> = members
        .into_iter()
        .filter(|(name, _, there)| !there && needs.split(' ').any(|word| word == *name))
        .map(|(_, member, _)| member)
        .collect();
    format!("this kernel has no {}", lacking.join(" and no "))
}

fn count<'a>(loads: impl Iterator<Item = &'a CpuLoad>) -> u32 {
    u32::try_from(loads.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
