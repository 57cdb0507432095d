//! The inlined copies in the compile unit of kernel/sched/fair.c.

use std::collections::HashMap;

use gimli::{AttributeValue, DebuggingInformationEntry as Entry, Unit, UnitOffset};

use super::elf::{DebugInfoError, Dwarf, Elf, Reader};
use super::{FUNCTIONS, InlinedCopy, unit};

/// An abstract origin is the original or a declaration of it; chains are two or three long.
const LONGEST_CHAIN: u32 = 8;

/// All copies of [`FUNCTIONS`], by host and entry.
pub(super) fn copies(elf: &Elf<'_>) -> Result<Vec<InlinedCopy>, DebugInfoError> {
    let sections = elf.sections()?;
    let dwarf = sections.dwarf();
    let unit = unit::find(&dwarf)?;
    let mut walk = Walk {
        elf,
        dwarf: &dwarf,
        unit: &unit,
        names: HashMap::new(),
    };
    let mut copies = walk.copies()?;
    copies.sort_by(|a, b| (&a.host, a.entry, &a.function).cmp(&(&b.host, b.entry, &b.function)));
    Ok(copies)
}

struct Walk<'w, 'a> {
    elf: &'w Elf<'a>,
    dwarf: &'w Dwarf<'w>,
    unit: &'w Unit<Reader<'w>>,
    names: HashMap<UnitOffset, String>,
}

/// An entry whose children are being walked.
struct Open {
    depth: isize,
    /// A function with code of its own, or one inlined into the entry above.
    is_host: bool,
    name: String,
    start: u64,
}

