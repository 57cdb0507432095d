//! SIGINT and SIGTERM end a measurement in order: a last snapshot, a summary, probes detached.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// Whether a signal asked to stop.
#[derive(Clone)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Watches for signals from now on, on behalf of the calling thread.
    pub(super) fn watch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let waiter = thread::current();
        let stop = Self(Arc::clone(&asked));
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for _ in signals.forever() {
                    asked.store(true, Ordering::Release);
                    waiter.unpark();
                }
            })?;
        Ok(stop)
    }

    /// One that no signal sets.
    #[cfg(test)]
    pub(super) fn unwatched() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }

    /// The flag itself.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether a signal came.
    pub(super) fn asked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Waits until `until`, or a signal.
    pub(super) fn wait(&self, until: Instant) {
        while !self.asked() {
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return;
            }
            thread::park_timeout(left);
        }
    }
}
