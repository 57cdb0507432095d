//! Ends a command's process group where sisprobe is killed and cannot do it itself.

use std::{
    io::{self, Write as _},
    os::{fd::RawFd, unix::process::CommandExt as _},
    process::{Child, ChildStdin, Command, Stdio},
};

use super::RunError;

/// Reads process groups, one a line; an empty line means that there is none to be ended. At the
/// end of input, which comes when sisprobe is no more, it ends the last. (Some shells want `--`
/// before a group, others know no `--`.)
const SCRIPT: &str = "\
trap '' HUP INT QUIT TERM
group=
while read -r line; do group=$line; done
[ -z \"$group\" ] || kill -s KILL -- \"-$group\" 2>/dev/null || kill -s KILL \"-$group\"";

/// A shell that outlives sisprobe for a moment.
#[derive(Debug)]
pub struct Keeper {
    shell: Child,
    /// None once it is to end.
    pub(super) pipe: Option<ChildStdin>,
}

impl Keeper {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// There is no shell.
    pub fn start() -> Result<Self, RunError> {
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Out of reach of what a terminal or a user sends to sisprobe's group.
            .process_group(0);
        let mut shell = shell.spawn().map_err(|error| RunError::Around {
            what: "start /bin/sh, which ends the command if sisprobe is killed",
            error,
        })?;
        let pipe = shell.stdin.take();
        Ok(Self { shell, pipe })
    }

    /// Where a group is told.
    ///
    /// # Panics
    ///
    /// Never: the pipe is there until the keeper is dropped.
    pub(super) const fn told(&self) -> &ChildStdin {
        self.pipe.as_ref().expect("a keeper has its pipe")
    }

    /// The group that was told last is no more.
    pub(super) fn forget(&mut self) {
        if let Some(pipe) = &mut self.pipe {
            // A keeper that is gone keeps nothing.
            let _ = pipe.write_all(b"\n");
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.pipe = None;
        // It has nothing to do but to end.
        let _ = self.shell.wait();
    }
}

/// Tells the keeper behind `pipe` the process group of the caller, its leader. For use between
/// fork and exec: no allocation, no lock.
pub(super) fn tell_own_group(pipe: RawFd) -> io::Result<()> {
    // SAFETY: no memory is touched.
    let mut number = unsafe { libc::getpid() }.cast_unsigned();
    let mut line = *b"           \n";
    let mut at = line.len() - 1;
    while number > 0 {
        at -= 1;
        line[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    let line = &line[at..];
    // SAFETY: `line` is that many bytes.
    let written = unsafe { libc::write(pipe, line.as_ptr().cast(), line.len()) };
    // A line of this length is written whole or not at all (pipe(7), PIPE_BUF).
    if written < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
