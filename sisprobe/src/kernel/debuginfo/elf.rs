//! The ELF side of a vmlinux: build id, symbols, and DWARF's sections.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use gimli::{EndianSlice, RunTimeEndian};
use memmap2::Mmap;
use object::{
    Architecture, Object as _, ObjectKind, ObjectSection as _, ObjectSymbol as _, SymbolKind,
};

use super::BuildId;

/// What keeps a file from telling where the search is inlined. The caller names the file.
#[derive(Debug, thiserror::Error)]
pub enum DebugInfoError {
    /// It cannot be opened or mapped.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is no ELF file, or a damaged one.
    #[error("is not an ELF file that can be read: {0}")]
    Elf(#[from] object::Error),
    /// It is an ELF file that was not linked.
    #[error("is not a linked kernel but an object file")]
    NotLinked,
    /// It cannot be told which build it is.
    #[error("has no build id, so it cannot be told which kernel it belongs to")]
    NoBuildId,
    /// It is another build's.
    #[error("is of another build: its build id is {found}, the running kernel's is {wanted}")]
    OtherBuild {
        /// The file's build id.
        found: BuildId,
        /// The build id that was looked for.
        wanted: BuildId,
    },
    /// It was stripped, or its kernel was built without debug info.
    #[error("has no debug info (DWARF)")]
    NoDwarf,
    /// Its DWARF is in .dwo files.
    #[error("has its debug info split off into .dwo files (CONFIG_DEBUG_INFO_SPLIT)")]
    Split,
    /// Its DWARF is of something else.
    #[error("has debug info, but none for kernel/sched/fair.c")]
    NoFairUnit,
    /// Its DWARF breaks the format's rules.
    #[error("has damaged debug info: {0}")]
    Dwarf(#[from] gimli::Error),
}

/// DWARF as gimli reads it, borrowed from the mapped file or from decompressed sections.
pub(super) type Reader<'a> = EndianSlice<'a, RunTimeEndian>;
pub(super) type Dwarf<'a> = gimli::Dwarf<Reader<'a>>;

/// A mapped file.
pub(super) struct File(Mmap);

/// The file's ELF structure.
pub(super) struct Elf<'a> {
    object: object::File<'a>,
}

/// DWARF's sections, those that are compressed decompressed.
pub(super) struct Sections<'a> {
    sections: gimli::DwarfSections<Cow<'a, [u8]>>,
    endian: RunTimeEndian,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<Self, DebugInfoError> {
        let file = fs::File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file").into());
        }
        // SAFETY: the mapping is private and only read. Debug files are replaced by package
        // managers, not written in place; should one be cut while it is mapped, the process
        // ends with SIGBUS, before any probe is attached.
        Ok(Self(unsafe { Mmap::map(&file)? }))
    }

    pub(super) fn parse(&self) -> Result<Elf<'_>, DebugInfoError> {
        let object = object::File::parse(&*self.0)?;
        if object.kind() == ObjectKind::Relocatable {
            return Err(DebugInfoError::NotLinked);
        }
        Ok(Elf { object })
    }
}

impl<'a> Elf<'a> {
    pub(super) fn build_id(&self) -> Result<BuildId, DebugInfoError> {
        self.object
            .build_id()?
            .and_then(|id| BuildId::new(id).ok())
            .ok_or(DebugInfoError::NoBuildId)
    }

    /// As `uname -m` has it, where that is known.
    pub(super) fn machine(&self) -> String {
        match self.object.architecture() {
            Architecture::X86_64 => "x86_64".to_owned(),
            Architecture::Aarch64 => "aarch64".to_owned(),
            Architecture::Riscv64 => "riscv64".to_owned(),
            Architecture::PowerPc64 => "ppc64".to_owned(),
            Architecture::S390x => "s390x".to_owned(),
            Architecture::LoongArch64 => "loongarch64".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// The release in the banner that /proc/version prints (init/version-timestamp.c). A file
    /// that holds debug info only has the symbol but not the text.
    pub(super) fn release(&self) -> Option<String> {
        let banner = self
            .object
            .symbols()
            .find(|symbol| symbol.name() == Ok("linux_banner"))?;
        let section = self.object.section_by_index(banner.section_index()?).ok()?;
        let start = banner.address().checked_sub(section.address())?;
        let text = section.data().ok()?.get(usize::try_from(start).ok()?..)?;
        let text = text.strip_prefix(b"Linux version ")?;
        let end = text.iter().position(|&byte| byte == b' ')?;
        String::from_utf8(text[..end].to_vec()).ok()
    }

    /// Name and start of the symbol that holds `address`, among those of the function `name`:
    /// itself, its clones and its parts, which have the name with a dot and more behind it.
    pub(super) fn symbol_of(&self, name: &str, address: u64) -> Option<(String, u64)> {
        self.object
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text)
            .filter(|symbol| {
                symbol.address() <= address && address - symbol.address() < symbol.size()
            })
            .filter_map(|symbol| Some((symbol.name().ok()?, symbol.address())))
            .find(|(candidate, _)| {
                candidate
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
            .map(|(candidate, start)| (candidate.to_owned(), start))
    }

    pub(super) fn sections(&self) -> Result<Sections<'a>, DebugInfoError> {
        // object finds a section of the older compressed form (.zdebug_info) by this name too.
        let info = self.object.section_by_name(".debug_info");
        if info.is_none_or(|section| section.size() == 0) {
            return Err(DebugInfoError::NoDwarf);
        }
        let sections = gimli::DwarfSections::load(|id| {
            self.object
                .section_by_name(id.name())
                .map_or(Ok(Cow::Borrowed(&[][..])), |section| {
                    section.uncompressed_data()
                })
        })?;
        let endian = if self.object.is_little_endian() {
            RunTimeEndian::Little
        } else {
            RunTimeEndian::Big
        };
        Ok(Sections { sections, endian })
    }
}

impl Sections<'_> {
    pub(super) fn dwarf(&self) -> Dwarf<'_> {
        self.sections
            .borrow(|section| EndianSlice::new(section, self.endian))
    }
}
