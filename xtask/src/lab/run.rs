//! One guest from its start to its end.

use std::fs::File;
use std::io::{Read as _, Write as _, stdout};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::console::{Console, Trouble};
use super::serial::{self, Event, Port};
use super::{End, Lab, Outcome, Parts, initrd, qemu, terminal};
use crate::command;
use crate::progress::{Step, seconds};

/// How often signals, the clock and the terminal's size are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How much of the console an error quotes.
const QUOTED_LINES: usize = 40;

/// How long a panic may go on speaking.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Boots the guest and waits for its end.
pub(super) fn boot(lab: &Lab, parts: &Parts, command: &str) -> Result<Outcome> {
    let folder = tempfile::Builder::new()
        .prefix("sisprobe-lab-")
        .tempdir()
        .context("make a folder for the run")?;
    let files = qemu::Files::in_folder(folder.path());
    let settings = settings(lab, &parts.image.release);
    initrd::write(lab, parts, &settings, command, &files.initrd)?;
    files
        .make_out()
        .with_context(|| format!("make {}", files.out.display()))?;

    let mut guest = Guest::start(lab, parts, &files)?;
    let end = guest.wait(lab)?;
    guest.finish(lab);
    let complaints = files.complaints();
    if end == End::Vanished && !complaints.is_empty() {
        eprintln!("{complaints}");
    }

    let out_dir = tempfile::Builder::new()
        .prefix("sisprobe-out-")
        .tempdir()
        .context("make a folder for the guest's /out")?;
    unpack(&files.out, out_dir.path())?;
    Ok(Outcome {
        end,
        stdout: String::from_utf8_lossy(&guest.output).into_owned(),
        console: guest.console.text().to_owned(),
        out_dir,
        release: parts.image.release.clone(),
        boot: guest.boot,
        total: guest.start.elapsed(),
    })
}

/// What the guest's first process is told, as shell variables.
fn settings(lab: &Lab, release: &str) -> String {
    let mut settings = String::new();
    if lab.debuginfo {
        settings.push_str("lab_debuginfo=1\n");
    }
    if lab.tty {
        let term = std::env::var("TERM").unwrap_or_else(|_| "vt100".into());
        let term: String = term
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "-+._".contains(*c))
            .collect();
        let (rows, cols) = terminal::size().unwrap_or((24, 80));
        settings.push_str(&format!(
            "lab_tty=1\nlab_release='{release}'\nlab_term={term}\n\
             lab_size='rows {rows} cols {cols}'\n"
        ));
    }
    settings
}

/// Unpacks what the guest left, if it left anything: the disk is zeros else.
fn unpack(disk: &Path, to: &Path) -> Result<()> {
    let mut first = [0];
    File::open(disk)
        .and_then(|mut file| file.read_exact(&mut first))
        .with_context(|| format!("read {}", disk.display()))?;
    if first == [0] {
        return Ok(());
    }
    let mut tar = Command::new("tar");
    tar.arg("-xf")
        .arg(disk)
        .arg("--no-same-owner")
        .arg("-C")
        .arg(to);
    command::output(&mut tar).map(drop)
}

struct Guest {
    qemu: Child,
    start: Instant,
    events: Receiver<Event>,
    control: UnixStream,
    step: Option<Step>,
    raw: Option<terminal::Raw>,
    size: Option<(u16, u16)>,
    console: Console,
    output: Vec<u8>,
    words: String,
    boot: Option<Duration>,
    early_stall: Option<String>,
    open: usize,
}

