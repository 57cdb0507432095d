//! `cargo xtask lab`.

use std::io::{IsTerminal as _, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{End, Forward, Kernel, Lab, Outcome};

/// How many lines of the console are shown where a run goes wrong.
const CONSOLE_LINES: usize = 40;

/// Run a command as root on a real kernel in QEMU; without a command, a shell
///
/// sisprobe, hackbench, tbench, perf, bpftrace, bpftool, funclatency, taskset and busybox are on
/// the guest's PATH. Files that the command leaves in /out come back.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status: that of COMMAND, but for
  122  the kernel panicked or reported an oops
  123  the kernel reported a stall (soft or hard lockup, RCU stall, hung task) while COMMAND ran
  124  the time was up
  125  the lab failed: no kernel, no QEMU, a guest that went down without a word
  130  interrupted")]
pub struct Args {
    /// Newest Debian cloud kernel of a series (6.1, 6.12), name of a kernel of `cargo xtask
    /// kernel`, or path of a bzImage or vmlinuz
    #[arg(long, default_value = "6.12", value_name = "SERIES|NAME|PATH")]
    kernel: Kernel,
    /// Sockets; each is one LLC
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    sockets: u32,
    /// Cores of a socket
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    cores: u32,
    /// Threads of a core
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,
    /// Memory of the guest
    #[arg(long, default_value = "4G", value_name = "SIZE")]
    mem: String,
    /// More for the kernel's command line
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    append: Vec<String>,
    /// Let the guest's clock count its instructions: figures that do not depend on this machine
    #[arg(long)]
    icount: bool,
    /// Put a file or folder into /with of the guest, which is on PATH
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Bring what connects to port HOST of this machine's loopback to port GUEST of the guest
    /// (Debian's kernels only)
    #[arg(long, value_name = "HOST:GUEST")]
    forward: Vec<Forward>,
    /// Put the kernel's vmlinux with debug info where sisprobe looks for it
    #[arg(long)]
    debuginfo: bool,
    /// End the run after so long, the boot included; 0 is never [default: 600 and 4 for
    /// each CPU; with a terminal 0]
    #[arg(long, value_name = "SECS")]
    timeout: Option<u64>,
    /// Give COMMAND a terminal
    #[arg(short = 't', long)]
    tty: bool,
    /// Folder for what COMMAND leaves in /out [default: a new one, named at the end]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What `sh -c` runs in the guest; several words are joined by spaces
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Args {
    /// Runs the guest and gives the exit status.
    ///
    /// # Errors
    ///
    /// The lab itself failed.
    pub fn run(self) -> Result<u8> {
        let tty = self.tty || self.command.is_empty();
        anyhow::ensure!(
            !tty || (stdin().is_terminal() && stdout().is_terminal()),
            "no terminal here: give a command, `cargo xtask lab -- COMMAND`"
        );
        let command = if self.command.is_empty() {
            "exec sh -i".to_owned()
        } else {
            self.command.join(" ")
        };
        let mut lab = Lab::new(self.kernel)
            .topology(self.sockets, self.cores, self.threads)
            .memory(self.mem)
            .icount(self.icount)
            .debuginfo(self.debuginfo)
            .stream(true)
            .tty(tty)
            .interrupted_by(on_signal()?);
        for arguments in self.append {
            lab = lab.append(arguments);
        }
        for file in self.with {
            lab = lab.with(file);
        }
        for ports in self.forward {
            lab = lab.forward(ports);
        }
        lab = match self.timeout {
            None if !tty => lab,
            None | Some(0) => lab.no_timeout(),
            Some(secs) => lab.timeout(Duration::from_secs(secs)),
        };
        report(lab.run(&command)?, self.out)
    }
}

/// A flag that the signals set which end a program.
pub(crate) fn on_signal() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, flag.clone()).context("catch signals")?;
    }
    Ok(flag)
}

/// Says what became of the guest and keeps what it left.
pub(crate) fn report(outcome: Outcome, out: Option<PathBuf>) -> Result<u8> {
    let status = outcome.status();
    let what = match &outcome.end {
        End::Exited(_) => None,
        End::Panicked(line) => Some(format!("the kernel broke: {line}")),
        End::Stalled(line) => Some(format!("the kernel stalled: {line}")),
        End::TimedOut => Some("the time was up".to_owned()),
        End::Interrupted => Some("interrupted".to_owned()),
        End::Vanished => Some("the guest went down without telling the command's status".into()),
    };
    if let Some(what) = what {
        let mut console = super::console::Console::default();
        console.push(outcome.console.as_bytes());
        let lines = console.quote(CONSOLE_LINES);
        if !lines.is_empty() && outcome.end != End::Interrupted {
            eprintln!("--- console of the guest\n{lines}\n---");
        }
        eprintln!("lab: {what} (exit status {status})");
    }
    keep(outcome, out)?;
    Ok(status)
}

/// Moves what the guest left to where it stays, and names the place.
fn keep(outcome: Outcome, out: Option<PathBuf>) -> Result<()> {
    let left = outcome
        .out_dir
        .path()
        .read_dir()
        .is_ok_and(|mut entries| entries.next().is_some());
    if !left {
        return Ok(());
    }
    let place = match out {
        None => outcome.out_dir.keep(),
        Some(place) => {
            std::fs::create_dir_all(&place)
                .with_context(|| format!("make folder {}", place.display()))?;
            let content = outcome.out_dir.path().join(".");
            let mut copy = std::process::Command::new("cp");
            copy.arg("-r").arg(content).arg(&place);
            crate::command::output(&mut copy)?;
            place
        }
    };
    eprintln!("files from /out: {}", place.display());
    Ok(())
}
