//! Types of the kernel: which functions take fentry, where members and per-CPU variables lie.
//!
//! A reader of our own rather than a library: it makes one pass that notes where each type
//! begins and reads the few that are asked for, which takes milliseconds for a kernel's five
//! megabytes even in an emulated guest, where parsing every type takes most of a second. Format:
//! Documentation/bpf/btf.rst, include/uapi/linux/btf.h.

mod raw;

use std::path::Path;

use super::read::{self, Missing};
use super::{Answer, Root};
use raw::{Kind, Raw, Type};

/// The kernel's own.
const VMLINUX: &str = "/sys/kernel/btf/vmlinux";

/// Ten times what the largest kernels have.
const MOST_BTF: u64 = 64 << 20;

/// How many types deep a member may be inside anonymous ones, or behind modifiers: real ones are
/// a handful, damaged ones could go in circles.
const DEPTH: u32 = 32;

/// The section that holds per-CPU variables.
const PER_CPU: &str = ".data..percpu";

/// The type information of one kernel.
pub struct Btf(Raw);

impl std::fmt::Debug for Btf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Btf")
            .field("types", &self.0.len())
            .finish_non_exhaustive()
    }
}

/// Where a member lies in its struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberPlace {
    /// Bytes from the start of the struct.
    pub offset: u32,
    /// Size of its type in bytes; none if it has none (a function, a declaration).
    pub size: Option<u32>,
}

impl Btf {
    /// Reads the running kernel's /sys/kernel/btf/vmlinux, or the file at `path` of this
    /// machine (not under `root`) in its place: raw BTF.
    pub fn read(root: &Root, path: Option<&Path>) -> Answer<Self> {
        match path {
            Some(path) => match Self::from_file(path) {
                Ok(btf) => Answer::Found(btf),
                Err(why) => Answer::Unknown(why),
            },
            None => try_read(root).into(),
        }
    }

    /// Reads raw BTF from a file of this machine.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, in words, without the path's name at the start.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        let here = Root::default();
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        let name = path.to_string_lossy();
        match read::bytes(&here, &name, MOST_BTF) {
            Ok(bytes) => Raw::parse(bytes).map(Self),
            Err(Missing::Absent(why) | Missing::Unknown(why)) => Err(why),
        }
    }

    /// The names of the parameters of function `name`, in order (an empty name for one that has
    /// none); none if the function is not in BTF, so that it cannot take fentry.
    pub fn function(&self, name: &str) -> Option<Vec<String>> {
        let function = self.0.find(Kind::Func, name)?;
        let prototype = self.0.get(function.size_or_type())?;
        if prototype.kind() != Some(Kind::FuncProto) {
            return None;
        }
        prototype
            .parameters()
            .map(|parameter| Some(self.0.string(parameter.name)?.to_owned()))
            .collect()
    }

    /// Bytes from the start of `struct` to its member, also one inside anonymous structs and
    /// unions; `cfs.avg.util_avg` goes through the members' structs. None if there is no such
    /// struct or member, or if the member is a bit field.
    pub fn member_offset(&self, structure: &str, path: &str) -> Option<u32> {
        self.member(structure, path).map(|place| place.offset)
    }

    /// As [`Btf::member_offset`], with the member's size.
    pub fn member(&self, structure: &str, path: &str) -> Option<MemberPlace> {
        let mut current = self.0.find(Kind::Struct, structure)?;
        let mut bits = 0_u32;
        let mut member_type = 0;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let (offset, type_id) = self.member_of(current, name, DEPTH)?;
            bits = bits.checked_add(offset)?;
            member_type = type_id;
            if names.peek().is_some() {
                current = self.plain(type_id)?;
            }
        }
        bits.is_multiple_of(8).then_some(MemberPlace {
            offset: bits / 8,
            size: self.size(member_type, DEPTH),
        })
    }

    /// Bytes that a struct of this name takes; none if there is no such struct.
    pub fn struct_size(&self, name: &str) -> Option<u32> {
        Some(self.0.find(Kind::Struct, name)?.size_or_type())
    }

    /// Bytes from the start of the per-CPU section to variable `name`; that is its address minus
    /// `__per_cpu_start`. None if BTF does not list it (not every pahole writes variables):
    /// kallsyms may have the address then.
    pub fn percpu_offset(&self, name: &str) -> Option<u64> {
        let section = self.0.find(Kind::Datasec, PER_CPU)?;
        section.variables().find_map(|(type_id, offset)| {
            let variable = self.0.get(type_id)?;
            (variable.kind() == Some(Kind::Var) && self.0.is_named(&variable, name))
                .then_some(u64::from(offset))
        })
    }

    /// Bit offset and type of member `name`, searched through anonymous members.
    fn member_of(&self, of: Type<'_>, name: &str, depth: u32) -> Option<(u32, u32)> {
        let depth = depth.checked_sub(1)?;
        if !matches!(of.kind(), Some(Kind::Struct | Kind::Union)) {
            return None;
        }
        for member in of.members() {
            let member_name = self.0.string(member.name)?;
            if member_name == name {
                return (!member.is_bit_field).then_some((member.bit_offset, member.type_id));
            }
            if member_name.is_empty()
                && let Some(inner) = self.plain(member.type_id)
                && let Some((offset, type_id)) = self.member_of(inner, name, depth)
            {
                return Some((member.bit_offset.checked_add(offset)?, type_id));
            }
        }
        None
    }

    /// The type behind typedefs, const, volatile, restrict and type tags.
    fn plain(&self, mut id: u32) -> Option<Type<'_>> {
        for _ in 0..DEPTH {
            let found = self.0.get(id)?;
            match found.kind()? {
                Kind::Typedef | Kind::Volatile | Kind::Const | Kind::Restrict | Kind::TypeTag => {
                    id = found.size_or_type();
                }
                _ => return Some(found),
            }
        }
        None
    }

    fn size(&self, id: u32, depth: u32) -> Option<u32> {
        let found = self.plain(id)?;
        match found.kind()? {
            Kind::Int | Kind::Struct | Kind::Union | Kind::Enum | Kind::Enum64 | Kind::Float => {
                Some(found.size_or_type())
            }
            // Kernels that run BPF tracing programs are 64 bits wide.
            Kind::Ptr => Some(8),
            Kind::Array => {
                let (element, count) = found.array()?;
                self.size(element, depth.checked_sub(1)?)?
                    .checked_mul(count)
            }
            _ => None,
        }
    }
}

fn try_read(root: &Root) -> Result<Btf, Missing> {
    let bytes = match read::bytes(root, VMLINUX, MOST_BTF) {
        Ok(bytes) => bytes,
        Err(Missing::Absent(why)) => {
            return Err(Missing::Absent(format!(
                "{why}: the kernel was built without CONFIG_DEBUG_INFO_BTF; \
                 give its BTF with --btf PATH"
            )));
        }
        Err(unknown) => return Err(unknown),
    };
    Raw::parse(bytes)
        .map(Btf)
        .map_err(|why| Missing::Unknown(format!("{VMLINUX}: {why}")))
}

#[cfg(test)]
mod tests;
