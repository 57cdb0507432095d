//! Read-only ext4 disks: the driver is built into every kernel of the lab, and a guest reads only
//! the pages that it uses, where an initramfs would be unpacked whole at each boot.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::{cache, command, progress::Step, toolchain};

/// Makes a disk with the content of a folder.
pub(super) fn make(content: &Path, size: u64, image: &Path) -> Result<()> {
    // Room for inodes, directories and the holes between.
    let blocks = (size + size / 8) / 4096 + 2048;
    let mke2fs = toolchain::on_path("mke2fs").unwrap_or_else(|| "/sbin/mke2fs".into());
    command::output(
        Command::new(mke2fs)
            .args(["-q", "-F", "-t", "ext4", "-b", "4096", "-m", "0"])
            .args(["-O", "^has_journal", "-E", "root_owner=0:0"])
            .arg("-d")
            .args([content, image])
            .arg(blocks.to_string()),
    )
    .map(drop)
}

/// The disk that carries `vmlinux-RELEASE`, made anew where the vmlinux is newer.
pub(super) fn debug(vmlinux: &Path, release: &str) -> Result<PathBuf> {
    let meta = vmlinux
        .metadata()
        .with_context(|| format!("find debug info {}", vmlinux.display()))?;
    let name = cache::key(&[&vmlinux.to_string_lossy(), release]);
    let image = cache::path(&format!("disks/debug-{name}.ext4"))?;
    let _lock = cache::lock(&format!("debug-{name}"))?;
    let made = image.metadata().and_then(|disk| disk.modified());
    if made.is_ok_and(|made| meta.modified().is_ok_and(|source| source < made)) {
        return Ok(image);
    }
    let step = Step::new(format!("make a disk with vmlinux-{release}"));
    let work = cache::work_dir()?;
    let content = work.path().join("content");
    fs::create_dir(&content).with_context(|| format!("make folder {}", content.display()))?;
    let place = content.join(format!("vmlinux-{release}"));
    if fs::hard_link(vmlinux, &place).is_err() {
        fs::copy(vmlinux, &place).with_context(|| format!("copy {}", vmlinux.display()))?;
    }
    let unfinished = work.path().join("image");
    make(&content, meta.len(), &unfinished)?;
    cache::publish(&unfinished, &image)?;
    step.done();
    Ok(image)
}

/// A symbolic link, its folder made.
pub(super) fn link(target: &str, place: &Path) -> Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder).with_context(|| format!("make folder {}", folder.display()))?;
    }
    symlink(target, place).with_context(|| format!("link {}", place.display()))
}
