//! The way of one wake-up through a CPU: entered → searching → looked at n CPUs → left.
//!
//! `select_task_rq_fair` runs on one CPU from entry to return with interrupts off, so the state
//! is that CPU's alone and one wake-up is over before the next begins.

use aya_ebpf::helpers::{bpf_get_smp_processor_id, bpf_ktime_get_ns};
use sisprobe_common::{
    bucket::{COUNT, DURATION},
    budget::rule,
    slot::{Outcome, Slot},
    state::{CpuState, Shared, UNKNOWN_LLC, found, phase},
};

use crate::{
    count::{Add, Atomic, Local, record, unknown},
    kernel::{domain_weight, llc, shared, smt_width},
    limit,
    maps::{AWAY, CPUS, HOME, enabled, layout},
};

/// Wake flags, kernel/sched/sched.h.
const WF_EXEC: u32 = 0x02;
const WF_FORK: u32 = 0x04;
const WF_TTWU: u32 = 0x08;

#[inline(always)]
fn this_cpu() -> u32 {
    // SAFETY: the helper has no precondition.
    unsafe { bpf_get_smp_processor_id() as u32 }
}

#[inline(always)]
fn now() -> u64 {
    // SAFETY: the helper has no precondition.
    unsafe { bpf_ktime_get_ns() }
}

#[inline(always)]
fn state() -> Option<&'static mut CpuState> {
    // SAFETY: the pointer is to this CPU's own entry, which nothing else writes meanwhile.
    CPUS.get_ptr_mut(this_cpu())
        .map(|state| unsafe { &mut *state })
}

/// Whether an event without its beginning is a fault. It is none before the first entry on this
/// CPU was seen, since the probes may have been enabled in the middle of a wake-up, nor after
/// they have been disabled.
#[inline(always)]
fn should_have_begun(state: &CpuState) -> bool {
    state.task != 0 && enabled()
}

/// `select_task_rq_fair(task, prev_cpu, wake_flags)` was called.
#[inline(always)]
pub fn entered(task: u64, prev_cpu: u32, wake_flags: u32) {
    if !enabled() {
        return;
    }
    let Some(state) = state() else { return };
    if state.phase != phase::OUTSIDE {
        state.health.unmatched_entries += 1;
    }
    state.phase = phase::ENTERED;
    state.looked = 0;
    state.idle_run = 0;
    state.prev_cpu = prev_cpu;
    state.wake_flags = wake_flags;
    state.task = task;
    if layout!(bracketed) != 0 {
        state.began = now();
    }
}

/// The search of the LLC domain begins: `select_idle_cpu`.
#[inline(always)]
pub fn search_began() {
    let Some(state) = state() else { return };
    if state.phase != phase::ENTERED {
        if should_have_begun(state) {
            state.health.searches_outside += 1;
        }
        return;
    }
    let cpu = this_cpu();
    let prev = state.prev_cpu;
    let here_llc = llc(cpu);
    let prev_llc = llc(prev);
    // The target of the search is the waking CPU or the previous one (wake_affine), so its LLC
    // is one of theirs.
    state.here = shared(cpu, here_llc);
    if prev_llc == here_llc {
        state.prev.known = 0;
    } else {
        state.prev = shared(prev, prev_llc);
    }
    limit::note(state, cpu);
    state.looked = 0;
    state.idle_run = 0;
    state.found = found::UNKNOWN;
    state.in_core = 0;
    state.core_calls = 0;
    state.phase = phase::SEARCHING;
    state.began = now();
}

/// `available_idle_cpu` returned `idle`.
#[inline(always)]
pub fn looked(idle: bool) {
    let Some(state) = state() else { return };
    let counted = if layout!(bracketed) != 0 {
        phase::ENTERED
    } else {
        phase::SEARCHING
    };
    if state.phase != counted {
        return;
    }
    state.looked += 1;
    state.idle_run = if idle { state.idle_run + 1 } else { 0 };
}

