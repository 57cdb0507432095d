//! Debian's cloud kernels: the newest of a series, fetched and unpacked, nothing installed.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::kernel::{Debug, Image};
use crate::{apt, cache, command, progress::Step};

/// How long an answer to "which is the newest?" is believed.
const FRESH: Duration = Duration::from_secs(24 * 3600);

/// The newest kernel of a series such as `6.12`.
pub(super) fn find(series: &str) -> Result<Image> {
    let _lock = cache::lock(&format!("stock-{series}"))?;
    let note = cache::path(&format!("kernels/stock/newest-{series}"))?;
    let known = fs::read_to_string(&note)
        .ok()
        .filter(|release| folder(release).is_ok_and(|folder| folder.join("vmlinuz").is_file()));
    if let Some(release) = &known
        && is_fresh(&note)
    {
        return image(release);
    }
    let fetched = newest(series).and_then(|release| {
        fetch(&release)?;
        Ok(release)
    });
    let release = match (fetched, known) {
        (Ok(release), _) => release,
        (Err(error), Some(known)) => {
            eprintln!("keeping kernel {known}: {error:#}");
            known
        }
        (Err(error), None) => return Err(error),
    };
    fs::write(&note, &release).with_context(|| format!("write {}", note.display()))?;
    image(&release)
}

/// The vmlinux with DWARF and BTF, out of the package `-dbg`, kept beside the kernel.
pub(super) fn vmlinux(release: &str, folder: &Path) -> Result<PathBuf> {
    let _lock = cache::lock(&format!("vmlinux-{release}"))?;
    let vmlinux = folder.join("vmlinux");
    if vmlinux.is_file() {
        return Ok(vmlinux);
    }
    let work = cache::work_dir()?;
    let package = apt::download(&format!("linux-image-{release}-dbg"), work.path())?;
    let step = Step::new(format!("unpack vmlinux-{release}"));
    let unpacked = work.path().join("vmlinux");
    let inside = format!("./usr/lib/debug/boot/vmlinux-{release}");
    apt::unpack_one(&package, &inside, &unpacked)?;
    cache::publish(&unpacked, &vmlinux)?;
    step.done();
    Ok(vmlinux)
}

/// The driver of the network card that the lab can give a guest, kept beside the kernel: a module
/// that needs no other.
pub(super) fn network_module(release: &str, folder: &Path) -> Result<PathBuf> {
    let _lock = cache::lock(&format!("network-{release}"))?;
    let module = folder.join("vmxnet3.ko");
    if module.is_file() {
        return Ok(module);
    }
    let work = cache::work_dir()?;
    let package = apt::download(&format!("linux-image-{release}"), work.path())?;
    let inside = format!("./lib/modules/{release}/kernel/drivers/net/vmxnet3/vmxnet3.ko");
    let unpacked = work.path().join("vmxnet3.ko");
    // Compressed since Debian's 6.12.
    if apt::unpack_one(&package, &inside, &unpacked).is_err() {
        let compressed = work.path().join("vmxnet3.ko.xz");
        apt::unpack_one(&package, &format!("{inside}.xz"), &compressed)?;
        command::output(Command::new("xz").arg("-df").arg(&compressed))?;
    }
    cache::publish(&unpacked, &module)?;
    Ok(module)
}

fn folder(release: &str) -> Result<PathBuf> {
    cache::path(&format!("kernels/stock/{release}"))
}

fn image(release: &str) -> Result<Image> {
    let folder = folder(release)?;
    Ok(Image {
        release: release.into(),
        vmlinuz: folder.join("vmlinuz"),
        debug: Debug::Package(folder),
    })
}

fn is_fresh(note: &Path) -> bool {
    note.metadata()
        .and_then(|meta| meta.modified())
        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age < FRESH))
}

