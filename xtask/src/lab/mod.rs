//! The bench: boots a real kernel in QEMU, runs a command in it as root, and brings back what it
//! wrote and its exit status.
//!
//! ```no_run
//! use xtask::lab::{Kernel, Lab};
//!
//! let outcome = Lab::new(Kernel::series("6.12")).topology(2, 4, 2).run("nproc")?;
//! assert_eq!(outcome.stdout.trim(), "16");
//! # Ok::<(), anyhow::Error>(())
//! ```

use std::net::TcpListener;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

mod bzimage;
pub mod cli;
pub mod console;
mod disk;
mod elf;
mod initrd;
mod kernel;
mod qemu;
mod run;
mod serial;
mod stock;
mod terminal;
mod tools;

pub use kernel::Kernel;
pub(crate) use kernel::own_kernel;
pub(crate) use qemu::PROGRAM as EMULATOR;
pub(crate) use tools::has_static_busybox;

use crate::setup::{self, Part};

/// Exit status of `lab` where the kernel panicked or reported an oops.
pub const STATUS_PANIC: u8 = 122;
/// Exit status of `lab` where the kernel reported a stall after the command had begun, or one
/// before and did not come up.
pub const STATUS_STALL: u8 = 123;
/// Exit status of `lab` where the time was up.
pub const STATUS_TIMEOUT: u8 = 124;
/// Exit status of `lab` where the lab itself failed: no kernel, no QEMU, a guest that ended
/// without telling its command's status.
pub const STATUS_FAILURE: u8 = 125;
/// Exit status of `lab` where the user interrupted it.
pub const STATUS_INTERRUPTED: u8 = 130;

/// A guest to be booted.
#[derive(Debug, Clone)]
pub struct Lab {
    kernel: Kernel,
    sockets: u32,
    cores: u32,
    threads: u32,
    memory: String,
    append: Vec<String>,
    icount: bool,
    with: Vec<PathBuf>,
    forward: Vec<Forward>,
    debuginfo: bool,
    timeout: Limit,
    stream: bool,
    tty: bool,
    interrupted: Arc<AtomicBool>,
}

/// A TCP port of this machine's loopback, and the port of the guest behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forward {
    /// Here.
    pub host: u16,
    /// In the guest.
    pub guest: u16,
}

impl Forward {
    /// A port here that nobody listens at, as things stand, to `guest` of the guest.
    ///
    /// # Errors
    ///
    /// There is no port left.
    pub fn to(guest: u16) -> std::io::Result<Self> {
        Ok(Self {
            host: free_port()?,
            guest,
        })
    }
}

/// A port of the loopback that nobody listens at, as things stand.
///
/// # Errors
///
/// There is none left.
pub fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

impl FromStr for Forward {
    type Err = String;

    /// `HOST:GUEST`.
    fn from_str(text: &str) -> Result<Self, String> {
        let port = |text: &str| text.parse().ok().filter(|&port: &u16| port != 0);
        let ports = text.split_once(':');
        ports
            .and_then(|(host, guest)| {
                Some(Self {
                    host: port(host)?,
                    guest: port(guest)?,
                })
            })
            .ok_or_else(|| "it is two ports, as in 9090:9747".into())
    }
}

/// How long a run may take.
#[derive(Debug, Clone, Copy)]
enum Limit {
    Usual,
    Of(Duration),
    None,
}

/// What became of a guest.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What the command wrote to standard output and standard error.
    pub stdout: String,
    /// What the guest's kernel wrote to its console.
    pub console: String,
    /// The files that the command left in /out of the guest; removed when dropped.
    pub out_dir: TempDir,
    /// Name of the kernel, for instance `6.12.117+deb12-cloud-amd64`.
    pub release: String,
    /// From the start of QEMU to the start of the command; nothing where it did not come to that.
    pub boot: Option<Duration>,
    /// From the start of QEMU to its end.
    pub total: Duration,
}

/// How a guest ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The command ended with this status.
    Exited(u8),
    /// The kernel panicked or reported an oops; its line.
    Panicked(String),
    /// The kernel reported a stall after the command had begun, or one before and did not come up;
    /// its line.
    Stalled(String),
    /// The time was up.
    TimedOut,
    /// The user interrupted the run.
    Interrupted,
    /// The guest went down without telling the command's status.
    Vanished,
}

impl Outcome {
    /// The exit status that `lab` gives for this end.
    pub fn status(&self) -> u8 {
        match self.end {
            End::Exited(status) => status,
            End::Panicked(_) => STATUS_PANIC,
            End::Stalled(_) => STATUS_STALL,
            End::TimedOut => STATUS_TIMEOUT,
            End::Interrupted => STATUS_INTERRUPTED,
            End::Vanished => STATUS_FAILURE,
        }
    }
}

