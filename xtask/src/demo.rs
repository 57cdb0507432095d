//! `cargo xtask demo`: the main job on real input.

use std::io::{IsTerminal as _, stdout};
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::lab::{self, Kernel, Lab};
use crate::setup::{self, Part};
use crate::{apt, command, compile, toolchain};

/// CPUs of the guest: two sockets of four cores of two threads.
const GUEST_CPUS: usize = 16;

/// Watch the idle-CPU search while hackbench loads the machine
///
/// On this machine where `sisprobe doctor` says that it can be done, else on Debian's 6.12 in the
/// lab. Ends with the histograms of each LLC.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// In the lab, whatever this machine can do
    #[arg(long)]
    lab: bool,
    /// Seconds of measurement
    #[arg(long, default_value_t = 10, value_name = "SECS", value_parser = clap::value_parser!(u32).range(1..))]
    duration: u32,
    /// Text even on a terminal
    #[arg(long)]
    plain: bool,
}

impl Args {
    /// Runs the demonstration and gives sisprobe's exit status.
    ///
    /// # Errors
    ///
    /// Neither this machine nor the lab can do it.
    pub fn run(self) -> Result<u8> {
        setup::ensure(&[Part::Build])?;
        let binary = compile::release_binary()?;
        if self.lab {
            return self.in_lab();
        }
        match obstacle(&binary) {
            None => self.natively(&binary),
            Some(why) => {
                eprintln!("not on this machine: {why}\nso in the lab, on Debian's 6.12 in QEMU:");
                self.in_lab()
            }
        }
    }

    fn in_lab(&self) -> Result<u8> {
        let lab = Lab::new(Kernel::series("6.12"))
            .debuginfo(true)
            .stream(true)
            .tty(!self.plain())
            .timeout(Duration::from_secs(300 + 3 * u64::from(self.duration)))
            .interrupted_by(lab::cli::on_signal()?);
        lab::cli::report(lab.run(&self.script(GUEST_CPUS))?, None)
    }

    fn natively(&self, binary: &Path) -> Result<u8> {
        if toolchain::on_path("hackbench").is_none() {
            eprintln!("missing for the demo: hackbench, the load (Debian package rt-tests)");
            if !apt::is_here() {
                bail!("install hackbench, then try again: there is no apt here to do it with");
            }
            setup::install(&["rt-tests"])?;
        }
        let cpus = available_parallelism().map_or(1, usize::from);
        eprintln!("on this machine, {cpus} CPUs:");
        let mut shell = with_sisprobe(binary)?;
        shell.args(["sh", "-c", &self.script(cpus)]);
        // Ctrl-C is for sisprobe, which ends with its summary.
        let _flag = lab::cli::on_signal()?;
        let status = shell.status().with_context(|| format!("start {shell:?}"))?;
        Ok(status
            .code()
            .and_then(|code| code.try_into().ok())
            .unwrap_or(1))
    }

    fn plain(&self) -> bool {
        self.plain || !stdout().is_terminal()
    }

    /// The load in a session of its own, so that all its processes can be ended at once; it is one
    /// process for as long as it has none.
    fn script(&self, cpus: usize) -> String {
        // As many tasks as CPUs, half of them asleep: the search then does all that it can do,
        // where a busier LLC would skip it.
        let groups = (cpus / 16).max(1);
        let pairs = (cpus / 2).clamp(1, 8);
        let plain = if self.plain() { " --plain" } else { "" };
        format!(
            "setsid hackbench -g {groups} -f {pairs} -s 100 -l 100000000 >/dev/null 2>&1 &\n\
             load=$!\n\
             trap 'kill -- -$load 2>/dev/null || kill $load' EXIT\n\
             trap : INT TERM\n\
             sleep 1\n\
             sisprobe --llc all{plain} --duration {}s\n",
            self.duration
        )
    }
}

/// Why sisprobe cannot measure on this machine, in its own words.
fn obstacle(binary: &Path) -> Option<String> {
    let mut doctor = match with_sisprobe(binary) {
        Ok(command) => command,
        Err(error) => return Some(format!("{error:#}")),
    };
    doctor.args(["sisprobe", "doctor", "--json"]);
    match command::capture(&mut doctor) {
        Err(error) => Some(format!("{error:#}")),
        Ok(answer) if answer.status.success() => None,
        Ok(answer) => Some(
            first_obstacle(&answer.stdout)
                .unwrap_or_else(|| format!("`sisprobe doctor` ends with {}", answer.status)),
        ),
    }
}

/// The first obstacle that the doctor's JSON names.
fn first_obstacle(json: &[u8]) -> Option<String> {
    let diagnosis: serde_json::Value = serde_json::from_slice(json).ok()?;
    Some(diagnosis["obstacles"][0].as_str()?.to_owned())
}

/// The beginning of a command as root that has sisprobe on PATH.
fn with_sisprobe(binary: &Path) -> Result<Command> {
    let folder = binary.parent().context("the binary has a folder")?;
    let mut folders = vec![folder.to_owned()];
    folders.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let path = std::env::join_paths(folders).context("a folder of PATH cannot stand in PATH")?;
    let mut setting = std::ffi::OsString::from("PATH=");
    setting.push(path);
    let mut env = apt::as_root("env")?;
    env.arg(setting);
    Ok(env)
}
