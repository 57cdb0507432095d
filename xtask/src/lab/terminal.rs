//! Lends our terminal to the guest.

use std::io::{IsTerminal as _, Read as _, Write as _, stdin, stdout};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result, ensure};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// Ends the guest: Ctrl-].
const ESCAPE: u8 = 0x1d;

/// The terminal in raw mode, as it was before once this is dropped.
pub(super) struct Raw(Termios);

impl Raw {
    /// Takes the terminal.
    pub(super) fn enter() -> Result<Self> {
        ensure!(
            stdin().is_terminal() && stdout().is_terminal(),
            "no terminal here: give a command, `cargo xtask lab -- COMMAND`"
        );
        let before = tcgetattr(stdin()).context("read the terminal's mode")?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Flush, &raw).context("set the terminal's mode")?;
        Ok(Self(before))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(stdin(), OptionalActions::Drain, &self.0);
        // What the guest drew may have left attributes, the other screen or a hidden cursor.
        let _ = stdout().write_all(b"\x1b[0m\x1b[?1049l\x1b[?25h\r");
        let _ = stdout().flush();
    }
}

/// Rows and columns of our terminal.
pub(super) fn size() -> Option<(u16, u16)> {
    let size = tcgetwinsize(stdout()).ok()?;
    (size.ws_row > 0 && size.ws_col > 0).then_some((size.ws_row, size.ws_col))
}

/// Hands what is typed to the guest, on a thread that ends with the process.
pub(super) fn forward(mut guest: UnixStream, end: Arc<AtomicBool>) {
    thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(count) = stdin().read(&mut buffer) {
            let typed = &buffer[..count];
            if typed.contains(&ESCAPE) {
                end.store(true, Ordering::Relaxed);
            }
            if count == 0 || guest.write_all(typed).is_err() {
                break;
            }
        }
    });
}
