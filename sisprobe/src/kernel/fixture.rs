//! Machines captured as one text file each (tests/fixtures/machines), unpacked for a test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Answer, Facts, InlineFacts, InlineSource, InlinedCopy, Root, Sources};

pub(crate) mod btf;

const KALLSYMS: &str = "/proc/kallsyms";

/// A captured machine, unpacked; its files go when this is dropped.
pub(crate) struct Machine {
    /// Where to read it.
    pub(crate) root: Root,
    folder: TempDir,
}

/// Every machine that was captured.
pub(crate) const MACHINES: [&str; 8] = [
    "6.1-2llc",
    "6.1-nodes",
    "6.12-1cpu",
    "6.12-2llc",
    "6.12-3cores",
    "6.12-lockdown",
    "6.12-maxcpus",
    "6.12-offline",
];

/// The machine captured in tests/fixtures/machines/`name`.txt.
pub(crate) fn machine(name: &str) -> Machine {
    Machine::from_capture(&capture(name), |_| true)
}

/// As [`machine`], with BTF, which the captures leave out for its size.
pub(crate) fn machine_with_btf(name: &str) -> Machine {
    let machine = machine(name);
    machine.set_btf(&btf::btf(btf::FUNCTIONS, &btf::MEMBERS));
    machine
}

/// The kernel of [`machine_with_btf`] alone, without CPUs and caches: those are hundreds of files.
pub(crate) fn kernel(name: &str) -> Machine {
    let machine = Machine::from_capture(&capture(name), |path| {
        !path.starts_with("/sys/devices/system/")
    });
    machine.set_btf(&btf::btf(btf::FUNCTIONS, &btf::MEMBERS));
    machine
}

fn capture(name: &str) -> String {
    fs::read_to_string(path(&format!("machines/{name}.txt"))).unwrap()
}

/// An answer of debug info: `copies` of (function, host, entry).
pub(crate) fn inlined(copies: &[(&str, &str, u64)]) -> Answer<InlineFacts> {
    let copy = |&(function, host, entry): &(&str, &str, u64)| InlinedCopy {
        function: function.into(),
        host: host.into(),
        entry,
        ranges: vec![(entry.cast_signed(), entry.cast_signed() + 100)],
        through: Vec::new(),
    };
    Answer::Found(InlineFacts {
        source: InlineSource::Debuginfo("/usr/lib/debug/vmlinux".into()),
        build_id: "0123456789abcdef".parse().unwrap(),
        copies: copies.iter().map(copy).collect(),
        remarks: Vec::new(),
    })
}

/// The fixture file `name`.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

impl Machine {
    /// Unpacks the form that tests/fixtures/README.md describes.
    fn from_capture(capture: &str, is_wanted: impl Fn(&str) -> bool) -> Self {
        let machine = Self::empty();
        for part in format!("\n{capture}").split("\n== ").skip(1) {
            let (path, content) = part.split_once('\n').unwrap_or((part, ""));
            if !is_wanted(path) {
                continue;
            }
            match path.strip_prefix("hex ") {
                Some(path) => machine.write(path, &unhex(content)),
                None => machine.write(path, format!("{}\n", content.trim_end()).as_bytes()),
            }
        }
        machine
    }

    /// A machine with these files only.
    pub(crate) fn from_files(files: &[(&str, &str)]) -> Self {
        let machine = Self::empty();
        for (path, content) in files {
            machine.write(path, content.as_bytes());
        }
        machine
    }

    fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            root: Root::new(folder.path()),
            folder,
        }
    }

    /// Adds or replaces a file.
    pub(crate) fn write(&self, path: &str, content: &[u8]) {
        let path = self.root.path(path);
        assert!(path.starts_with(self.folder.path()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Everything that is known of it.
    pub(crate) fn facts(&self) -> Facts {
        Facts::gather(&self.root, &Sources::default()).unwrap()
    }

    /// Gives it this BTF.
    pub(crate) fn set_btf(&self, content: &[u8]) {
        self.write("/sys/kernel/btf/vmlinux", content);
    }

    /// Adds functions to its symbols.
    pub(crate) fn add_symbols(&self, names: &[&str]) {
        let added = names
            .iter()
            .map(|name| format!("ffffffff81fff000 t {name}\n"));
        let symbols = self.symbols() + &added.collect::<String>();
        self.write(KALLSYMS, symbols.as_bytes());
    }

    /// Takes a symbol away, which must be there.
    pub(crate) fn remove_symbol(&self, name: &str) {
        let all = self.symbols();
        let is_other = |line: &&str| line.split(' ').next_back() != Some(name);
        let left: Vec<_> = all.lines().filter(is_other).collect();
        assert!(left.len() < all.lines().count(), "{name} is no symbol");
        self.write(KALLSYMS, (left.join("\n") + "\n").as_bytes());
    }

    /// Shows all addresses as zero, as for an unprivileged reader.
    pub(crate) fn hide_addresses(&self) {
        let hidden: String = self
            .symbols()
            .lines()
            .map(|line| format!("0000000000000000{}\n", &line[16..]))
            .collect();
        self.write(KALLSYMS, hidden.as_bytes());
    }

    fn symbols(&self) -> String {
        fs::read_to_string(self.root.path(KALLSYMS)).unwrap()
    }

    /// Removes a file or a folder, which must be there.
    pub(crate) fn remove(&self, path: &str) {
        let path = self.root.path(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .chars()
        .filter_map(|c| c.to_digit(16))
        .map(|digit| u8::try_from(digit).unwrap())
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}
