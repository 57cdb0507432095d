//! Where the programs find what they read in kernel memory.

use sisprobe_common::layout::{ABSENT, FEATURES, FeatureRule, Layout, LoadLayout};

use super::{Fidelity, PlanError, active};
use crate::kernel::{Answer, Btf, Facts, Symbols};

/// Resolves every address and offset that the programs need, by what this kernel's BTF has and
/// never by its version.
///
/// # Errors
///
/// One is missing or hidden that cannot be done without: see [`Layout`] for those that can.
pub fn layout(facts: &Facts, fidelity: Fidelity) -> Result<Layout, PlanError> {
    let btf = btf(facts)?;
    let symbols = match &facts.symbols {
        Answer::Found(symbols) => symbols,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return Err(hidden("the kernel's symbols", why));
        }
    };
    let nr_cpu_ids = facts
        .topology
        .found()
        .and_then(|topology| topology.possible.last())
        .map_or(1, |last| last + 1);
    let optional = |structure, member| btf.member_offset(structure, member).unwrap_or(ABSENT);
    let mut layout = Layout {
        per_cpu_offset: address("__per_cpu_offset", symbols.address("__per_cpu_offset"))?,
        sd_llc_shared: percpu(facts, "sd_llc_shared")?,
        sd_llc: percpu(facts, "sd_llc")?,
        runqueues: percpu(facts, "runqueues")?,
        sched_features: symbols
            .address("sysctl_sched_features")
            .found()
            .map_or(0, |&address| address),
        util_est: 0,
        has_idle_cores: member(btf, "sched_domain_shared", "has_idle_cores")?,
        nr_idle_scan: optional("sched_domain_shared", "nr_idle_scan"),
        span_weight: member(btf, "sched_domain", "span_weight")?,
        span: member(btf, "sched_domain", "span")?,
        nr_cpus_allowed: member(btf, "task_struct", "nr_cpus_allowed")?,
        cpus_ptr: member(btf, "task_struct", "cpus_ptr")?,
        nr_cpu_ids,
        bracketed: u32::from(fidelity == Fidelity::Bracketed),
        avg_idle: optional("rq", "avg_idle"),
        wake_avg_idle: optional("rq", "wake_avg_idle"),
        wake_stamp: optional("rq", "wake_stamp"),
        avg_scan_cost: optional("sched_domain", "avg_scan_cost"),
        features: [FeatureRule::NONE; FEATURES],
        otherwise: 0,
        wide_features: 0,
    };
    active::rules(&facts.features, keys(symbols, btf), &mut layout);
    Ok(layout)
}

/// The keys by which the kernel's code goes by a feature; none without CONFIG_JUMP_LABEL.
fn keys(symbols: &Symbols, btf: &Btf) -> Option<active::Keys> {
    let array = symbols.address("sched_feat_keys");
    Some(active::Keys {
        first: array.found()? + u64::from(btf.member_offset("static_key", "enabled")?),
        size: btf.struct_size("static_key")?,
    })
}

/// As [`layout`], for the program that samples the load.
///
/// # Errors
///
/// One is missing or hidden: wake-ups can be measured all the same.
pub fn load_layout(facts: &Facts) -> Result<LoadLayout, PlanError> {
    let btf = btf(facts)?;
    let optional = |structure, member| btf.member_offset(structure, member).unwrap_or(ABSENT);
    let average = member(btf, "rq", "cfs")? + member(btf, "cfs_rq", "avg")?;
    let util_est = match optional("sched_avg", "util_est") {
        ABSENT => ABSENT,
        // A struct with the member `enqueued` up to 6.7, a number since.
        offset => average + offset + btf.member_offset("util_est", "enqueued").unwrap_or(0),
    };
    Ok(LoadLayout {
        cpu_scale: percpu(facts, "cpu_scale").unwrap_or(0),
        nr_running: member(btf, "rq", "nr_running")?,
        curr: member(btf, "rq", "curr")?,
        idle: member(btf, "rq", "idle")?,
        ttwu_pending: optional("rq", "ttwu_pending"),
        cpu_capacity: member(btf, "rq", "cpu_capacity")?,
        cpu_capacity_orig: optional("rq", "cpu_capacity_orig"),
        util_avg: average + member(btf, "sched_avg", "util_avg")?,
        util_est,
        imbalance_pct: member(btf, "sched_domain", "imbalance_pct")?,
        reserved: 0,
    })
}

fn btf(facts: &Facts) -> Result<&Btf, PlanError> {
    match &facts.btf {
        Answer::Found(btf) => Ok(btf),
        Answer::Absent(why) | Answer::Unknown(why) => Err(PlanError::Missing {
            what: "the kernel's BTF".into(),
            why: why.clone(),
            remedy: "A kernel with CONFIG_DEBUG_INFO_BTF has it; a BTF file of this very kernel \
                     can be given with --btf PATH"
                .into(),
        }),
    }
}

fn hidden(what: &str, why: &str) -> PlanError {
    PlanError::Hidden {
        what: what.into(),
        why: why.into(),
        remedy: "Without it nothing can be read from the kernel's memory".into(),
    }
}

fn address(name: &str, answer: Answer<u64>) -> Result<u64, PlanError> {
    match answer {
        Answer::Found(address) => Ok(address),
        Answer::Unknown(why) => Err(hidden(&format!("the address of {name}"), &why)),
        Answer::Absent(why) => Err(PlanError::Missing {
            what: format!("the address of {name}"),
            why,
            remedy: "A kernel with CONFIG_SMP and CONFIG_KALLSYMS_ALL shows it".into(),
        }),
    }
}

fn percpu(facts: &Facts, name: &str) -> Result<u64, PlanError> {
    address(name, facts.percpu_address(name))
}

fn member(btf: &Btf, structure: &str, member: &str) -> Result<u32, PlanError> {
    btf.member_offset(structure, member)
        .ok_or_else(|| PlanError::Missing {
            what: format!("the offset of {structure}::{member}"),
            why: "BTF has no such member".into(),
            remedy: "Run 'sisprobe doctor' and report its output".into(),
        })
}
