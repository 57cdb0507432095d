//! The guest's /usr: busybox, the benchmark and witness tools of this machine, and their
//! libraries, on a disk that is made anew where one of them changed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::{disk, elf};
use crate::{cache, command, progress::Step, toolchain};

/// What a guest has beside busybox, each with the Debian package that has it.
const TOOLS: [(&str, &str); 9] = [
    ("bpftool", "bpftool"),
    ("bpftrace", "bpftrace"),
    ("funclatency", "libbpf-tools"),
    ("hackbench", "rt-tests"),
    ("perf", "linux-perf"),
    ("setpriv", "util-linux"),
    ("taskset", "util-linux"),
    ("tbench", "dbench"),
    ("tbench_srv", "dbench"),
];

/// Files that tools read.
const DATA: [&str; 1] = ["/usr/share/dbench/client.txt"];

/// Counts up where the disk's layout changes.
const LAYOUT: &str = "2";

/// The disk, made where it is not there yet.
pub(super) fn disk() -> Result<PathBuf> {
    let _lock = cache::lock("tools")?;
    let note = cache::path("disks/tools.list")?;
    let image = cache::path("disks/tools.ext4")?;
    let known = fs::read_to_string(&note).unwrap_or_default();
    let programs = programs()?;
    if image.is_file() && is_current(&known, &programs) {
        return Ok(image);
    }
    let step = Step::new("make the guest's disk of tools");
    let files = collect(programs)?;
    let work = cache::work_dir()?;
    let unfinished = work.path().join("image");
    let content = work.path().join("usr");
    let size = fill(&content, &files)?;
    disk::make(&content, size, &unfinished)?;
    cache::publish(&unfinished, &image)?;
    fs::write(&note, describe(&files)).with_context(|| format!("write {}", note.display()))?;
    step.done();
    Ok(image)
}

/// Where a tool is on this machine; sbin too, which users' PATH may lack.
fn find(name: &str) -> Option<PathBuf> {
    toolchain::on_path(name).or_else(|| {
        ["/usr/sbin", "/sbin"]
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|path| path.is_file())
    })
}

/// The busybox of this machine.
pub(super) fn busybox() -> Result<PathBuf> {
    find("busybox").context("no busybox (package busybox-static)")
}

/// Whether there is a busybox that runs without libraries, as the guest's first process must.
pub(crate) fn has_static_busybox() -> bool {
    find("busybox").is_some_and(|path| elf::libraries(&path).is_ok_and(|list| list.is_empty()))
}

/// The note's first line is the layout, each other one a file with its size and time of change:
/// all that there must be, and none that is not as it was.
fn is_current(note: &str, programs: &[PathBuf]) -> bool {
    let mut lines = note.lines();
    let layout = lines.next();
    let files: Option<Vec<_>> = lines.map(|line| line.split_once(' ')).collect();
    let Some(files) = files else {
        return false;
    };
    let is_there = |program: &PathBuf| files.iter().any(|(_, path)| Path::new(path) == program);
    layout == Some(LAYOUT)
        && programs.iter().all(is_there)
        && (files.iter()).all(|(mark, path)| mark_of(Path::new(path)).as_deref() == Some(*mark))
}

fn describe(files: &BTreeSet<PathBuf>) -> String {
    let mut note = format!("{LAYOUT}\n");
    for file in files {
        let mark = mark_of(file).unwrap_or_default();
        note.push_str(&format!("{mark} {}\n", file.display()));
    }
    note
}

fn mark_of(path: &Path) -> Option<String> {
    let meta = path.metadata().ok()?;
    Some(format!(
        "{}:{}.{}",
        meta.size(),
        meta.mtime(),
        meta.mtime_nsec()
    ))
}

/// Where the tools are on this machine.
fn programs() -> Result<Vec<PathBuf>> {
    let tools = TOOLS.iter();
    tools
        .map(|(name, package)| program(name, package))
        .collect()
}

