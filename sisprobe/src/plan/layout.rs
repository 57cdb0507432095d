//! Where the programs find what they read in kernel memory.

use sisprobe_common::layout::{ABSENT, Layout};

use super::{Fidelity, PlanError};
use crate::kernel::{Answer, Btf, Facts};

/// Resolves every address and offset that the programs need, by what this kernel's BTF has and
/// never by its version.
///
/// # Errors
///
/// One is missing or hidden: all but `nr_idle_scan` are needed.
pub fn layout(facts: &Facts, fidelity: Fidelity) -> Result<Layout, PlanError> {
    let btf = match &facts.btf {
        Answer::Found(btf) => btf,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return Err(PlanError::Missing {
                what: "the kernel's BTF".into(),
                why: why.clone(),
                remedy: "A kernel with CONFIG_DEBUG_INFO_BTF has it; a BTF file of this very \
                         kernel can be given with --btf PATH"
                    .into(),
            });
        }
    };
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
    Ok(Layout {
        per_cpu_offset: address("__per_cpu_offset", symbols.address("__per_cpu_offset"))?,
        sd_llc_shared: percpu(facts, "sd_llc_shared")?,
        sd_llc: percpu(facts, "sd_llc")?,
        has_idle_cores: member(btf, "sched_domain_shared", "has_idle_cores")?,
        nr_idle_scan: btf
            .member_offset("sched_domain_shared", "nr_idle_scan")
            .unwrap_or(ABSENT),
        span_weight: member(btf, "sched_domain", "span_weight")?,
        span: member(btf, "sched_domain", "span")?,
        nr_cpus_allowed: member(btf, "task_struct", "nr_cpus_allowed")?,
        cpus_ptr: member(btf, "task_struct", "cpus_ptr")?,
        nr_cpu_ids,
        bracketed: u32::from(fidelity == Fidelity::Bracketed),
    })
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