impl Guest {
    fn start(lab: &Lab, parts: &Parts, files: &qemu::Files) -> Result<Self> {
        let listeners = files
            .sockets
            .iter()
            .map(|path| serial::listen(path))
            .collect::<Result<Vec<_>>>()?;
        let step = lab
            .stream
            .then(|| Step::new(format!("boot {} on {}", parts.image.release, machine(lab))));
        let start = Instant::now();
        let mut command = qemu::command(lab, parts, files);
        // A group of its own: Ctrl-C is for us, and we end QEMU.
        let mut qemu = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&files.log).context("create QEMU's log")?)
            .spawn()
            .with_context(|| format!("start {command:?}"))?;
        let streams = listeners
            .iter()
            .map(|listener| serial::accept(listener, &mut qemu))
            .collect::<Result<Vec<_>>>()
            .with_context(|| format!("{command:?}\n{}", files.complaints()))
            .inspect_err(|_| stop(&mut qemu))?;
        let (sender, events) = channel();
        let clone = |index: usize| streams[index].try_clone().context("share a socket");
        for (index, port) in Port::ALL.into_iter().enumerate() {
            serial::read(port, clone(index)?, sender.clone());
        }
        if lab.tty {
            terminal::forward(clone(1)?, lab.interrupted.clone());
        }
        Ok(Self {
            qemu,
            start,
            events,
            control: clone(2)?,
            step,
            raw: None,
            size: terminal::size(),
            console: Console::default(),
            output: Vec::new(),
            words: String::new(),
            boot: None,
            early_stall: None,
            open: Port::ALL.len(),
        })
    }

    /// Waits for the first thing that ends the run.
    fn wait(&mut self, lab: &Lab) -> Result<End> {
        loop {
            match self.events.recv_timeout(TICK) {
                Ok(event) => {
                    if let Some(end) = self.take(event, lab)? {
                        return Ok(end);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Vanished),
            }
            if self.open == 0 {
                return Ok(End::Vanished);
            }
            if lab.interrupted.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            if let (None, Some(stall)) = (self.boot, &self.early_stall)
                && self.start.elapsed() > boot_patience(lab.cpus())
            {
                return Ok(End::Stalled(stall.clone()));
            }
            if lab
                .limit()
                .is_some_and(|limit| self.start.elapsed() > limit)
            {
                return Ok(End::TimedOut);
            }
            if lab.tty {
                self.follow_size();
            }
        }
    }

    fn take(&mut self, event: Event, lab: &Lab) -> Result<Option<End>> {
        match event {
            Event::Closed => self.open -= 1,
            Event::Bytes(Port::Console, bytes) => {
                if let Some((trouble, line)) = self.console.push(&bytes) {
                    return Ok(self.judge(trouble, line, lab));
                }
            }
            Event::Bytes(Port::Command, bytes) => self.output(&bytes, lab),
            Event::Bytes(Port::Control, bytes) => {
                self.words.push_str(&String::from_utf8_lossy(&bytes));
                while let Some((line, rest)) = self.words.split_once('\n') {
                    let (line, rest) = (line.trim().to_owned(), rest.to_owned());
                    self.words = rest;
                    if let Some(end) = self.obey(&line, lab)? {
                        return Ok(Some(end));
                    }
                }
            }
        }
        Ok(None)
    }

    fn judge(&mut self, trouble: Trouble, line: String, lab: &Lab) -> Option<End> {
        match trouble {
            Trouble::Panic => {
                self.hear_out(lab);
                Some(End::Panicked(line))
            }
            Trouble::Stall if self.boot.is_some() => {
                self.hear_out(lab);
                Some(End::Stalled(line))
            }
            // A large guest may report one and come up all the same.
            Trouble::Stall => {
                self.early_stall.get_or_insert(line);
                None
            }
        }
    }

    /// Lets the kernel say what it has to say after the first bad line.
    fn hear_out(&mut self, lab: &Lab) {
        let until = Instant::now() + LAST_WORDS;
        while self.open > 0 && Instant::now() < until {
            match self.events.recv_timeout(TICK) {
                Ok(Event::Bytes(Port::Console, bytes)) => drop(self.console.push(&bytes)),
                Ok(Event::Bytes(Port::Command, bytes)) => self.output(&bytes, lab),
                Ok(Event::Closed) => self.open -= 1,
                Ok(Event::Bytes(..)) | Err(_) => {}
            }
        }
    }

    fn obey(&mut self, line: &str, lab: &Lab) -> Result<Option<End>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "ready" => self.begin(lab)?,
            "status" => {
                let status = rest
                    .parse()
                    .with_context(|| format!("the guest said {line:?}"))?;
                return Ok(Some(End::Exited(status)));
            }
            "trouble" if self.boot.is_none() => {
                self.hear_out(lab);
                bail!(
                    "the guest cannot begin: {rest}\n{}",
                    self.console.quote(QUOTED_LINES)
                )
            }
            "trouble" => eprintln!("lab: {rest}"),
            _ => eprintln!("lab: the guest said {line:?}"),
        }
        Ok(None)
    }

    /// The command begins.
    fn begin(&mut self, lab: &Lab) -> Result<()> {
        let time = self.start.elapsed();
        self.boot = Some(time);
        if let Some(step) = self.step.take() {
            let hint = if lab.tty {
                " (Ctrl-] ends the guest)"
            } else {
                ""
            };
            step.done_with(&format!(
                "{} up after {}{hint}",
                machine(lab),
                seconds(time)
            ));
        }
        if lab.tty {
            self.raw = Some(terminal::Raw::enter()?);
        }
        Ok(())
    }

    fn output(&mut self, bytes: &[u8], lab: &Lab) {
        if lab.stream {
            // A closed pipe ends nothing: the guest's status still counts.
            let _ = stdout().write_all(bytes);
            let _ = stdout().flush();
        }
        match &mut self.raw {
            Some(raw) => raw.watch(bytes),
            None => self.output.extend_from_slice(bytes),
        }
    }

    /// Tells the guest where our terminal changed its size.
    fn follow_size(&mut self) {
        let size = terminal::size();
        if let Some((rows, cols)) = size
            && size != self.size
        {
            self.size = size;
            let _ = writeln!(self.control, "size {rows} {cols}");
        }
    }

    /// Ends QEMU and takes what was still under way.
    fn finish(&mut self, lab: &Lab) {
        stop(&mut self.qemu);
        while let Ok(event) = self.events.recv_timeout(LAST_WORDS) {
            if let Event::Bytes(Port::Command, bytes) = event {
                self.output(&bytes, lab);
            }
        }
        self.raw = None;
        self.step = None;
    }
}

/// How long a guest that reported a stall may go on booting.
fn boot_patience(cpus: u32) -> Duration {
    Duration::from_secs(60 + 4 * u64::from(cpus))
}

/// The guest in words.
fn machine(lab: &Lab) -> String {
    let many = |count: u32, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {what}{plural}")
    };
    format!(
        "{} in {}",
        many(lab.cpus(), "CPU"),
        many(lab.sockets, "LLC")
    )
}

/// Whatever ends the run, QEMU does not outlive it.
impl Drop for Guest {
    fn drop(&mut self) {
        stop(&mut self.qemu);
    }
}

/// Asks QEMU to end, so that it writes its disks, and insists after a while.
fn stop(qemu: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let patience = Duration::from_secs(5);
    let asked = Instant::now();
    if matches!(qemu.try_wait(), Ok(None)) {
        let _ = kill_process(Pid::from_child(qemu), Signal::TERM);
    }
    while matches!(qemu.try_wait(), Ok(None)) {
        if asked.elapsed() > patience {
            let _ = qemu.kill();
            let _ = qemu.wait();
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