impl<'w> Walk<'w, '_> {
    fn copies(&mut self) -> Result<Vec<InlinedCopy>, DebugInfoError> {
        let unit = self.unit;
        let mut copies = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            while open.last().is_some_and(|last| last.depth >= entry.depth()) {
                open.pop();
            }
            let is_host = match entry.tag() {
                gimli::DW_TAG_subprogram => true,
                gimli::DW_TAG_inlined_subroutine => false,
                _ => continue,
            };
            // An original that exists only inlined has no code; what stands in it is abstract.
            let Some(start) = self.start(entry)? else {
                continue;
            };
            let Some(name) = self.name_of(entry)? else {
                continue;
            };
            if !is_host && FUNCTIONS.contains(&name.as_str()) {
                copies.extend(self.copy(&open, entry, &name, start)?);
            }
            open.push(Open {
                depth: entry.depth(),
                is_host,
                name,
                start,
            });
        }
        Ok(copies)
    }

    fn copy(
        &self,
        open: &[Open],
        entry: &Entry<Reader<'w>>,
        name: &str,
        start: u64,
    ) -> Result<Option<InlinedCopy>, DebugInfoError> {
        let Some(host) = open.iter().rposition(|above| above.is_host) else {
            return Ok(None);
        };
        let (host, through) = open[host..]
            .split_first()
            .expect("host is an index of open");
        let (symbol, base) = self
            .elf
            .symbol_of(&host.name, start)
            .unwrap_or_else(|| (host.name.clone(), host.start));
        let offset = |address: u64| address.wrapping_sub(base).cast_signed();
        let ranges = self
            .ranges(entry)?
            .into_iter()
            .map(|(start, end)| (offset(start), offset(end)))
            .collect();
        let Ok(entry) = u64::try_from(offset(start)) else {
            // Only without a symbol table: the entry lies in a part before the function.
            return Ok(None);
        };
        Ok(Some(InlinedCopy {
            function: name.to_owned(),
            host: symbol,
            entry,
            ranges,
            through: through.iter().map(|above| above.name.clone()).collect(),
        }))
    }

    /// The address at which `entry` is entered: `DW_AT_entry_pc`, else the lowest address of its
    /// first range. None for one without code.
    fn start(&self, entry: &Entry<Reader<'w>>) -> Result<Option<u64>, DebugInfoError> {
        let ranges = self.ranges(entry)?;
        let Some(&(first, _)) = ranges.first() else {
            return Ok(None);
        };
        let Some(value) = entry.attr_value(gimli::DW_AT_entry_pc) else {
            return Ok(Some(first));
        };
        if let Some(address) = self.dwarf.attr_address(self.unit, value)? {
            return Ok(Some(address));
        }
        // DWARF 5, 2.18: a constant is an offset from the base address of the entry.
        let base = self.address(entry, gimli::DW_AT_low_pc)?.unwrap_or(first);
        Ok(value.udata_value().map(|offset| base.wrapping_add(offset)))
    }

    /// Start and end of each stretch of code, without empty ones. (`Dwarf::die_ranges` of gimli
    /// adds a damaged length to an address without looking, hence by hand.)
    fn ranges(&self, entry: &Entry<Reader<'w>>) -> Result<Vec<(u64, u64)>, DebugInfoError> {
        let mut ranges = Vec::new();
        if let Some(list) = entry.attr_value(gimli::DW_AT_ranges)
            && let Some(mut list) = self.dwarf.attr_ranges(self.unit, list)?
        {
            while let Some(range) = list.next()? {
                ranges.push((range.begin, range.end));
            }
        } else if let Some(start) = self.address(entry, gimli::DW_AT_low_pc)?
            && let Some(value) = entry.attr_value(gimli::DW_AT_high_pc)
        {
            let end = match self.dwarf.attr_address(self.unit, value)? {
                Some(end) => Some(end),
                None => value
                    .udata_value()
                    .and_then(|length| start.checked_add(length)),
            };
            ranges.extend(end.map(|end| (start, end)));
        }
        ranges.retain(|(start, end)| start < end);
        Ok(ranges)
    }

    /// The address in attribute `name`; none if it is not there or is no address.
    fn address(
        &self,
        entry: &Entry<Reader<'w>>,
        name: gimli::DwAt,
    ) -> Result<Option<u64>, DebugInfoError> {
        match entry.attr_value(name) {
            Some(value) => Ok(self.dwarf.attr_address(self.unit, value)?),
            None => Ok(None),
        }
    }

    fn name_of(&mut self, entry: &Entry<Reader<'w>>) -> Result<Option<String>, DebugInfoError> {
        let origin = origin(entry);
        if let Some(AttributeValue::UnitRef(offset)) = origin
            && let Some(name) = self.names.get(&offset)
        {
            return Ok(Some(name.clone()));
        }
        let name = name(self.dwarf, self.unit, entry, LONGEST_CHAIN)?;
        if let (Some(AttributeValue::UnitRef(offset)), Some(name)) = (origin, &name) {
            self.names.insert(offset, name.clone());
        }
        Ok(name)
    }
}

fn origin<'a>(entry: &Entry<Reader<'a>>) -> Option<AttributeValue<Reader<'a>>> {
    entry
        .attr_value(gimli::DW_AT_abstract_origin)
        .or_else(|| entry.attr_value(gimli::DW_AT_specification))
}

/// The entry's own name, or that of the original that it refers to, which link-time
/// optimisation may have put into another unit.
fn name<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<Reader<'a>>,
    entry: &Entry<Reader<'a>>,
    chain: u32,
) -> Result<Option<String>, DebugInfoError> {
    if let Some(name) = entry.attr_value(gimli::DW_AT_name) {
        let name = dwarf.attr_string(unit, name)?;
        return Ok(Some(name.to_string_lossy().into_owned()));
    }
    let Some(chain) = chain.checked_sub(1) else {
        return Ok(None);
    };
    match origin(entry) {
        Some(AttributeValue::UnitRef(offset)) => name(dwarf, unit, &unit.entry(offset)?, chain),
        Some(AttributeValue::DebugInfoRef(offset)) => {
            let mut headers = dwarf.units();
            while let Some(header) = headers.next()? {
                if let Some(offset) = offset.to_unit_offset(&header)
                    && offset.is_in_bounds(&header)
                {
                    let unit = dwarf.unit(header)?;
                    let entry = unit.entry(offset)?;
                    return name(dwarf, &unit, &entry, chain);
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}
