//! The kernel's symbols, from /proc/kallsyms.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;

use serde::Serialize;

use super::read::{self, Missing};
use super::{Answer, Root};

const KALLSYMS: &str = "/proc/kallsyms";
const KPTR_RESTRICT: &str = "/proc/sys/kernel/kptr_restrict";

/// More symbols than this are not kept: the largest kernels have some 300,000.
const MOST_SYMBOLS: usize = 4_000_000;

/// Suffixes with which a compiler marks another version of a function, each followed by a dot
/// and a decimal number. GCC: `isra` (parameters split or removed), `constprop` (specialised for
/// constant arguments), `part` (a part of the function, the rest being inlined). Clang with
/// ThinLTO: `llvm` (a static function made visible to other units; the body is the whole one).
/// `cold` is absent on purpose: it is the moved-away, seldom-run end of a body, not an entry.
const VARIANT_SUFFIXES: [&str; 4] = ["isra", "constprop", "part", "llvm"];

/// Code or data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    /// Code: kallsyms shows `t`, `T`, `w` or `W`.
    Function,
    /// Everything else: `d`, `D`, `b`, `B`, `r`, `R`, `V`, `A` (per-CPU variables) …
    Data,
}

/// One symbol of the kernel proper (not of a module).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// As kallsyms has it, suffixes included.
    pub name: String,
    /// Address in the running kernel; none if the kernel hides addresses from this process.
    pub address: Option<u64>,
    /// Code or data.
    pub kind: SymbolKind,
    /// How many symbols bear this very name. With more than one, a probe by name is refused by
    /// the kernel (kernel/trace/trace_kprobe.c, `number_of_same_symbols`) or lands on any of them.
    pub copies: usize,
}

impl Symbol {
    /// Whether only a part of the function is there (`.part.N`): its entry is not that of the
    /// function.
    pub fn is_partial(&self) -> bool {
        self.name.split('.').any(|piece| piece == "part")
    }
}

struct Entry {
    name: Range<usize>,
    address: u64,
    kind: SymbolKind,
}

/// The symbols of the running kernel, without those of modules and of BPF programs.
pub struct Symbols {
    names: String,
    entries: Vec<Entry>,
    hidden: Option<String>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols")
            .field("len", &self.entries.len())
            .field("hidden", &self.hidden)
            .finish_non_exhaustive()
    }
}

impl Symbols {
    /// Reads /proc/kallsyms up to the first symbol of a module (the kernel lists its own first:
    /// kernel/kallsyms.c, `update_iter`).
    ///
    /// Absent where the kernel was built without CONFIG_KALLSYMS.
    pub fn read(root: &Root) -> Answer<Self> {
        try_read(root).into()
    }

    /// Every version of the function `base` that is a symbol of its own: the plain name, and the
    /// name followed by one or more of `.isra.N`, `.constprop.N`, `.part.N`, `.llvm.N` in any
    /// order. `.cold` parts and the `__pfx_` and `__cfi_` labels are not versions. In the order
    /// of kallsyms, that is of addresses.
    pub fn variants(&self, base: &str) -> Vec<Symbol> {
        self.select(|name, kind| kind == SymbolKind::Function && is_variant(name, base))
    }

    /// Every symbol with exactly this name.
    pub fn named(&self, name: &str) -> Vec<Symbol> {
        self.select(|candidate, _| candidate == name)
    }

    /// The address of the one symbol `name`, code or data; for a per-CPU variable its address in
    /// the template, to which `__per_cpu_offset[cpu]` is to be added.
    ///
    /// Absent if there is no such symbol or more than one, unknown if addresses are hidden.
    pub fn address(&self, name: &str) -> Answer<u64> {
        match self.named(name).as_slice() {
            [] => Answer::Absent(format!(
                "{name} is not in {KALLSYMS} (variables are there only with CONFIG_KALLSYMS_ALL)"
            )),
            [
                Symbol {
                    address: Some(address),
                    ..
                },
            ] => Answer::Found(*address),
            [_] => Answer::Unknown(self.hidden.clone().unwrap_or_default()),
            several => Answer::Absent(format!(
                "{name} is in {KALLSYMS} {} times, so its address is ambiguous",
                several.len()
            )),
        }
    }