impl Lab {
    /// A guest with this kernel, 16 CPUs in two LLCs of 8, 4 GiB of memory, and the usual time:
    /// ten minutes and four seconds for each CPU.
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            sockets: 2,
            cores: 4,
            threads: 2,
            memory: "4G".into(),
            append: Vec::new(),
            icount: false,
            with: Vec::new(),
            forward: Vec::new(),
            debuginfo: false,
            timeout: Limit::Usual,
            stream: false,
            tty: false,
            interrupted: Arc::default(),
        }
    }

    /// Sockets (each one LLC), cores of a socket, threads of a core. Each at least 1.
    #[must_use]
    pub fn topology(mut self, sockets: u32, cores: u32, threads: u32) -> Self {
        (self.sockets, self.cores, self.threads) = (sockets, cores, threads);
        self
    }

    /// Memory in QEMU's words, for instance `8G`.
    #[must_use]
    pub fn memory(mut self, memory: impl Into<String>) -> Self {
        self.memory = memory.into();
        self
    }

    /// Adds to the kernel's command line.
    #[must_use]
    pub fn append(mut self, arguments: impl Into<String>) -> Self {
        self.append.push(arguments.into());
        self
    }

    /// Makes the guest's clock count its instructions, one nanosecond each.
    #[must_use]
    pub fn icount(mut self, on: bool) -> Self {
        self.icount = on;
        self
    }

    /// Puts a file or folder into /with of the guest, which is on PATH.
    #[must_use]
    pub fn with(mut self, file: impl Into<PathBuf>) -> Self {
        self.with.push(file.into());
        self
    }

    /// Brings what connects to a TCP port of this machine's loopback to one of the guest. Debian's
    /// kernels only.
    #[must_use]
    pub fn forward(mut self, ports: Forward) -> Self {
        self.forward.push(ports);
        self
    }

    /// Puts the kernel's own vmlinux with DWARF at `/usr/lib/debug/boot/vmlinux-RELEASE`.
    #[must_use]
    pub fn debuginfo(mut self, on: bool) -> Self {
        self.debuginfo = on;
        self
    }

    /// Limits the whole run, the boot included.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Limit::Of(limit);
        self
    }

    /// Lets the run take as long as it wants.
    #[must_use]
    pub fn no_timeout(mut self) -> Self {
        self.timeout = Limit::None;
        self
    }

    /// Passes the command's output on while it runs, and tells about the boot.
    #[must_use]
    pub fn stream(mut self, on: bool) -> Self {
        self.stream = on;
        self
    }

    /// Gives the command a terminal: ours.
    #[must_use]
    pub fn tty(mut self, on: bool) -> Self {
        self.tty = on;
        self
    }

    /// Ends the run once this is set.
    #[must_use]
    pub fn interrupted_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted = flag;
        self
    }

    /// Fetches and builds all that a run needs, without booting.
    ///
    /// # Errors
    ///
    /// The kernel, its debug info, the guest's tools or sisprobe cannot be had.
    pub fn prepare(&self) -> Result<()> {
        self.parts().map(drop)
    }

    /// Boots the guest, runs the command with `sh -c` and waits for its end.
    ///
    /// # Errors
    ///
    /// The guest cannot be prepared or QEMU cannot be started. A guest that goes wrong is no
    /// error but an [`Outcome`].
    pub fn run(&self, command: &str) -> Result<Outcome> {
        let parts = self.parts()?;
        run::boot(self, &parts, command)
    }

    fn parts(&self) -> Result<Parts> {
        setup::ensure(&[Part::Lab])?;
        let image = self.kernel.find()?;
        let debug_disk = self.debuginfo.then(|| image.debug_disk()).transpose()?;
        let network_module = (!self.forward.is_empty())
            .then(|| image.network_module())
            .transpose()?;
        Ok(Parts {
            tools: tools::disk()?,
            sisprobe: crate::compile::release_binary().context("build sisprobe for the guest")?,
            debug_disk,
            network_module,
            image,
        })
    }

    /// All CPUs share one of the host's, so that each makes a boot longer.
    fn limit(&self) -> Option<Duration> {
        match self.timeout {
            Limit::Usual => Some(Duration::from_secs(600 + 4 * u64::from(self.cpus()))),
            Limit::Of(limit) => Some(limit),
            Limit::None => None,
        }
    }

    fn cpus(&self) -> u32 {
        self.sockets * self.cores * self.threads
    }
}

/// What a guest is made of.
struct Parts {
    image: kernel::Image,
    tools: PathBuf,
    sisprobe: PathBuf,
    debug_disk: Option<PathBuf>,
    network_module: Option<PathBuf>,
}
