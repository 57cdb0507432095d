//! Plans for captured machines, changed by each test as it needs.

use super::*;
use crate::kernel::{
    Facts,
    fixture::{Machine, inlined, kernel},
};

mod attaching;
mod core_calls;
mod fidelities;
mod layouts;
mod order;
mod permission;

/// The functions of 6.12 and 6.1 that the search is inlined into, as their debug info has it, but
/// each in one stretch of code.
const INLINED_6_12: [(&str, &str, u64); 1] = [(SEARCH, WAKEUP, 0x545)];
const INLINED_6_1: [(&str, &str, u64); 2] = [(SEARCH, WAKEUP, 0x7e9), (CORE, WAKEUP, 0x8c5)];

fn best(facts: &Facts) -> Plan {
    choose(facts, Request::default()).unwrap()
}

fn with_attach(facts: &Facts, attach: AttachMethod) -> Result<Plan, PlanError> {
    let request = Request {
        attach: Some(attach),
        ..Request::default()
    };
    choose(facts, request)
}

fn with_fidelity(facts: &Facts, fidelity: Fidelity) -> Result<Plan, PlanError> {
    let request = Request {
        fidelity: Some(fidelity),
        ..Request::default()
    };
    choose(facts, request)
}

/// The facts of `machine`, with copies that its debug info would tell of.
fn with_copies(machine: &Machine, copies: &[(&str, &str, u64)]) -> Facts {
    let mut facts = machine.facts();
    facts.inlined = inlined(copies);
    facts
}

/// A plan's probes, one text each: the program and where it goes.
fn probes(plan: &Plan) -> Vec<String> {
    let text = |probe: &Probe| format!("{} {probe}", probe.program);
    plan.probes.iter().map(text).collect()
}

/// What was rejected for `what`.
fn rejected<'a>(plan: &'a Plan, what: &str) -> &'a Rejected {
    let found = plan.rejected.iter().find(|no| no.what == what);
    found.unwrap_or_else(|| panic!("{what} was not rejected: {:?}", plan.rejected))
}

/// `text` must have all of `words`.
fn assert_says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{text:?} should say {word:?}");
    }
}
