//! Prometheus and promtool out of Debian's package. It is not installed, since that would start a
//! server on this machine.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::{apt, cache, progress::Step};

const PROGRAMS: [&str; 2] = ["prometheus", "promtool"];

/// The folder with both programs, fetched where it is not there yet.
///
/// # Errors
///
/// The package cannot be had or unpacked.
pub fn programs() -> Result<PathBuf> {
    let _lock = cache::lock("prometheus")?;
    let folder = cache::path("prometheus")?;
    if PROGRAMS
        .iter()
        .all(|program| folder.join(program).is_file())
    {
        return Ok(folder);
    }
    let work = cache::work_dir()?;
    let package = apt::download("prometheus", work.path())?;
    let step = Step::new("unpack prometheus");
    let ready = work.path().join("ready");
    fs::create_dir(&ready).with_context(|| format!("make folder {}", ready.display()))?;
    for program in PROGRAMS {
        let to = ready.join(program);
        apt::unpack_one(&package, &format!("./usr/bin/{program}"), &to)?;
        fs::set_permissions(&to, Permissions::from_mode(0o755))
            .with_context(|| format!("make {} a program", to.display()))?;
    }
    cache::publish(&ready, &folder)?;
    step.done();
    Ok(folder)
}
