//! A diagnosis for people.

use std::fmt::{self, Write as _};

use super::{Diagnosis, Function};
use crate::kernel::{Answer, Capability, Topology};

/// Column at which answers begin.
const LABEL: usize = 18;

/// The diagnosis as text, one finding a line.
pub fn text(diagnosis: &Diagnosis) -> String {
    let mut out = String::new();
    write(&mut out, diagnosis).expect("writing to a String cannot fail");
    out
}

fn write(out: &mut String, d: &Diagnosis) -> fmt::Result {
    line(out, "kernel", &told(&d.release, Clone::clone))?;
    line(out, "build id", &told(&d.build_id, Clone::clone))?;
    line(out, "topology", &told(&d.topology, topology))?;
    writeln!(out)?;
    for function in &d.functions {
        line(out, function.name, &found(function))?;
    }
    line(out, "BTF", &told(&d.btf, |()| "there".into()))?;
    line(
        out,
        "kprobes",
        &told(&d.tracing.kprobes, |_| "there".into()),
    )?;
    line(out, "fentry", &told(&d.tracing.fentry, |()| "there".into()))?;
    line(
        out,
        "inlined search",
        &told(&d.inlined, |known| known.source.to_string()),
    )?;
    line(
        out,
        "features",
        &told(&d.features, |features| {
            let names: Vec<_> = features
                .of_search()
                .map(|f| format!("{}{}", if f.enabled { "" } else { "NO_" }, f.name))
                .collect();
            if names.is_empty() {
                "none that bounds the search".into()
            } else {
                names.join(" ")
            }
        }),
    )?;
    if let Some(active) = &d.policy {
        line(out, "policy", &active.to_string())?;
    }
    line(
        out,
        "lockdown",
        &told(&d.lockdown, |lockdown| {
            format!("{lockdown:?}").to_lowercase()
        }),
    )?;
    line(
        out,
        "sched_ext",
        &told(&d.sched_ext, |scheduler| scheduler.state.clone()),
    )?;
    line(out, "privileges", &privileges(d))?;
    if let Some(why) = &d.addresses_hidden {
        line(out, "addresses", why)?;
    }
    writeln!(out)?;
    plan(out, d)?;
    if d.obstacles.is_empty() {
        writeln!(out, "Ready: 'sisprobe --llc all' would measure now.")?;
    } else {
        writeln!(out, "Not ready:")?;
        for obstacle in &d.obstacles {
            writeln!(out, "  - {obstacle}")?;
        }
    }
    Ok(())
}

fn line(out: &mut String, label: &str, answer: &str) -> fmt::Result {
    writeln!(out, "{label:LABEL$} {answer}")
}

/// An answer in words: the value, or why there is none.
fn told<T>(answer: &Answer<T>, value: impl FnOnce(&T) -> String) -> String {
    match answer {
        Answer::Found(found) => value(found),
        Answer::Absent(why) => format!("no: {why}"),
        Answer::Unknown(why) => format!("unknown: {why}"),
    }
}

fn topology(topology: &Topology) -> String {
    let llcs: Vec<_> = topology
        .llcs
        .iter()
        .map(|llc| format!("LLC {} is CPUs {}", llc.number, llc.cpus))
        .collect();
    format!(
        "{} of {} possible CPUs online; {}",
        topology.online.len(),
        topology.possible.len(),
        llcs.join(", ")
    )
}

fn found(function: &Function) -> String {
    let mut found: Vec<String> = function
        .symbols
        .iter()
        .map(|symbol| format!("symbol {}", symbol.name))
        .collect();
    if function.in_btf {
        found.push("in BTF".into());
    }
    match function.inlined_copies {
        0 => {}
        1 => found.push("1 inlined copy".into()),
        many => found.push(format!("{many} inlined copies")),
    }
    if found.is_empty() {
        "no symbol of its own, and no debug info tells where it is inlined".into()
    } else {
        found.join(", ")
    }
}

fn privileges(d: &Diagnosis) -> String {
    let missing = d.privileges.missing();
    if missing.is_empty() {
        return "sufficient".into();
    }
    let names: Vec<_> = missing.iter().copied().map(Capability::name).collect();
    format!(
        "{} missing; root would see kernel addresses and debugfs, and could attach",
        names.join(" and ")
    )
}

fn plan(out: &mut String, d: &Diagnosis) -> fmt::Result {
    let Some(plan) = &d.plan else {
        return writeln!(out, "No plan.\n");
    };
    writeln!(
        out,
        "Plan: fidelity {}, attach {}",
        plan.fidelity, plan.attach
    )?;
    for probe in &plan.probes {
        writeln!(out, "  {probe}")?;
    }
    if !plan.rejected.is_empty() {
        writeln!(out, "\nWhy not better:")?;
        for no in &plan.rejected {
            writeln!(out, "  - {}: {}", no.what, no.why)?;
            if let Some(remedy) = &no.remedy {
                writeln!(out, "    For it, {remedy}.")?;
            }
        }
    }
    writeln!(out)
}