/// Every file that goes onto the disk.
fn collect(programs: Vec<PathBuf>) -> Result<BTreeSet<PathBuf>> {
    let mut files: BTreeSet<PathBuf> = DATA.iter().map(PathBuf::from).collect();
    files.insert(busybox()?);
    for tool in programs {
        files.extend(elf::libraries(&tool)?);
        files.insert(tool);
    }
    Ok(files)
}

/// The tool itself: where the name is a script that looks for the running kernel's version, the
/// newest of the versions.
fn program(name: &str, package: &str) -> Result<PathBuf> {
    let path = find(name).with_context(|| format!("no {name} (package {package})"))?;
    if is_elf(&path) {
        return Ok(path);
    }
    let mut versions: Vec<PathBuf> = path
        .parent()
        .and_then(|folder| folder.read_dir().ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(&format!("{name}_")) && is_elf(path)
        })
        .collect();
    versions.sort();
    match versions.pop() {
        Some(version) => Ok(version),
        None => bail!("{} is no program (package {package})", path.display()),
    }
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok())
        && magic == *b"\x7fELF"
}

/// Copies the files to where they belong below /usr and gives their size in bytes.
fn fill(usr: &Path, files: &BTreeSet<PathBuf>) -> Result<u64> {
    let mut size = 0;
    for file in files {
        let place = usr.join(below_usr(file));
        let folder = place.parent().unwrap_or(usr);
        fs::create_dir_all(folder).with_context(|| format!("make folder {}", folder.display()))?;
        size += fs::copy(file, &place)
            .with_context(|| format!("copy {} to {}", file.display(), place.display()))?;
    }
    // The tools of this machine come before busybox's of the same name.
    let busybox = usr.join("bin/busybox");
    for applet in command::output(Command::new(&busybox).arg("--list"))?.lines() {
        let place = usr.join("bin").join(applet);
        if place.symlink_metadata().is_err() && !usr.join("sbin").join(applet).exists() {
            disk::link("busybox", &place)?;
        }
    }
    let debug = usr.join("lib/debug/boot");
    fs::create_dir_all(&debug).with_context(|| format!("make folder {}", debug.display()))?;
    Ok(size)
}

/// /bin, /sbin and the like are links into /usr in the guest; other places lose their way.
fn below_usr(file: &Path) -> PathBuf {
    let inside = file
        .strip_prefix("/usr")
        .or_else(|_| file.strip_prefix("/"))
        .unwrap_or(file);
    let known = ["bin", "sbin", "lib", "lib64", "share"];
    let first = inside.iter().next().unwrap_or_default();
    if known.iter().any(|&known| first == known) {
        return inside.to_owned();
    }
    let name = inside.file_name().unwrap_or_default();
    Path::new("bin").join(name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{LAYOUT, below_usr, describe, is_current};

    #[test]
    fn files_keep_their_place_below_usr() {
        let place = |path| below_usr(Path::new(path)).display().to_string();
        assert_eq!(place("/lib/x/libc.so.6"), "lib/x/libc.so.6");
        assert_eq!(place("/usr/bin/perf"), "bin/perf");
        assert_eq!(
            place("/lib64/ld-linux-x86-64.so.2"),
            "lib64/ld-linux-x86-64.so.2"
        );
        assert_eq!(place("/opt/tools/hackbench"), "bin/hackbench");
    }

    #[test]
    fn a_changed_file_makes_the_note_old() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("tool");
        std::fs::write(&file, "one").expect("a file");
        let note = describe(&[file.clone()].into());
        assert!(is_current(&note, &[]));
        assert!(is_current(&note, std::slice::from_ref(&file)));
        assert!(!is_current(&note, &[folder.path().join("new-tool")]));
        assert!(!is_current(&note.replacen(LAYOUT, "0", 1), &[]));
        assert!(!is_current("", &[]));
        std::fs::write(&file, "other").expect("a file");
        assert!(!is_current(&note, &[]));
    }
}
