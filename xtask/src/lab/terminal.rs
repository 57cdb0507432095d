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
pub(super) struct Raw {
    before: Termios,
    other_screen: bool,
}

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
        Ok(Self {
            before,
            other_screen: false,
        })
    }
}

impl Raw {
    /// Notes what the guest's output does to the terminal.
    pub(super) fn watch(&mut self, bytes: &[u8]) {
        let last = |words: &[u8]| bytes.windows(words.len()).rposition(|place| place == words);
        let (enter, leave) = (last(b"\x1b[?1049h"), last(b"\x1b[?1049l"));
        if enter.is_some() || leave.is_some() {
            self.other_screen = enter > leave;
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(stdin(), OptionalActions::Drain, &self.before);
        // A guest that was cut short may have left attributes, a hidden cursor, the other screen.
        let screen: &[u8] = if self.other_screen {
            b"\x1b[?1049l"
        } else {
            b""
        };
        let words = [b"\x1b[0m\x1b[?25h\r", screen].concat();
        let _ = stdout().write_all(&words).and_then(|()| stdout().flush());
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
