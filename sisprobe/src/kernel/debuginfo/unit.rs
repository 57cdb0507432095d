//! Finding the one compile unit that matters, without parsing the others.

use gimli::{DwAt, UnitHeader};

use super::elf::{DebugInfoError, Dwarf, Reader};

const SOURCE: &[u8] = b"kernel/sched/fair.c";

/// The unit of kernel/sched/fair.c. Of every other unit only the header and the name are read.
pub(super) fn find<'a>(dwarf: &Dwarf<'a>) -> Result<gimli::Unit<Reader<'a>>, DebugInfoError> {
    let mut split = false;
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let name = match name(dwarf, &header)? {
            Name::Is(name) => Some(name),
            Name::Indexed => dwarf.unit(header)?.name,
            Name::None => None,
            Name::InDwo => {
                split = true;
                None
            }
        };
        if name.is_some_and(|name| is_fair(name.slice())) {
            return Ok(dwarf.unit(header)?);
        }
    }
    Err(if split {
        DebugInfoError::Split
    } else {
        DebugInfoError::NoFairUnit
    })
}

/// Kernels name their sources relative to the source tree, or with an absolute path, or with
/// `../` when built elsewhere.
fn is_fair(name: &[u8]) -> bool {
    name.strip_suffix(SOURCE)
        .is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
}

enum Name<'a> {
    Is(Reader<'a>),
    /// Through a table that the unit names, so that all of the root has to be read (Clang).
    Indexed,
    None,
    InDwo,
}

/// `DW_AT_name` of the unit's root.
fn name<'a>(dwarf: &Dwarf<'a>, header: &UnitHeader<Reader<'a>>) -> gimli::Result<Name<'a>> {
    let abbreviations = dwarf.abbreviations(header)?;
    let mut entries = header.entries_raw(&abbreviations, None)?;
    let Some(abbreviation) = entries.read_abbreviation()? else {
        return Ok(Name::None);
    };
    let mut in_dwo = false;
    for &attribute in abbreviation.attributes() {
        let value = entries.read_attribute(attribute)?;
        match value.name() {
            gimli::DW_AT_name => return string(dwarf, &value.value()),
            gimli::DW_AT_dwo_name | gimli::DW_AT_GNU_dwo_name => in_dwo = true,
            DwAt(_) => {}
        }
    }
    Ok(if in_dwo { Name::InDwo } else { Name::None })
}

fn string<'a>(
    dwarf: &Dwarf<'a>,
    value: &gimli::AttributeValue<Reader<'a>>,
) -> gimli::Result<Name<'a>> {
    Ok(match *value {
        gimli::AttributeValue::String(string) => Name::Is(string),
        gimli::AttributeValue::DebugStrRef(offset) => Name::Is(dwarf.string(offset)?),
        gimli::AttributeValue::DebugLineStrRef(offset) => Name::Is(dwarf.line_string(offset)?),
        gimli::AttributeValue::DebugStrOffsetsIndex(_) => Name::Indexed,
        _ => Name::None,
    })
}
