//! From the command line to facts and a plan.

use super::args::HowArgs;
use crate::{
    failure::Failure,
    kernel::{Facts, Root, Sources},
    plan::{self, Plan, Request},
};

/// What the kernel offers, with the files that the user named.
pub(super) fn facts(root: &Root, how: &HowArgs) -> Result<Facts, Failure> {
    let sources = Sources {
        vmlinux: how.vmlinux.clone(),
        profile: how.profile.clone(),
        btf: how.btf.clone(),
    };
    Facts::gather(root, &sources).map_err(|error| Failure::Usage(error.to_string()))
}

/// The plan for what the user asked for, if this process may carry it out.
pub(super) fn plan(facts: &Facts, how: &HowArgs) -> Result<Plan, Failure> {
    plan::permitted(facts)?;
    Ok(plan::choose(facts, request(how))?)
}

/// What the user insists on.
pub(super) const fn request(how: &HowArgs) -> Request {
    Request {
        attach: how.attach,
        fidelity: how.fidelity,
    }
}
