//! What this kernel offers, which plan would be used, and what would make it better. Pure.

mod text;

use serde::Serialize;

use crate::{
    failure::Failure,
    kernel::{
        Answer, Facts, Features, InlineFacts, Lockdown, Privileges, SchedExt, Symbol, Topology,
        Tracing,
    },
    measure::MeasureError,
    plan::{self, CORE, LOOK, Plan, Request, SEARCH, WAKEUP},
    policy::ActivePolicy,
};

pub use text::text;

#[cfg(test)]
mod tests;

/// What was found, and what follows from it.
#[derive(Debug, Serialize)]
pub struct Diagnosis {
    /// `uname -r`.
    pub release: Answer<String>,
    /// `uname -m`.
    pub machine: Answer<String>,
    /// The kernel's GNU build id, in hex.
    pub build_id: Answer<String>,
    /// The functions of the search and what is known of each.
    pub functions: Vec<Function>,
    /// Why kallsyms hides addresses, if it does.
    pub addresses_hidden: Option<String>,
    /// Whether there is BTF.
    pub btf: Answer<()>,
    /// Where the search is inlined, by debug info or a profile.
    pub inlined: Answer<InlineFacts>,
    /// Which ways to attach there are.
    pub tracing: Tracing,
    /// The scheduler's features.
    pub features: Answer<Features>,
    /// The policy that bounds the search; none where nothing can be read from kernel memory.
    pub policy: Option<ActivePolicy>,
    /// Whether the kernel is locked down.
    pub lockdown: Answer<Lockdown>,
    /// Whether a BPF scheduler runs.
    pub sched_ext: Answer<SchedExt>,
    /// What this process may do.
    pub privileges: Privileges,
    /// CPUs, LLCs, nodes.
    pub topology: Answer<Topology>,
    /// The plan that would be used, by a process that may; none where there is none.
    pub plan: Option<Plan>,
    /// What keeps this process from measuring now; empty if nothing does.
    pub obstacles: Vec<String>,
    /// Exit status of a measurement that began now: 0, or that of the first obstacle.
    pub exit_status: u8,
}

/// One kernel function.
#[derive(Debug, Serialize)]
pub struct Function {
    /// Its name in kernel/sched.
    pub name: &'static str,
    /// Its symbols, suffixed variants included.
    pub symbols: Vec<Symbol>,
    /// Whether BTF has it, so that fentry can be put on it.
    pub in_btf: bool,
    /// How many inlined copies of it debug info or a profile tells of.
    pub inlined_copies: usize,
}

/// Looks at everything, in the order in which a measurement would.
pub fn examine(facts: Facts, request: Request) -> Diagnosis {
    let mut failures = Vec::new();
    let mut policy = None;
    failures.extend(plan::permitted(&facts).err().map(Failure::from));
    let plan = match plan::choose(&facts, request) {
        Ok(plan) => {
            failures.extend(facts.topology.why_not().map(|why| {
                let error = MeasureError::Topology(why.into());
                Failure::from(error)
            }));
            match plan::layout(&facts, plan.fidelity) {
                Ok(layout) => policy = Some(plan::active(&facts.features, &layout)),
                Err(error) => failures.push(error.into()),
            }
            Some(plan)
        }
        Err(error) => {
            failures.push(error.into());
            None
        }
    };
    let functions = [WAKEUP, SEARCH, CORE, LOOK].map(|name| function(&facts, name));
    Diagnosis {
        functions: functions.into(),
        addresses_hidden: facts
            .symbols
            .found()
            .and_then(|symbols| symbols.addresses_hidden())
            .map(Into::into),
        btf: facts.btf.map(drop),
        release: facts.release,
        machine: facts.machine,
        build_id: facts.build_id.map(|id| id.to_string()),
        inlined: facts.inlined,
        tracing: facts.tracing,
        features: facts.features,
        policy,
        lockdown: facts.lockdown,
        sched_ext: facts.sched_ext,
        privileges: facts.privileges,
        topology: facts.topology,
        plan,
        exit_status: failures.first().map_or(0, Failure::status),
        obstacles: failures.iter().map(ToString::to_string).collect(),
    }
}

fn function(facts: &Facts, name: &'static str) -> Function {
    Function {
        name,
        symbols: facts
            .symbols
            .found()
            .map(|symbols| symbols.variants(name))
            .unwrap_or_default(),
        in_btf: facts
            .btf
            .found()
            .is_some_and(|btf| btf.function(name).is_some()),
        inlined_copies: facts
            .inlined
            .found()
            .map_or(0, |known| known.copies_of(name).count()),
    }
}