fn fetch(release: &str) -> Result<()> {
    let folder = folder(release)?;
    if folder.join("vmlinuz").is_file() {
        return Ok(());
    }
    let work = cache::work_dir()?;
    let package = apt::download(&format!("linux-image-{release}"), work.path())?;
    let ready = work.path().join("ready");
    fs::create_dir(&ready).with_context(|| format!("make folder {}", ready.display()))?;
    let inside = format!("./boot/vmlinuz-{release}");
    apt::unpack_one(&package, &inside, &ready.join("vmlinuz"))?;
    cache::publish(&ready, &folder)
}

/// Asks apt, and the archive where apt knows none.
fn newest(series: &str) -> Result<String> {
    if !apt::is_here() {
        bail!(
            "kernel {series} comes from Debian's archive by apt, which is not here: use --kernel PATH"
        );
    }
    let pattern = format!(
        r"^linux-image-{}\..*-cloud-amd64(-dbg)?$",
        series.replace('.', r"\.")
    );
    let mut names = apt::names(&pattern)?;
    if pick(series, &names).is_none() {
        apt::update()?;
        names = apt::names(&pattern)?;
    }
    pick(series, &names).with_context(|| {
        format!("no package linux-image-{series}.*-cloud-amd64 in the archive that apt uses: try another --kernel")
    })
}

/// The newest release of a series; one with a `-dbg` package before one without, so that asking
/// for debug info does not change the kernel.
fn pick(series: &str, names: &[String]) -> Option<String> {
    let prefix = format!("linux-image-{series}.");
    names
        .iter()
        .filter(|name| name.starts_with(&prefix) && name.ends_with("-cloud-amd64"))
        .map(|name| {
            let debug = names.contains(&format!("{name}-dbg"));
            (debug, name.trim_start_matches("linux-image-"))
        })
        .max_by(|a, b| a.0.cmp(&b.0).then_with(|| natural(a.1, b.1)))
        .map(|(_, release)| release.to_owned())
}

/// Compares runs of digits as numbers and the rest byte by byte.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (text_a, number_a, rest_a) = split(a);
        let (text_b, number_b, rest_b) = split(b);
        let order = text_a.cmp(text_b).then(number_a.cmp(&number_b));
        if order != Ordering::Equal || (rest_a.is_empty() && rest_b.is_empty()) {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The text before the first number, the number, and what follows.
fn split(text: &str) -> (&str, Option<u64>, &str) {
    let start = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    let (before, rest) = text.split_at(start);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (digits, rest) = rest.split_at(end);
    (before, digits.parse().ok(), rest)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{natural, pick};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert_eq!(natural("6.1.0-57-x", "6.1.0-9-x"), Ordering::Greater);
        assert_eq!(natural("6.12.100+d", "6.12.99+d"), Ordering::Greater);
        assert_eq!(natural("6.12.1", "6.12.1"), Ordering::Equal);
        assert_eq!(natural("6.12", "6.12.1"), Ordering::Less);
    }

    #[test]
    fn the_newest_of_the_series_is_picked() {
        let list = names(&[
            "linux-image-6.1.0-57-cloud-amd64",
            "linux-image-6.1.0-57-cloud-amd64-dbg",
            "linux-image-6.1.0-9-cloud-amd64",
            "linux-image-6.1.0-9-cloud-amd64-dbg",
            "linux-image-6.12.117+deb12-cloud-amd64",
            "linux-image-6.12.117+deb12-cloud-amd64-dbg",
        ]);
        assert_eq!(pick("6.1", &list).as_deref(), Some("6.1.0-57-cloud-amd64"));
        assert_eq!(
            pick("6.12", &list).as_deref(),
            Some("6.12.117+deb12-cloud-amd64")
        );
        assert_eq!(pick("6.13", &list), None);
    }

    #[test]
    fn one_with_debug_info_comes_first() {
        let list = names(&[
            "linux-image-6.1.0-56-cloud-amd64",
            "linux-image-6.1.0-56-cloud-amd64-dbg",
            "linux-image-6.1.0-57-cloud-amd64",
        ]);
        assert_eq!(pick("6.1", &list).as_deref(), Some("6.1.0-56-cloud-amd64"));
        assert_eq!(
            pick("6.1", &list[2..]).as_deref(),
            Some("6.1.0-57-cloud-amd64")
        );
    }
}