/// `select_idle_cpu` returned `cpu`, negative where it found none. Only fidelity `exact` sees it.
#[inline(always)]
pub fn search_ended(cpu: i32) {
    let Some(state) = state() else { return };
    if state.phase != phase::SEARCHING {
        return;
    }
    let now = now();
    state.took = now - state.began;
    // The last call of an inlined select_idle_core ends with the search.
    if state.in_core != 0 {
        end_core_call(state, now);
    }
    state.found = if (cpu as u32) < layout!(nr_cpu_ids) {
        found::YES
    } else {
        found::NO
    };
    state.phase = phase::SEARCHED;
}

/// `select_idle_core` was called.
#[inline(always)]
pub fn core_began() {
    let Some(state) = state() else { return };
    if state.phase == phase::SEARCHING {
        state.in_core = 1;
        state.core_began = now();
    }
}

/// `select_idle_core` returned.
#[inline(always)]
pub fn core_ended() {
    let Some(state) = state() else { return };
    if state.in_core != 0 {
        end_core_call(state, now());
    }
}

/// The inlined body of `select_idle_core` begins, which ends the one before it.
#[inline(always)]
pub fn core_stepped() {
    let Some(state) = state() else { return };
    if state.phase != phase::SEARCHING {
        return;
    }
    let now = now();
    if state.in_core != 0 {
        end_core_call(state, now);
    }
    state.in_core = 1;
    state.core_began = now;
}

#[inline(always)]
fn end_core_call(state: &mut CpuState, now: u64) {
    state.in_core = 0;
    let took = (now - state.core_began).min(u64::from(u32::MAX)) as u32;
    if let Some(slot) = state.core_took.get_mut(state.core_calls as usize) {
        *slot = took;
        state.core_calls += 1;
    } else {
        state.health.core_calls_dropped += 1;
    }
}

/// `select_task_rq_fair` returned `cpu`.
#[inline(always)]
pub fn left(cpu: u32) {
    let Some(state) = state() else { return };
    let was = state.phase;
    if was == phase::OUTSIDE {
        if should_have_begun(state) {
            state.health.unmatched_exits += 1;
        }
        return;
    }
    if was == phase::SEARCHING || layout!(bracketed) != 0 {
        let now = now();
        state.took = now - state.began;
        if state.in_core != 0 {
            end_core_call(state, now);
        }
    }
    state.phase = phase::OUTSIDE;

    let this_cpu = this_cpu();
    let llc_left_for = llc(cpu);
    // What left for a CPU whose LLC is not known (yet) stays apart, so that no counter has to
    // move to another LLC once it is.
    if llc_left_for != UNKNOWN_LLC && llc_left_for == llc(this_cpu) {
        if let Some(slot) = HOME.get_ptr_mut(this_cpu) {
            // SAFETY: this CPU is the only writer of its home slot.
            count::<Local>(unsafe { &mut *slot }, state, was, cpu, llc_left_for);
        }
    } else if let Some(slot) = AWAY.get_ptr_mut(llc_left_for) {
        // SAFETY: a valid map entry, written through atomic additions only.
        count::<Atomic>(unsafe { &mut *slot }, state, was, cpu, llc_left_for);
    }
}

/// Counts the wake-up that `state` describes, which got as far as `was` and left for `cpu`.
#[inline(always)]
fn count<A: Add>(slot: &mut Slot, state: &mut CpuState, was: u32, cpu: u32, llc: u32) {
    if state.wake_flags & WF_FORK != 0 {
        A::add(&mut slot.forks, 1);
    } else if state.wake_flags & WF_EXEC != 0 {
        A::add(&mut slot.execs, 1);
    } else if state.wake_flags & WF_TTWU != 0 {
        A::add(&mut slot.wakeups, 1);
        if was != phase::ENTERED {
            count_search::<A>(slot, state, cpu, llc);
        }
        if was != phase::ENTERED || layout!(bracketed) != 0 {
            record::<A, _>(&mut slot.duration, DURATION, state.took);
            record::<A, _>(&mut slot.scanned, COUNT, u64::from(state.looked));
        }
    }
}

