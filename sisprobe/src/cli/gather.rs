//! From the command line to facts and a request.

use super::args::HowArgs;
use crate::{
    failure::Failure,
    kernel::{Facts, Root, Sources},
    plan::Request,
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

/// What the user insists on.
pub(super) const fn request(how: &HowArgs) -> Request {
    Request {
        attach: how.attach,
        fidelity: how.fidelity,
    }
}