    /// Why addresses are hidden, if they are.
    pub fn addresses_hidden(&self) -> Option<&str> {
        self.hidden.as_deref()
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn name(&self, entry: &Entry) -> &str {
        &self.names[entry.name.clone()]
    }

    fn select(&self, wanted: impl Fn(&str, SymbolKind) -> bool) -> Vec<Symbol> {
        let entries: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| wanted(self.name(entry), entry.kind))
            .collect();
        entries
            .iter()
            .map(|entry| Symbol {
                name: self.name(entry).to_owned(),
                address: self.hidden.is_none().then_some(entry.address),
                kind: entry.kind,
                copies: entries
                    .iter()
                    .filter(|other| self.name(other) == self.name(entry))
                    .count(),
            })
            .collect()
    }
}

/// Whether `name` is `base` or `base` with suffixes that make it another version of it.
pub(super) fn is_variant(name: &str, base: &str) -> bool {
    let Some(rest) = name.strip_prefix(base) else {
        return false;
    };
    if rest.is_empty() {
        return true;
    }
    let Some(rest) = rest.strip_prefix('.') else {
        return false;
    };
    let mut pieces = rest.split('.');
    while let Some(suffix) = pieces.next() {
        let numbered = pieces.next().is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !VARIANT_SUFFIXES.contains(&suffix) || !numbered {
            return false;
        }
    }
    true
}

fn try_read(root: &Root) -> Result<Symbols, Missing> {
    let file = File::open(root.path(KALLSYMS)).map_err(|error| {
        match Missing::from_io(KALLSYMS, &error) {
            Missing::Absent(why) => Missing::Absent(format!("{why} (CONFIG_KALLSYMS)")),
            unknown @ Missing::Unknown(_) => unknown,
        }
    })?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut names = String::new();
    let mut entries = Vec::new();
    let mut all_zero = true;
    let mut line = String::new();
    loop {
        line.clear();
        let read = reader
            .read_line(&mut line)
            .map_err(|error| Missing::from_io(KALLSYMS, &error))?;
        // The name of the module stands in brackets after a tab.
        if read == 0 || line.contains('[') {
            break;
        }
        let Some((address, kind, name)) = split(line.trim_end()) else {
            return Err(Missing::Unknown(format!(
                "{KALLSYMS} has a line in no known form: {:?}",
                line.trim_end()
            )));
        };
        if entries.len() >= MOST_SYMBOLS {
            return Err(Missing::Unknown(format!(
                "{KALLSYMS} has more than {MOST_SYMBOLS} symbols, which it should not"
            )));
        }
        all_zero &= address == 0;
        let start = names.len();
        names.push_str(name);
        entries.push(Entry {
            name: start..names.len(),
            address,
            kind,
        });
    }
    if entries.is_empty() {
        return Err(Missing::Unknown(format!("{KALLSYMS} is empty")));
    }
    let hidden = all_zero.then(|| why_hidden(root));
    Ok(Symbols {
        names,
        entries,
        hidden,
    })
}

fn split(line: &str) -> Option<(u64, SymbolKind, &str)> {
    let mut fields = line.split_ascii_whitespace();
    let address = u64::from_str_radix(fields.next()?, 16).ok()?;
    let kind = match fields.next()? {
        "t" | "T" | "w" | "W" => SymbolKind::Function,
        letter if letter.len() == 1 => SymbolKind::Data,
        _ => return None,
    };
    let name = fields.next()?;
    fields.next().is_none().then_some((address, kind, name))
}