#[inline(always)]
fn count_search<A: Add>(slot: &mut Slot, state: &mut CpuState, cpu: u32, llc: u32) {
    let shared = shared_of(state, llc);
    let claimed = shared.known != 0 && shared.has_idle_cores != 0;
    if claimed {
        A::add(&mut slot.idle_cores_claimed, 1);
    }
    // The kernel asked before the search began, and the claim may have been taken back since.
    let idle_cores = (claimed || state.core_calls != 0) && state.rule != rule::NO_CORE;
    let found = found(state, cpu);
    let weight = if limit::asks_for_weight(state.rule) || (!found && !idle_cores) {
        domain_weight(state.task, cpu)
    } else {
        0
    };
    let outcome = outcome(state, found, idle_cores, weight, cpu);
    if let Some(count) = slot.outcomes.get_mut(unknown(outcome as usize)) {
        A::add(count, 1);
    }
    if let Some(limit) = limit::of(state, shared, cpu, weight) {
        record::<A, _>(&mut slot.limit, COUNT, u64::from(limit));
        if !idle_cores || (limit == 0 && state.rule == rule::NR_IDLE_SCAN) {
            count_limit::<A>(slot, state, found, limit, cpu);
        }
    }
    let calls = state.core_calls as usize;
    for &took in state.core_took.iter().take(calls) {
        record::<A, _>(&mut slot.core_duration, DURATION, u64::from(took));
    }
}

/// Holds a search that `limit` bounds against it: a linear scan, or any search where the policy
/// lets none look.
#[inline(always)]
fn count_limit<A: Add>(slot: &mut Slot, state: &CpuState, found: bool, limit: u32, cpu: u32) {
    if state.looked > limit {
        // Another CPU may have stored a new number between our look at it and the kernel's.
        if (!limit::is_stored(state.rule)
            || state.looked > limit::stored(state.rule, shared(cpu, UNKNOWN_LLC)))
            && limit::still(state.rule)
        {
            A::add(&mut slot.over_limit, 1);
        }
    } else if state.looked == limit && limit != 0 {
        A::add(&mut slot.at_limit, 1);
    } else if found {
        A::add(&mut slot.before_limit, 1);
    }
}

/// What was read of the LLC `llc` as the search began.
#[inline(always)]
fn shared_of(state: &CpuState, llc: u32) -> Shared {
    if state.here.llc == llc {
        state.here
    } else if state.prev.llc == llc {
        state.prev
    } else {
        Shared {
            known: 0,
            has_idle_cores: 0,
            nr_idle_scan: 0,
            llc,
        }
    }
}

/// Whether the search found a CPU.
///
/// Where its return value was not seen: a search that fails leaves for its target, and that is
/// the waking CPU or the task's previous one (wake_affine). Both were found busy a moment before
/// (select_idle_sibling), so any other CPU is one that the search found.
#[inline(always)]
fn found(state: &CpuState, cpu: u32) -> bool {
    match state.found {
        found::YES => true,
        found::NO => false,
        _ => cpu != this_cpu() && cpu != state.prev_cpu,
    }
}

/// How the search ended; `weight` CPUs could have been looked at.
#[inline(always)]
fn outcome(state: &CpuState, found: bool, idle_cores: bool, weight: u32, cpu: u32) -> Outcome {
    if found {
        // An idle core was found if all its siblings, the last CPUs looked at, were idle.
        if idle_cores && state.idle_run >= smt_width(cpu) {
            Outcome::IdleCore
        } else {
            Outcome::IdleCpu
        }
    } else if state.looked == 0 {
        Outcome::Skipped
    } else if !idle_cores && state.looked < weight {
        Outcome::BudgetExhausted
    } else {
        // No budget bounds the search for an idle core.
        Outcome::DomainExhausted
    }
}
