//! The guest's initramfs, made for each run: the few programs that a boot needs, sisprobe, the
//! command, and the files of --with. Not compressed: reading it costs less than unpacking.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use cpio::newc::{Builder, ModeFileType, trailer};

use super::{Lab, Parts, tools};

/// The guest's first process.
const INIT: &str = include_str!("guest-init.sh");

const FOLDERS: [&str; 11] = [
    "dev", "etc", "lab", "lab/bin", "out", "proc", "root", "sys", "tmp", "usr", "with",
];

const LINKS: [(&str, &str); 6] = [
    ("bin", "usr/bin"),
    ("lib", "usr/lib"),
    ("lib64", "usr/lib64"),
    ("sbin", "usr/sbin"),
    ("run", "tmp"),
    ("etc/mtab", "/proc/mounts"),
];

/// Writes it.
pub(super) fn write(
    lab: &Lab,
    parts: &Parts,
    settings: &str,
    command: &str,
    to: &Path,
) -> Result<()> {
    let file = File::create(to).with_context(|| format!("create {}", to.display()))?;
    let mut archive = Archive(BufWriter::new(file));
    for folder in FOLDERS {
        archive.folder(folder)?;
    }
    for (name, target) in LINKS {
        archive.link(name, target)?;
    }
    archive.bytes("init", 0o755, INIT.as_bytes())?;
    archive.bytes("lab/settings", 0o644, settings.as_bytes())?;
    archive.bytes("lab/command", 0o644, command.as_bytes())?;
    archive.bytes("etc/passwd", 0o644, b"root:x:0:0:root:/root:/bin/sh\n")?;
    archive.bytes("etc/nsswitch.conf", 0o644, b"passwd: files\ngroup: files\n")?;
    archive.bytes("etc/group", 0o644, b"root:x:0:\n")?;
    archive.tree("lab/busybox", &tools::busybox()?)?;
    archive.tree("lab/bin/sisprobe", &parts.sisprobe)?;
    if let Some(module) = &parts.network_module {
        archive.tree("lab/network.ko", module)?;
    }
    for file in &lab.with {
        let name = file
            .canonicalize()
            .with_context(|| format!("find --with {}", file.display()))?;
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        archive.tree(&format!("with/{name}"), file)?;
    }
    let mut writer = trailer(archive.0).context("end the initramfs")?;
    writer
        .flush()
        .with_context(|| format!("write {}", to.display()))
}

struct Archive<W: Write>(W);

impl<W: Write> Archive<W> {
    fn folder(&mut self, name: &str) -> Result<()> {
        self.entry(name, ModeFileType::Directory, 0o755, b"")
    }

    fn link(&mut self, name: &str, target: &str) -> Result<()> {
        self.entry(name, ModeFileType::Symlink, 0o777, target.as_bytes())
    }

    fn bytes(&mut self, name: &str, mode: u32, content: &[u8]) -> Result<()> {
        self.entry(name, ModeFileType::Regular, mode, content)
    }

    /// A file, or a folder with all that is in it; links are followed.
    fn tree(&mut self, name: &str, from: &Path) -> Result<()> {
        let meta = from
            .metadata()
            .with_context(|| format!("read {}", from.display()))?;
        if meta.is_dir() {
            self.folder(name)?;
            let mut entries = from
                .read_dir()
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .with_context(|| format!("list {}", from.display()))?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
                self.tree(&inside, &entry.path())?;
            }
            return Ok(());
        }
        let content = fs::read(from).with_context(|| format!("read {}", from.display()))?;
        self.bytes(name, meta.permissions().mode() & 0o777, &content)
    }

    fn entry(&mut self, name: &str, kind: ModeFileType, mode: u32, content: &[u8]) -> Result<()> {
        let size = u32::try_from(content.len())
            .with_context(|| format!("{name} is too large for an initramfs (4 GiB)"))?;
        let mut writer = Builder::new(name)
            .mode(mode)
            .set_mode_file_type(kind)
            .write(&mut self.0, size);
        writer
            .write_all(content)
            .and_then(|()| writer.finish().map(drop))
            .with_context(|| format!("write {name} to the initramfs"))
    }
}

#[cfg(test)]
mod tests {
    use cpio::newc::{Reader, trailer};

    use super::Archive;

    #[test]
    fn modes_kinds_and_content_come_back() {
        let mut archive = Archive(Vec::new());
        archive.folder("dev").expect("written");
        archive
            .bytes("init", 0o755, b"#!/bin/sh\n")
            .expect("written");
        archive.link("bin", "usr/bin").expect("written");
        let bytes = trailer(archive.0).expect("written");

        let mut seen = Vec::new();
        let mut rest = &bytes[..];
        loop {
            let reader = Reader::new(rest).expect("an entry");
            if reader.entry().is_trailer() {
                break;
            }
            let (name, mode) = (reader.entry().name().to_owned(), reader.entry().mode());
            let mut content = Vec::new();
            rest = reader.to_writer(&mut content).expect("content");
            seen.push((name, mode, content));
        }
        assert_eq!(
            seen,
            [
                ("dev".to_owned(), 0o040_755, vec![]),
                ("init".to_owned(), 0o100_755, b"#!/bin/sh\n".to_vec()),
                ("bin".to_owned(), 0o120_777, b"usr/bin".to_vec()),
            ]
        );
    }
}
