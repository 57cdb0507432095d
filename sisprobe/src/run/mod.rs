//! A command and its processes, from start to end, whatever ends it.
//!
//! The command is the leader of a process group of its own. Once it has ended, what it left in
//! the group is killed; so it is where sisprobe itself is killed, by [`Keeper`].

mod keeper;
mod output;
#[cfg(test)]
mod tests;

use std::{
    ffi::OsString,
    io,
    os::{
        fd::AsRawFd as _,
        unix::process::{CommandExt as _, ExitStatusExt as _},
    },
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;

use self::output::Output;
pub use self::{keeper::Keeper, output::Pass};
use crate::capture::Exit;

/// How long a command that was asked to end may take for it.
const GRACE: Duration = Duration::from_secs(5);

/// Why a command did not run.
#[derive(Debug, Error)]
pub enum RunError {
    /// It could not be started.
    #[error("tried to start {program}; the answer was: {error}")]
    Start {
        /// What was to be started.
        program: String,
        /// What the system said.
        error: io::Error,
    },
    /// What is needed around it could not be made.
    #[error("tried to {what}; the answer was: {error}")]
    Around {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

impl RunError {
    /// The status that a shell would tell of it: 127 where there is no such program, 126 where it
    /// cannot be run.
    pub fn code(&self) -> u8 {
        match self {
            Self::Start { error, .. } if error.kind() == io::ErrorKind::NotFound => 127,
            Self::Start { .. } => 126,
            Self::Around { .. } => 1,
        }
    }
}

/// A command under way.
#[derive(Debug)]
pub struct Running<'a> {
    child: Child,
    /// The process group.
    group: i32,
    keeper: &'a mut Keeper,
    began: Instant,
    ended: Receiver<Instant>,
    output: Output,
    /// When the group is to be killed.
    deadline: Option<Instant>,
    over: Option<Instant>,
}

/// How a command went.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub exit: Exit,
    /// From its start to its end.
    pub wall_time: Duration,
    /// What it wrote last, to standard output and standard error; see [`Pass`].
    pub output: String,
}

impl<'a> Running<'a> {
    /// Starts `command`, of which `pass` gets what it writes. It reads what sisprobe would read,
    /// but nothing where that is a terminal. `wake` is called when it has ended.
    ///
    /// # Errors
    ///
    /// It cannot be started. Nothing of it is left then.
    pub fn start(
        command: &[OsString],
        keeper: &'a mut Keeper,
        pass: Pass,
        wake: impl FnOnce() + Send + 'static,
    ) -> Result<Self, RunError> {
        let (program, arguments) = command.split_first().ok_or_else(|| RunError::Start {
            program: "a command".into(),
            error: io::Error::new(io::ErrorKind::InvalidInput, "it is empty"),
        })?;
        let stdin = if io::IsTerminal::is_terminal(&io::stdin()) {
            Stdio::null()
        } else {
            Stdio::inherit()
        };
        let told = keeper.told().as_raw_fd();
        let mut process = Command::new(program);
        process
            .args(arguments)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // SAFETY: between fork and exec only async-signal-safe calls are made, getpid and write.
        unsafe {
            process.pre_exec(move || keeper::tell_own_group(told));
        }
        let began = Instant::now();
        let mut child = process.spawn().map_err(|error| {
            keeper.forget();
            RunError::Start {
                program: program.display().to_string(),
                error,
            }
        })?;
        let group = child.id().cast_signed();
        let output = Output::of(&mut child, pass);
        let (tell, ended) = mpsc::channel();
        let waiting = thread::Builder::new()
            .name("command".into())
            .spawn(move || {
                wait_without_reaping(group);
                // The other end is gone only where nobody waits any more.
                let _ = tell.send(Instant::now());
                wake();
            });
        let running = Self {
            child,
            group,
            keeper,
            began,
            ended,
            output,
            deadline: None,
            over: None,
        };
        waiting.map_err(|error| RunError::Around {
            what: "start a thread",
            error,
        })?;
        Ok(running)
    }

    /// The process group, to which signals are to be forwarded.
    pub const fn group(&self) -> i32 {
        self.group
    }

    /// Whether the command has ended.
    pub fn is_over(&mut self) -> bool {
        if self.over.is_none() {
            self.over = self.ended.try_recv().ok();
        }
        self.over.is_some()
    }

    /// Gives the command, which was asked to end, some seconds for it.
    pub fn end_soon(&mut self) {
        self.deadline.get_or_insert(Instant::now() + GRACE);
    }

    /// Kills the group where the time given by [`Running::end_soon`] is over.
    pub fn end_if_late(&mut self) {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            kill_group(self.group);
        }
    }

    /// Waits for the command's end, and ends what is left of its group.
    ///
    /// # Errors
    ///
    /// The system does not tell how it ended.
    pub fn finish(mut self) -> Result<Ended, RunError> {
        let failed = |error| RunError::Around {
            what: "wait for the command",
            error,
        };
        let over = loop {
            if let Some(over) = self.over {
                break over;
            }
            self.end_if_late();
            match self.ended.recv_timeout(GRACE) {
                Ok(over) => self.over = Some(over),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.over = Some(Instant::now()),
            }
        };
        // It is not reaped yet, so its number is still the group's.
        kill_group(self.group);
        let status = self.child.wait().map_err(failed)?;
        self.keeper.forget();
        let exit = match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(code),
            (None, signal) => Exit::Signal(signal.unwrap_or(0)),
        };
        Ok(Ended {
            exit,
            wall_time: over.duration_since(self.began),
            output: self.output.take(),
        })
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Reaped by `finish`, its number may be another's; `try_wait` answers from memory then.
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            kill_group(self.group);
            // Nothing more can be done for a process that cannot be waited for.
            let _ = self.child.wait();
            self.keeper.forget();
        }
    }
}

/// Waits for the end of `process`, a child, which stays a zombie: so its number cannot become
/// another's.
fn wait_without_reaping(process: i32) {
    loop {
        // SAFETY: all zero is a valid siginfo_t, and waitid writes to it.
        let answer = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(
                libc::P_PID,
                process.cast_unsigned(),
                &raw mut info,
                libc::WEXITED | libc::WNOWAIT,
            )
        };
        if answer == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

fn kill_group(group: i32) {
    signal_group(group, libc::SIGKILL);
}

/// Sends `signal` to a process group; one that is no more has nothing to be told.
pub fn signal_group(group: i32, signal: i32) {
    // SAFETY: no memory is touched.
    unsafe {
        libc::kill(-group, signal);
    }
}
