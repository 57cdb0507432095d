//! Where this kernel has a function: as symbols, and inlined.

use super::attach::why_not_kprobe;
use crate::kernel::{Facts, InlinedCopy, Symbol};

/// The symbols that are versions of `function`.
pub(super) fn variants(facts: &Facts, function: &str) -> Vec<Symbol> {
    facts
        .symbols
        .found()
        .map(|symbols| symbols.variants(function))
        .unwrap_or_default()
}

/// Why probes on these symbols would not see the whole function, if so.
pub(super) fn unusable(variants: &[Symbol]) -> Option<String> {
    variants.iter().find_map(|symbol| {
        if symbol.is_partial() {
            Some(format!("{} is only a part of the function", symbol.name))
        } else if symbol.copies > 1 {
            Some(format!(
                "/proc/kallsyms has {} {} times",
                symbol.name, symbol.copies
            ))
        } else {
            None
        }
    })
}

/// The copies of `function` in `hosts`, in clones of those (`.constprop.0`) and in parts of them
/// (`.cold`).
pub(super) fn inlined_copies<'a>(
    facts: &'a Facts,
    function: &'a str,
    hosts: &'a [&str],
) -> impl Iterator<Item = &'a InlinedCopy> {
    facts
        .inlined
        .found()
        .into_iter()
        .flat_map(move |known| known.copies_of(function))
        .filter(move |copy| {
            let host = copy.host.split('.').next().unwrap_or_default();
            hosts.contains(&host)
        })
}

/// The least code that a body begins with: enough for a call and for what leads to it.
const LEAST_STRETCH: u64 = 32;

/// Why kprobes at the entries of `copies` would not tell when they are entered, if so.
pub(super) fn unusable_copies(facts: &Facts, copies: &[&InlinedCopy]) -> Option<String> {
    copies.iter().find_map(|copy| {
        let symbols = facts.symbols.found()?.named(&copy.host).len();
        if symbols != 1 {
            return Some(format!("/proc/kallsyms has {} {symbols} times", copy.host));
        }
        if copy.stretch() < LEAST_STRETCH {
            return Some(format!(
                "the entry that debug info names for {} in {}, +{:#x}, is {} bytes that the \
                 compiler moved ahead of the body",
                copy.function,
                copy.host,
                copy.entry,
                copy.stretch()
            ));
        }
        why_not_kprobe(facts, [copy.host.as_str()])
    })
}

/// Their names in a row.
pub(super) fn names(symbols: &[Symbol]) -> String {
    let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    names.join(", ")
}

/// What makes the inlined search visible.
pub(super) fn debuginfo_remedy(facts: &Facts) -> String {
    let install = facts.debuginfo_command.as_ref().map_or_else(
        || "install the kernel's debug info".to_owned(),
        |command| format!("install the kernel's debug info with '{command}'"),
    );
    format!(
        "{install}, or run 'sisprobe profile make --vmlinux FILE' on a machine that has it and \
         bring the profile here"
    )
}
