//! The GNU build id: which build of the kernel this is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::read::{self, Missing};
use super::{Answer, Root};

const NOTES: &str = "/sys/kernel/notes";
const MOST_NOTES: u64 = 1 << 16;

/// `NT_GNU_BUILD_ID` (include/linux/elfnote.h's users, lib/buildid.c).
const NT_GNU_BUILD_ID: u32 = 3;

/// A build id as the linker wrote it: 20 bytes with the usual SHA-1, other lengths with others.
/// Printed, parsed and serialized as lower-case hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BuildId(Vec<u8>);

/// A text is no build id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a build id: 8 to 64 pairs of hexadecimal digits")]
pub struct BuildIdError(String);

impl BuildId {
    /// The id with these bytes.
    ///
    /// # Errors
    ///
    /// Fewer than 8 or more than 64 bytes: too short to tell builds apart, longer than any hash.
    pub fn new(bytes: &[u8]) -> Result<Self, BuildIdError> {
        if (8..=64).contains(&bytes.len()) {
            Ok(Self(bytes.to_vec()))
        } else {
            Err(BuildIdError(hex(bytes)))
        }
    }

    /// The running kernel's, from /sys/kernel/notes.
    pub fn running(root: &Root) -> Answer<Self> {
        running(root).into()
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn running(root: &Root) -> Result<BuildId, Missing> {
    let notes = read::bytes(root, NOTES, MOST_NOTES)?;
    let description = find(&notes).ok_or_else(|| {
        Missing::Absent(format!(
            "{NOTES} has no GNU build id (the kernel was linked without --build-id)"
        ))
    })?;
    BuildId::new(description).map_err(|error| Missing::Unknown(format!("{NOTES}: {error}")))
}

/// The description of the first note named `GNU` of the build id's type in an ELF note section:
/// each note is three words (length of name, length of description, type) and both, padded to
/// four bytes. In the byte order of this machine, as the kernel that runs here wrote it.
fn find(mut notes: &[u8]) -> Option<&[u8]> {
    loop {
        let (header, rest) = notes.split_first_chunk::<12>()?;
        let word = |at: usize| {
            let bytes = [header[at], header[at + 1], header[at + 2], header[at + 3]];
            u32::from_ne_bytes(bytes)
        };
        let (name_length, length) = (word(0) as usize, word(4) as usize);
        let name = rest.get(..name_length)?;
        let rest = rest.get(name_length.next_multiple_of(4)..)?;
        let description = rest.get(..length)?;
        if word(8) == NT_GNU_BUILD_ID && name == b"GNU\0" {
            return Some(description);
        }
        notes = rest.get(length.next_multiple_of(4)..)?;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Debug for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BuildId({self})")
    }
}

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex(&self.0))
    }
}

impl FromStr for BuildId {
    type Err = BuildIdError;

    fn from_str(text: &str) -> Result<Self, BuildIdError> {
        let error = || BuildIdError(text.chars().take(200).collect());
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        let digits = digits
            .filter(|digits| digits.len() % 2 == 0)
            .ok_or_else(error)?;
        let bytes: Vec<u8> = digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect();
        Self::new(&bytes).map_err(|_| error())
    }
}

impl Serialize for BuildId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BuildId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    #[test]
    fn is_found_among_the_notes_of_real_kernels() {
        for (name, id) in [
            ("6.12-2llc", "7f76f39faf07f34cfa9fadd801e131bfa8cb6dc3"),
            ("6.1-2llc", "01d2640d3a13145ee314eb05b155f141b7b7058b"),
        ] {
            let found = BuildId::running(&machine(name).root);
            assert_eq!(found.found().unwrap().to_string(), id);
        }
    }

    #[test]
    fn notes_cut_anywhere_give_no_id_and_no_panic() {
        let whole = std::fs::read(machine("6.12-2llc").root.path(NOTES)).unwrap();
        assert!(find(&whole).is_some());
        for length in 0..whole.len() {
            assert_eq!(find(&whole[..length]), None, "cut to {length} bytes");
        }
        assert_eq!(find(&[0xff; 64]), None);
    }

    #[test]
    fn no_notes_and_notes_without_an_id_are_absent() {
        let nothing = Machine::from_files(&[]);
        assert!(matches!(BuildId::running(&nothing.root), Answer::Absent(_)));
        nothing.write(NOTES, b"");
        assert!(matches!(BuildId::running(&nothing.root), Answer::Absent(_)));
    }

    #[test]
    fn text_form_is_strict() {
        let id: BuildId = "7F76f39faf07f34c".parse().unwrap();
        assert_eq!(id.to_string(), "7f76f39faf07f34c");
        for text in [
            "",
            "7f",
            "7f76f39faf07f34",
            "7f76f39faf07f34g",
            "../../../etc/passwd",
        ] {
            assert!(text.parse::<BuildId>().is_err(), "{text}");
        }
    }
}
