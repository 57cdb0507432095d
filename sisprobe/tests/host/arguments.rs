//! What is said on the command line, and output that cannot be written.

use std::fs::File;

use crate::command::{expect, run, sisprobe};

#[test]
fn help_names_commands_and_options() {
    for words in ["doctor", "profile", "--llc", "--fidelity", "--duration"] {
        expect(&["--help"], 0, words);
    }
    expect(&["doctor", "--help"], 0, "--root");
    expect(&["profile", "make", "--help"], 0, "--vmlinux");
}

#[test]
fn version_names_the_toolchain_of_the_programs() {
    let version = concat!("sisprobe ", env!("CARGO_PKG_VERSION"));
    let long = expect(&["--version"], 0, version).stdout;
    let (_, toolchain) = long
        .split_once("\neBPF programs built with ")
        .expect("a toolchain");
    assert!(toolchain.contains("rustc"), "{toolchain}");
    assert!(toolchain.contains("bpf-linker"), "{toolchain}");
    assert_eq!(expect(&["-V"], 0, version).stdout.lines().count(), 1);
}

#[test]
fn wrong_arguments() {
    for (arguments, words) in [
        (&["--no-such-option"][..], "--no-such-option"),
        (&["no-such-command"], "no-such-command"),
        (&["--llc", "x"], "all, or numbers as in 0,2-5"),
        (&["--llc", "3-1"], "runs backwards"),
        (&["--llc", ""], "--llc"),
        (&["--group-by", "socket"], "smt"),
        (&["--shard-size", "4"], "--group-by shard"),
        (&["--group-by", "shard", "--shard-size", "0"], "1..=8192"),
        (&["--interval", "1ns"], "10ms or more"),
        (&["--interval", "soon"], "--interval"),
        (&["--duration", "500000000000y"], "100 years or less"),
        (&["--duration", "-1s"], "-1"),
        (&["--plain", "--json"], "cannot be used with"),
        (&["--unit", "s"], "ns, us"),
        (&["--attach", "uprobe"], "fentry, kprobe"),
        (&["--fidelity", "best"], "bracketed, inlined, exact"),
        (&["doctor", "--llc", "0"], "--llc"),
        (&["doctor", "--root", "/no/such"], "there is no such folder"),
        (&["doctor", "--vmlinux", "/no/such"], "--vmlinux /no/such"),
        (&["doctor", "--profile", "/no/such"], "--profile /no/such"),
        (&["doctor", "--btf", "/no/such"], "--btf /no/such"),
        (&["--btf", "/dev/null"], "--btf /dev/null"),
        (&["profile"], "make"),
        (&["profile", "make"], "--vmlinux"),
    ] {
        expect(arguments, 2, words);
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = || {
        let file = File::options().write(true).open("/dev/full");
        file.expect("/dev/full")
    };
    let ended = run(sisprobe(["doctor"]).stdout(full()));
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.contains("tried to write the output"),
        "{}",
        ended.stderr
    );
    let ended = run(sisprobe(["doctor", "--btf", "/no/such"]).stderr(full()));
    assert_eq!(ended.status, 2, "the status tells where nothing else can");
}
