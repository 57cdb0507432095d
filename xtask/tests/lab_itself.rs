//! The lab keeps its promises: what goes in, what comes back, and how a run ends.

use std::fs;
use std::io::Read as _;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use xtask::lab::{End, Forward, Kernel, Lab, Outcome, STATUS_FAILURE, STATUS_PANIC, STATUS_STALL};

fn small() -> Lab {
    Lab::new(Kernel::series("6.12"))
        .topology(1, 1, 1)
        .memory("1G")
}

fn run(lab: &Lab, command: &str) -> Outcome {
    lab.run(command).expect("the lab works")
}

#[test]
fn a_command_gets_its_input_and_gives_its_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("greet");
    fs::write(&file, "#!/bin/sh\necho hello from $1\n").expect("a file");
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("a program");

    let lab = Lab::new(Kernel::series("6.1"))
        .topology(2, 3, 1)
        .with(file)
        .append("sisprobe.test=1");
    let outcome = run(
        &lab,
        "greet \"$(nproc)\"; grep -c sisprobe.test=1 /proc/cmdline; id -u; echo to stderr >&2\n\
         mkdir -p /out/deep && seq 1 100000 >/out/deep/file; sisprobe --help >/dev/null 2>&1\n\
         for tool in hackbench tbench perf bpftrace funclatency taskset sisprobe; do\n\
         command -v $tool >/dev/null || echo no $tool; done\n\
         printf 'no\\r\\nchange' | od -c | head -n 1; exit 7",
    );
    assert_eq!(outcome.end, End::Exited(7), "{}", outcome.console);
    assert_eq!(outcome.status(), 7);
    assert_eq!(
        outcome.stdout,
        "hello from 6\n1\n0\nto stderr\n\
         0000000   n   o  \\r  \\n   c   h   a   n   g   e\n"
    );
    assert!(outcome.release.starts_with("6.1."), "{}", outcome.release);
    assert!(outcome.boot.expect("it booted") < outcome.total);
    let file = fs::read_to_string(outcome.out_dir.path().join("deep/file")).expect("a file");
    assert_eq!(file.lines().count(), 100_000);
}

#[test]
fn debug_info_of_the_running_kernel_is_where_it_is_looked_for() {
    let outcome = run(
        &small().debuginfo(true),
        "head -c 4 /usr/lib/debug/boot/vmlinux-$(uname -r) | od -An -c",
    );
    assert_eq!(outcome.end, End::Exited(0), "{}", outcome.stdout);
    assert_eq!(outcome.stdout.split_whitespace().last(), Some("F"));
}

#[test]
fn a_panic_ends_the_run() {
    let outcome = run(
        &small(),
        "echo before; sleep 1; echo c >/proc/sysrq-trigger; sleep 100",
    );
    assert!(matches!(&outcome.end, End::Panicked(line) if line.contains("sysrq")));
    assert_eq!(outcome.status(), STATUS_PANIC);
    assert_eq!(outcome.stdout, "before\n");
    assert!(
        outcome.console.contains("Call Trace"),
        "{}",
        outcome.console
    );
}

#[test]
fn a_stall_ends_the_run() {
    let outcome = run(
        &small(),
        "echo '<3>watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [x:1]' >/dev/kmsg; sleep 100",
    );
    assert!(matches!(&outcome.end, End::Stalled(line) if line.contains("soft lockup")));
    assert_eq!(outcome.status(), STATUS_STALL);
    assert!(outcome.total < Duration::from_secs(90));
}

#[test]
fn a_guest_that_goes_down_by_itself_is_a_failure() {
    let outcome = run(&small(), "poweroff -f; sleep 100");
    assert_eq!(outcome.end, End::Vanished);
    assert_eq!(outcome.status(), STATUS_FAILURE);
}

#[test]
fn time_is_limited() {
    let outcome = run(&small().timeout(Duration::from_secs(2)), "true");
    assert_eq!(outcome.end, End::TimedOut);
    assert!(outcome.total < Duration::from_secs(10));
}

#[test]
fn an_unknown_kernel_is_an_error_that_says_what_to_do() {
    let error = Lab::new(Kernel::own("no-such-kernel"))
        .run("true")
        .expect_err("there is none");
    let words = format!("{error:#}");
    assert!(
        words.contains("cargo xtask kernel --name no-such-kernel"),
        "{words}"
    );
}

#[test]
fn a_port_is_forwarded_into_the_guest_on_both_kernels() {
    for series in ["6.1", "6.12"] {
        let forward = Forward::to(7000).expect("a port");
        let lab = Lab::new(Kernel::series(series))
            .topology(1, 2, 1)
            .memory("1G")
            .forward(forward);
        let asks = thread::spawn(move || ask(forward.host));
        // Ends once it was asked.
        let outcome = run(&lab, "echo hello from $(uname -r) | nc -l -p 7000");
        assert_eq!(outcome.end, End::Exited(0), "{}", outcome.console);
        let answer = asks.join().expect("no panic");
        assert_eq!(answer, format!("hello from {}\n", outcome.release));
    }
}

/// Connects until something is answered. QEMU takes connections before the guest does.
fn ask(port: u16) -> String {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(120) {
        let mut answer = String::new();
        let asked = TcpStream::connect(("127.0.0.1", port))
            .and_then(|mut stream| stream.read_to_string(&mut answer));
        if asked.is_ok() && !answer.is_empty() {
            return answer;
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("nothing answered at port {port}");
}