/// kernel/kallsyms.c, `kallsyms_show_value`: 0 shows addresses to those who may profile the
/// kernel, 1 to those with CAP_SYSLOG, 2 to nobody.
fn why_hidden(root: &Root) -> String {
    let value = read::number::<u32>(root, KPTR_RESTRICT);
    let remedy = match value {
        Ok(2..) => "`sysctl kernel.kptr_restrict=1` and run as root",
        _ => "run as root or with CAP_SYSLOG",
    };
    let value = value.map_or_else(|_| "unknown".to_owned(), |value| value.to_string());
    format!("{KALLSYMS} shows all addresses as zero (kernel.kptr_restrict is {value}): {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    #[test]
    fn the_suffix_grammar_is_exact() {
        for name in [
            "f",
            "f.isra.0",
            "f.constprop.0",
            "f.part.12",
            "f.constprop.0.isra.0",
            "f.part.0.constprop.1.isra.2",
            "f.llvm.1234567890123456789",
        ] {
            assert!(is_variant(name, "f"), "{name}");
        }
        for name in [
            "ff",
            "f_isra.0",
            "f.cold",
            "f.isra.0.cold",
            "f.cold.0",
            "f.isra",
            "f.isra.",
            "f.",
            "f.isra.x",
            "f.0",
            "f..isra.0",
            "__pfx_f",
            "__cfi_f",
            "__pfx_f.isra.0",
            "g",
            "",
            "f.lto_priv.0",
            "f.isra.0.",
            "f.isra.-1",
        ] {
            assert!(!is_variant(name, "f"), "{name}");
        }
    }

    #[test]
    fn a_stock_6_12_has_select_idle_core_as_a_clone() {
        let machine = machine("6.12-2llc");
        let symbols = Symbols::read(&machine.root);
        let symbols = symbols.found().unwrap();
        assert_eq!(
            symbols.variants("select_idle_core"),
            [Symbol {
                name: "select_idle_core.constprop.0".into(),
                address: Some(0xffff_ffff_8111_8100),
                kind: SymbolKind::Function,
                copies: 1,
            }]
        );
        assert!(symbols.variants("select_idle_cpu").is_empty());
        assert_eq!(symbols.variants("select_task_rq_fair").len(), 1);
        assert_eq!(symbols.variants("available_idle_cpu").len(), 1);
        assert_eq!(symbols.address("sd_llc_shared"), Answer::Found(0x21728));
        assert_eq!(
            symbols.address("__per_cpu_offset"),
            Answer::Found(0xffff_ffff_8256_4e20)
        );
        assert!(matches!(symbols.address("no_such"), Answer::Absent(_)));
        assert_eq!(symbols.addresses_hidden(), None);
    }

    #[test]
    fn a_stock_6_1_has_it_inlined() {
        let machine = machine("6.1-2llc");
        let symbols = Symbols::read(&machine.root);
        let symbols = symbols.found().unwrap();
        assert!(symbols.variants("select_idle_core").is_empty());
        assert!(symbols.variants("select_idle_cpu").is_empty());
        assert_eq!(symbols.variants("select_task_rq_fair").len(), 1);
    }

    fn of(kallsyms: &str, kptr_restrict: &str) -> Answer<Symbols> {
        let machine = Machine::from_files(&[(KALLSYMS, kallsyms), (KPTR_RESTRICT, kptr_restrict)]);
        Symbols::read(&machine.root)
    }

    #[test]
    fn hidden_addresses_are_unknown_and_names_still_known() {
        let zero = "0000000000000000";
        for (restrict, remedy) in [("1", "CAP_SYSLOG"), ("2", "sysctl kernel.kptr_restrict=1")] {
            let symbols = of(&format!("{zero} T a\n{zero} d b\n"), restrict);
            let symbols = symbols.found().unwrap();
            assert_eq!(symbols.variants("a")[0].address, None);
            let Answer::Unknown(why) = symbols.address("b") else {
                panic!("the address should be unknown");
            };
            assert!(
                why.contains(&format!("kernel.kptr_restrict is {restrict}")),
                "{why}"
            );
            assert!(why.contains(remedy), "{why}");
        }
    }

    #[test]
    fn a_name_found_twice_is_reported() {
        let symbols = of("01 t dup\n02 t dup\n03 t one\n", "0");
        let symbols = symbols.found().unwrap();
        let copies: Vec<_> = symbols.variants("dup").iter().map(|s| s.copies).collect();
        assert_eq!(copies, [2, 2]);
        assert!(matches!(symbols.address("dup"), Answer::Absent(why) if why.contains("2 times")));
        assert_eq!(symbols.variants("one")[0].copies, 1);
    }

    #[test]
    fn symbols_of_modules_and_bpf_programs_are_left_out() {
        let symbols = of(
            "01 t mine\n02 t select_idle_cpu\t[module]\n03 t p\t[bpf]\n",
            "0",
        );
        let symbols = symbols.found().unwrap();
        assert_eq!(symbols.len(), 1);
        assert!(symbols.variants("select_idle_cpu").is_empty());
    }

    #[test]
    fn only_a_part_is_told_from_the_whole() {
        let symbols = of("01 t f.part.0\n02 t f.isra.0\n", "0");
        let partial: Vec<_> = symbols.found().unwrap().variants("f");
        assert_eq!(
            partial.iter().map(Symbol::is_partial).collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn damaged_lines_and_an_absent_file_are_told_apart() {
        assert!(matches!(of("what is this line\n", "0"), Answer::Unknown(_)));
        assert!(matches!(of("", "0"), Answer::Unknown(_)));
        let nothing = Machine::from_files(&[]);
        assert!(matches!(Symbols::read(&nothing.root), Answer::Absent(_)));
    }
}
