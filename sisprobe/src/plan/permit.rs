//! Whether this process may measure at all.

use super::PlanError;
use crate::kernel::{Answer, Capability, Facts, Lockdown};

/// Refuses to begin where it is known beforehand that the kernel would say no, and names the
/// reason, which the kernel's own answer (a bare EPERM) would not.
///
/// # Errors
///
/// A capability is missing, the kernel is locked down, or a BPF scheduler has all tasks.
pub fn permitted(facts: &Facts) -> Result<(), PlanError> {
    let missing = facts.privileges.missing();
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().copied().map(Capability::name).collect();
        return Err(PlanError::NotPermitted(format!(
            "attaching programs needs {}, which this process lacks. Run as root, or after 'setcap \
             cap_bpf,cap_perfmon,cap_syslog,cap_dac_read_search+ep' on sisprobe",
            names.join(" and ")
        )));
    }
    if let Answer::Found(Lockdown::Confidentiality) = facts.lockdown {
        return Err(PlanError::NotPermitted(
            "the kernel is locked down (/sys/kernel/security/lockdown says confidentiality), which \
             forbids programs to read kernel memory. Boot with lockdown=integrity or without it"
                .into(),
        ));
    }
    if let Some(scheduler) = facts.sched_ext.found()
        && scheduler.bypasses_fair()
    {
        return Err(PlanError::Bypassed {
            scheduler: scheduler.ops.clone().unwrap_or_else(|| "?".into()),
            state: scheduler.state.clone(),
        });
    }
    Ok(())
}
