//! Prints the facts that sisprobe gathers, and how long each part takes.
//!
//! `cargo run --release --example facts -- [--root DIR] [--vmlinux FILE] [--profile FILE]
//! [--btf FILE]`, or `-- --read-vmlinux FILE` for a vmlinux of any kernel.

use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use sisprobe::kernel::{Btf, Facts, Root, Sources, Symbols, Topology, Tracing, Vmlinux};

/// Prints kernel facts.
#[derive(Parser)]
struct Options {
    /// Folder that stands for `/`.
    #[arg(long, default_value = "/")]
    root: PathBuf,
    /// Debug info to use.
    #[arg(long)]
    vmlinux: Option<PathBuf>,
    /// Profile to use.
    #[arg(long)]
    profile: Option<PathBuf>,
    /// Raw BTF to use.
    #[arg(long)]
    btf: Option<PathBuf>,
    /// Only tell what is in this vmlinux, whichever kernel's it is.
    #[arg(long)]
    read_vmlinux: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    if let Some(path) = options.read_vmlinux {
        println!("{:#?}", timed("vmlinux", || Vmlinux::read(&path))?);
        return Ok(());
    }
    let root = Root::new(options.root);
    timed("symbols", || Symbols::read(&root));
    timed("BTF", || Btf::read(&root, options.btf.as_deref()));
    timed("topology", || Topology::read(&root));
    timed("tracing", || {
        Tracing::read(&root, None, &["select_task_rq_fair"])
    });
    let sources = Sources {
        vmlinux: options.vmlinux,
        profile: options.profile,
        btf: options.btf,
    };
    let facts = timed("all", || Facts::gather(&root, &sources))?;
    println!("{facts:#?}");
    timed("answers", || print_answers(&facts));
    Ok(())
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    eprintln!("{what}: {:?}", start.elapsed());
    result
}

fn print_answers(facts: &Facts) {
    if let Some(btf) = facts.btf.found() {
        for (structure, path) in [
            ("sched_domain_shared", "nr_idle_scan"),
            ("sched_domain_shared", "has_idle_cores"),
            ("rq", "cfs.avg.util_avg"),
        ] {
            println!("{structure}.{path}: {:?}", btf.member(structure, path));
        }
        for function in ["select_task_rq_fair", "available_idle_cpu"] {
            println!("{function}: {:?}", btf.function(function));
        }
        println!("sd_llc_shared: {:?}", btf.percpu_offset("sd_llc_shared"));
    }
    println!(
        "sd_llc_shared: {:x?}",
        facts.percpu_address("sd_llc_shared")
    );
}
