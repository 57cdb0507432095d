//! What a command writes: passed on as it comes, and its end kept.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    process::Child,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

/// How much is kept, in bytes. Benchmarks tell their figures at the end.
const KEPT: usize = 4 << 20;
/// How long it may take until all is read once the command and its group are gone; what is not a
/// member of the group may hold the pipes for ever.
const REST: Duration = Duration::from_secs(1);

/// Where output goes as it comes.
#[derive(Clone, Debug)]
pub enum Pass {
    /// To sisprobe's own standard output and standard error, a progress bar put aside meanwhile.
    Through(indicatif::ProgressBar),
    /// The same, but all to standard error.
    Aside(indicatif::ProgressBar),
    /// Nowhere.
    Nowhere,
}

impl Pass {
    /// A reader that has gone away (`| head`) ends neither the command nor sisprobe.
    fn on(&self, bytes: &[u8], mut to: impl Write) {
        let _ = match self {
            Self::Through(bar) => bar.suspend(|| to.write_all(bytes).and_then(|()| to.flush())),
            Self::Aside(bar) => bar.suspend(|| io::stderr().write_all(bytes)),
            Self::Nowhere => Ok(()),
        };
    }
}

/// The end of what was written to both streams.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) kept: Arc<Mutex<VecDeque<u8>>>,
    /// Says nothing; it is closed when both streams are.
    open: mpsc::Receiver<()>,
}

impl Output {
    /// That of `child`, both streams of which must be pipes.
    pub(super) fn of(child: &mut Child, pass: Pass) -> Self {
        let kept = Arc::default();
        let (closes, open) = mpsc::channel();
        if let Some(stream) = child.stdout.take() {
            follow(stream, &kept, pass.clone(), closes.clone(), io::stdout);
        }
        if let Some(stream) = child.stderr.take() {
            follow(stream, &kept, pass, closes, io::stderr);
        }
        Self { kept, open }
    }

    /// What was kept, once the command is over. What is no UTF-8 is replaced.
    pub(super) fn take(&self) -> String {
        // Either answer will do: nothing is ever sent.
        let _ = self.open.recv_timeout(REST);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }
}

fn follow<W: Write + 'static>(
    mut from: impl Read + Send + 'static,
    kept: &Arc<Mutex<VecDeque<u8>>>,
    pass: Pass,
    closes: mpsc::Sender<()>,
    to: fn() -> W,
) {
    let kept = Arc::clone(kept);
    // Without a thread the command stops at a full pipe; but a system that has none left has
    // ended everything else before.
    thread::spawn(move || {
        let mut bytes = [0; 16 << 10];
        loop {
            let length = match from.read(&mut bytes) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let bytes = &bytes[..length];
            keep(
                &mut kept.lock().unwrap_or_else(PoisonError::into_inner),
                bytes,
            );
            pass.on(bytes, to());
        }
        drop(closes);
    });
}

fn keep(kept: &mut VecDeque<u8>, bytes: &[u8]) {
    kept.extend(bytes);
    let beyond = kept.len().saturating_sub(KEPT);
    kept.drain(..beyond);
}
