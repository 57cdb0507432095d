//! How far the active policy lets a search look.

use sisprobe_common::{
    budget::{NO_CORE, avg_cost, core_window, prop, rule, span_avg},
    layout::FEATURES,
    state::{CpuState, Shared},
};

use crate::{
    kernel::{
        features, member_or_zero, percpu_pointer, read_or_zero, run_queue, smt_width, span_weight,
        wake_avg_idle,
    },
    maps::layout,
};

/// Notes by what a search that begins now on `cpu` is bounded.
#[inline(always)]
pub fn note(state: &mut CpuState, cpu: u32) {
    let rule = active();
    state.rule = rule;
    if goes_by_time(rule) {
        match times(rule, cpu) {
            Some((avg_idle, avg_scan_cost)) => {
                state.avg_idle = avg_idle;
                state.avg_scan_cost = avg_scan_cost;
            }
            None => state.rule = rule::UNKNOWN,
        }
    }
}

/// The rule of the first feature that is on. Unknown while one is being switched on: its bit is
/// set before the kernel's code is patched, and its key after (kernel/sched/debug.c,
/// `sched_feat_set`).
#[inline(always)]
fn active() -> u32 {
    if layout!(sched_features) == 0 {
        return layout!(otherwise);
    }
    let on = features();
    for index in 0..FEATURES {
        if on & layout!(features[index].mask) != 0 {
            if !agrees(index, true) {
                return rule::UNKNOWN;
            }
            return layout!(features[index].rule);
        }
    }
    layout!(otherwise)
}

/// Whether the kernel's code goes by feature `index` as its bit, `on`, says.
#[inline(always)]
fn agrees(index: usize, on: bool) -> bool {
    let key = layout!(features[index].key);
    key == 0 || (read_or_zero::<u32>(key) == 1) == on
}

/// Whether `rule`, by which a search began, still is that of the kernel's code. While features
/// are switched a search may go by either.
#[inline(always)]
pub fn still(rule: u32) -> bool {
    let on = features();
    let mut agree = true;
    for index in 0..FEATURES {
        agree &= agrees(index, on & layout!(features[index].mask) != 0);
    }
    agree && active() == rule
}

#[inline(always)]
const fn goes_by_time(rule: u32) -> bool {
    matches!(
        rule,
        rule::WAKE_AVG_IDLE | rule::AVG_IDLE | rule::CORE_WINDOW | rule::AVG_COST
    )
}

/// Idle time and scan cost of the waking CPU, as `rule` reads them.
#[inline(always)]
fn times(rule: u32, cpu: u32) -> Option<(u64, u64)> {
    let rq = run_queue(cpu)?;
    let idle = if rule == rule::WAKE_AVG_IDLE {
        wake_avg_idle(rq)
    } else {
        member_or_zero::<u64>(rq, layout!(avg_idle)) / 512
    };
    let domain = percpu_pointer(layout!(sd_llc), cpu)?;
    Some((idle, member_or_zero(domain, layout!(avg_scan_cost))))
}

/// Whether `rule` may let a search look at all CPUs that the task may use.
#[inline(always)]
pub const fn asks_for_weight(rule: u32) -> bool {
    matches!(rule, rule::WEIGHT | rule::AVG_COST)
}

/// Whether `rule` goes by what the kernel has stored for the LLC.
#[inline(always)]
pub const fn is_stored(rule: u32) -> bool {
    matches!(rule, rule::NR_IDLE_SCAN | rule::NR_IDLE_SCAN_MINUS_ONE)
}

/// How many CPUs a rule that [`is_stored`] lets a search look at, by what was read of the LLC.
#[inline(always)]
pub fn stored(rule: u32, shared: Shared) -> u32 {
    if rule == rule::NR_IDLE_SCAN {
        shared.nr_idle_scan
    } else {
        shared.nr_idle_scan.saturating_sub(1)
    }
}

/// How many CPUs the policy let the search that `state` describes look at in the LLC of `cpu`, of
/// which `shared` was read, and of which the task may use `weight` (needed only for rules that
/// ask for it).
#[inline(always)]
pub fn of(state: &CpuState, shared: Shared, cpu: u32, weight: u32) -> Option<u32> {
    let rule = state.rule;
    if is_stored(rule) {
        return (shared.known != 0).then(|| stored(rule, shared));
    }
    let cost = avg_cost(state.avg_scan_cost);
    let idle = state.avg_idle;
    let (nr, size) = match rule {
        rule::WEIGHT => return Some(weight),
        rule::NO_CORE => return Some(NO_CORE),
        rule::AVG_COST => return Some(if idle < cost { 0 } else { weight }),
        rule::WAKE_AVG_IDLE | rule::AVG_IDLE => {
            let size = span_weight(cpu);
            (prop(span_avg(size, idle), cost), size)
        }
        rule::CORE_WINDOW => {
            let size = span_weight(cpu);
            (
                core_window(span_avg(size, idle), cost, smt_width(cpu)),
                size,
            )
        }
        _ => return None,
    };
    Some((nr - 1).min(u64::from(size)) as u32)
}
