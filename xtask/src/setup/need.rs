//! What each part needs from the system: looked for as files, as asking apt would be slow.

use std::path::Path;

use super::Part;
use crate::lab;
use crate::toolchain::on_path;

/// One thing that must be there.
#[derive(Debug)]
pub(super) struct Need {
    part: Part,
    check: Check,
    package: &'static str,
    why: &'static str,
}

#[derive(Debug)]
enum Check {
    /// A program on PATH or in sbin.
    Program(&'static str),
    /// A file.
    File(&'static str),
    /// A busybox that runs without libraries.
    StaticBusybox,
}

use Check::{File, Program, StaticBusybox};
use Part::{Build, Kernel, Lab, Test};

const NEEDS: [Need; 32] = [
    need(
        Build,
        Program("cc"),
        "build-essential",
        "links Rust programs",
    ),
    need(
        Lab,
        Program(lab::EMULATOR),
        "qemu-system-x86",
        "boots the kernels",
    ),
    need(Lab, StaticBusybox, "busybox-static", "the guest's shell"),
    need(
        Lab,
        Program("bpftrace"),
        "bpftrace",
        "a witness in the guest",
    ),
    need(
        Lab,
        Program("funclatency"),
        "libbpf-tools",
        "a witness in the guest",
    ),
    need(Lab, Program("hackbench"), "rt-tests", "a load in the guest"),
    need(Lab, Program("perf"), "linux-perf", "a load in the guest"),
    need(Lab, Program("tbench"), "dbench", "a load in the guest"),
    need(
        Lab,
        File("/usr/share/dbench/client.txt"),
        "dbench",
        "what tbench does",
    ),
    need(
        Lab,
        Program("bpftool"),
        "bpftool",
        "lists in the guest what BPF there is",
    ),
    need(Lab, Program("chromium"), "chromium", "opens the web page"),
    need(Lab, Program("node"), "nodejs", "drives the browser"),
    need(
        Lab,
        Program("wrk"),
        "wrk",
        "asks the daemon as fast as it can",
    ),
    need(
        Lab,
        Program("taskset"),
        "util-linux",
        "pins a load in the guest",
    ),
    need(
        Lab,
        Program("setpriv"),
        "util-linux",
        "ends QEMU with the lab",
    ),
    need(
        Lab,
        Program("mke2fs"),
        "e2fsprogs",
        "makes the guest's disks",
    ),
    need(
        Lab,
        Program("ldd"),
        "libc-bin",
        "finds the tools' libraries",
    ),
    need(Lab, Program("tar"), "tar", "brings the guest's files back"),
    need(
        Kernel,
        Program("gcc"),
        "build-essential",
        "compiles the kernel",
    ),
    need(
        Kernel,
        Program("make"),
        "build-essential",
        "builds the kernel",
    ),
    need(Kernel, Program("flex"), "flex", "builds the kernel's tools"),
    need(
        Kernel,
        Program("bison"),
        "bison",
        "builds the kernel's tools",
    ),
    need(
        Kernel,
        Program("bc"),
        "bc",
        "builds the kernel's time constants",
    ),
    need(
        Kernel,
        Program("perl"),
        "perl-base",
        "builds parts of the kernel",
    ),
    need(
        Kernel,
        Program("pahole"),
        "pahole",
        "makes BTF out of debug info",
    ),
    need(
        Lab,
        Program("xz"),
        "xz-utils",
        "unpacks the guest's network driver",
    ),
    need(
        Kernel,
        Program("xz"),
        "xz-utils",
        "unpacks the kernel's source",
    ),
    need(
        Kernel,
        File("/usr/include/libelf.h"),
        "libelf-dev",
        "builds objtool",
    ),
    need(
        Kernel,
        File("/usr/include/gelf.h"),
        "libelf-dev",
        "builds objtool",
    ),
    need(
        Kernel,
        File("/usr/include/openssl/ssl.h"),
        "libssl-dev",
        "builds the kernel's tools",
    ),
    need(Test, Program("node"), "nodejs", "checks the dashboards"),
    need(
        Test,
        Program("npm"),
        "npm",
        "fetches Grafana's types of dashboards",
    ),
];

const fn need(part: Part, check: Check, package: &'static str, why: &'static str) -> Need {
    Need {
        part,
        check,
        package,
        why,
    }
}

/// What is not there, of what these parts need.
pub(super) fn missing(parts: &[Part]) -> Vec<&'static Need> {
    static ALL: &[Need] = &NEEDS;
    ALL.iter()
        .filter(|need| parts.contains(&need.part))
        .filter(|need| !need.is_met())
        .collect()
}

impl Need {
    /// What it is.
    pub(super) fn what(&self) -> &str {
        match self.check {
            Program(name) | File(name) => name,
            StaticBusybox => "busybox, static",
        }
    }

    /// The Debian package that has it.
    pub(super) fn package(&self) -> &'static str {
        self.package
    }

    /// What it is good for.
    pub(super) fn why(&self) -> &str {
        self.why
    }

    fn is_met(&self) -> bool {
        match self.check {
            Program(name) => find(name),
            File(path) => Path::new(path).is_file(),
            StaticBusybox => lab::has_static_busybox(),
        }
    }
}

fn find(name: &str) -> bool {
    on_path(name).is_some()
        || ["/usr/sbin", "/sbin"]
            .iter()
            .any(|folder| Path::new(folder).join(name).is_file())
}
