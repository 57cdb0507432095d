//! Which program goes where.

use std::fmt;

use serde::Serialize;

use crate::kernel::{InlinedCopy, Symbol};

/// The kernel's ways to attach a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeKind {
    /// A BPF trampoline, before the function.
    Fentry,
    /// A BPF trampoline, after the function.
    Fexit,
    /// A kernel probe at an instruction.
    Kprobe,
    /// A kernel probe at a function's return.
    Kretprobe,
}

/// One program and the place that it is attached to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// The program's name in the eBPF object.
    pub program: &'static str,
    /// How it is attached.
    pub kind: ProbeKind,
    /// The kernel symbol.
    pub symbol: String,
    /// Bytes after the symbol's address; not 0 for kprobes only.
    pub offset: u64,
}

impl Probe {
    /// `program` on the entry or the return of `symbol`.
    pub(super) fn on(program: &'static str, kind: ProbeKind, symbol: &str) -> Self {
        Self {
            program,
            kind,
            symbol: symbol.into(),
            offset: 0,
        }
    }

    /// `program` where the inlined `copy` begins.
    pub(super) fn inside(program: &'static str, copy: &InlinedCopy) -> Self {
        Self {
            program,
            kind: ProbeKind::Kprobe,
            symbol: copy.host.clone(),
            offset: copy.entry,
        }
    }

    /// A kretprobe and a kprobe on each of `symbols`, the returns first.
    pub(super) fn pairs(begins: &'static str, ends: &'static str, symbols: &[Symbol]) -> Vec<Self> {
        let on = |program, kind| {
            symbols
                .iter()
                .map(move |symbol| Self::on(program, kind, &symbol.name))
        };
        on(ends, ProbeKind::Kretprobe)
            .chain(on(begins, ProbeKind::Kprobe))
            .collect()
    }
}

impl fmt::Display for ProbeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fentry => "fentry",
            Self::Fexit => "fexit",
            Self::Kprobe => "kprobe",
            Self::Kretprobe => "kretprobe",
        })
    }
}

impl fmt::Display for Probe {
    /// As bpftrace names it: `kprobe:select_task_rq_fair+0x545`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.symbol)?;
        if self.offset != 0 {
            write!(f, "+{:#x}", self.offset)?;
        }
        Ok(())
    }
}
