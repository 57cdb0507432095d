//! `sisprobe profile make`, from the made ELF files.

use std::{
    fs,
    fs::File,
    os::unix::fs::FileTypeExt as _,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Ended, fixture, run, sisprobe};

/// Makes a profile of the made file `name` and writes it to `output`.
fn make(name: &str, output: &Path) -> Ended {
    run(sisprobe(["profile", "make", "--vmlinux"])
        .arg(fixture(name))
        .arg("-o")
        .arg(output))
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn from_every_kind_of_debug_info() {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("p.json");
    for name in ["dwarf5", "dwarf4", "clang", "zlib", "zstd", "debug-only"] {
        let ended = make(&format!("made/{name}.elf"), &output);
        assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
        assert!(ended.stdout.contains("p.json"), "{}", ended.stdout);
        let profile: Value =
            serde_json::from_str(&fs::read_to_string(&output).expect("a file")).expect("JSON");
        assert_eq!(profile["format"], "sisprobe-profile");
        let copies = profile["copies"].as_array().expect("a list");
        let search = copies.iter().find(|c| c["function"] == "select_idle_cpu");
        let search = search.unwrap_or_else(|| panic!("{name} has the search inlined"));
        assert_eq!(search["host"], "select_task_rq_fair", "{name}");
    }
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn the_build_id_is_the_default_name() {
    let folder = TempDir::new().expect("a folder");
    let ended = run(sisprobe(["profile", "make", "--vmlinux"])
        .arg(fixture("made/dwarf5.elf"))
        .current_dir(folder.path()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let entry = fs::read_dir(folder.path()).expect("a folder").next();
    let path = entry.expect("a file").expect("an entry").path();
    let profile: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    let name = format!("{}.json", profile["build_id"].as_str().expect("an id"));
    assert_eq!(path.file_name().expect("a name"), name.as_str());
    assert!(ended.stdout.starts_with(&name), "{}", ended.stdout);
}

#[test]
fn files_that_do_not_serve_are_refused_and_nothing_is_written() {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("p.json");
    for (name, words) in [
        ("README.md", "not an ELF file"),
        ("no-such-file", "cannot be read"),
        ("made", "cannot be read"),
        ("made/made.btf", "not an ELF file"),
        ("made/no-dwarf.elf", "has no debug info"),
        ("made/not-linked.elf", "not a linked kernel"),
        ("made/no-build-id.elf", "has no build id"),
        ("made/split.elf", ".dwo files"),
    ] {
        let ended = make(name, &output);
        assert_eq!(ended.status, 2, "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains(words), "{name}: {}", ended.stderr);
        assert_eq!(ended.stdout, "");
        assert_eq!(files(folder.path()), 0, "{name}");
    }
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = TempDir::new().expect("a folder");
    let nowhere = folder.path().join("no/p.json");
    for output in [nowhere.as_path(), folder.path()] {
        let ended = make("made/dwarf5.elf", output);
        assert_eq!(ended.status, 1, "{}", ended.stderr);
        assert!(
            ended.stderr.contains("tried to write the profile"),
            "{}",
            ended.stderr
        );
        assert_eq!(files(folder.path()), 0);
    }
}

/// Also for root, who could put a file in its place.
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let full = Path::new("/dev/full");
    let ended = make("made/dwarf5.elf", full);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("No space left"), "{}", ended.stderr);
    let kind = fs::metadata(full).expect("/dev/full").file_type();
    assert!(kind.is_char_device(), "it is still a device");

    let ended = make("made/dwarf5.elf", Path::new("/dev/stdout"));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.starts_with('{'), "{}", ended.stdout);
}

#[test]
fn a_message_that_cannot_be_written_is_no_panic() {
    let folder = TempDir::new().expect("a folder");
    let full = File::options().write(true).open("/dev/full");
    let ended = run(sisprobe(["profile", "make", "--vmlinux"])
        .arg(fixture("made/dwarf5.elf"))
        .current_dir(folder.path())
        .stdout(full.expect("/dev/full")));
    assert_eq!(ended.status, 1, "{}", ended.stderr);
}

/// A file system of one page, which is in use.
struct FullDisk(TempDir);

impl FullDisk {
    /// None where this process may not mount.
    fn mount() -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=4k", "none"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            return None;
        }
        let disk = Self(folder);
        let page = fs::write(disk.0.path().join("page"), [1; 4096]);
        page.is_ok().then_some(disk)
    }
}

impl Drop for FullDisk {
    fn drop(&mut self) {
        // A panic here would hide the one that matters.
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_keeps_no_half_of_a_profile() {
    let Some(disk) = FullDisk::mount() else {
        eprintln!("not run: tmpfs cannot be mounted here");
        return;
    };
    let ended = make("made/dwarf5.elf", &disk.0.path().join("p.json"));
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("No space left"), "{}", ended.stderr);
    assert_eq!(files(disk.0.path()), 1, "only what filled it");
}
