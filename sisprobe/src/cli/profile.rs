//! `sisprobe profile make`.

use std::path::PathBuf;

use super::{args::MakeArgs, print};
use crate::{
    failure::Failure,
    kernel::{Profile, Vmlinux},
};

/// Writes what the planner needs of a vmlinux to a file of its own.
pub(super) fn make(args: &MakeArgs) -> Result<(), Failure> {
    let vmlinux = Vmlinux::read(&args.vmlinux).map_err(|error| {
        Failure::Usage(format!("--vmlinux {}: it {error}", args.vmlinux.display()))
    })?;
    let profile = Profile::from(vmlinux);
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}.json", profile.build_id)));
    profile.write(&path).map_err(|error| {
        Failure::Other(format!(
            "tried to write the profile {}: {error}",
            path.display()
        ))
    })?;
    print(&format!(
        "{}: profile of {} (build id {}), {} inlined {}\n\
         Put it into /etc/sisprobe/profiles on machines that run this kernel, or name it with \
         --profile.\n",
        path.display(),
        profile.release.as_deref().unwrap_or("an unnamed kernel"),
        profile.build_id,
        profile.copies.len(),
        if profile.copies.len() == 1 {
            "copy"
        } else {
            "copies"
        },
    ))
}
