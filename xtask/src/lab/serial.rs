//! The host's ends of the guest's three serial ports.

use std::io::{ErrorKind, Read as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::Sender;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// Where something came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Port {
    /// The kernel's console.
    Console,
    /// The command's output.
    Command,
    /// The first process's words for the lab.
    Control,
}

impl Port {
    /// In the order of ttyS0, ttyS1, ttyS2.
    pub(super) const ALL: [Self; 3] = [Self::Console, Self::Command, Self::Control];
}

/// Something came, or nothing more will.
pub(super) enum Event {
    Bytes(Port, Vec<u8>),
    Closed,
}

/// Waits for QEMU to call, which it does before anything else.
pub(super) fn accept(listener: &UnixListener, qemu: &mut Child) -> Result<UnixStream> {
    let patience = Duration::from_secs(30);
    let start = Instant::now();
    listener.set_nonblocking(true).context("prepare a socket")?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).context("prepare a socket")?;
                return Ok(stream);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error).context("wait for QEMU to connect"),
        }
        if let Some(status) = qemu.try_wait().context("wait for QEMU")? {
            bail!("QEMU ended before the guest began: {status}");
        }
        if start.elapsed() > patience {
            bail!("QEMU does not connect within {} s", patience.as_secs());
        }
        sleep(Duration::from_millis(5));
    }
}

/// Listens on a socket of this path.
pub(super) fn listen(path: &Path) -> Result<UnixListener> {
    UnixListener::bind(path).with_context(|| format!("listen on {}", path.display()))
}

/// Reads a port on a thread of its own until it closes.
pub(super) fn read(port: Port, mut stream: UnixStream, events: Sender<Event>) {
    thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        loop {
            match stream.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) => {
                    if events
                        .send(Event::Bytes(port, buffer[..count].to_vec()))
                        .is_err()
                    {
                        return;
                    }
                }
            }
        }
        // Nobody listens where the run is over.
        let _ = events.send(Event::Closed);
    });
}
