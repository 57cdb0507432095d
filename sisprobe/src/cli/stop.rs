//! SIGINT and SIGTERM end a measurement in order: a last snapshot, a summary, probes detached.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2},
    iterator::Signals,
};

use crate::run::signal_group;

/// No process group, no signal.
const NONE: i32 = 0;

/// Whether a signal asked to stop.
#[derive(Clone)]
pub(super) struct Stop(Arc<State>);

struct State {
    asked: AtomicBool,
    /// The one that asked first.
    signal: AtomicI32,
    /// The process group that gets the signals too.
    group: AtomicI32,
}

impl Stop {
    /// Watches for signals from now on, on behalf of the calling thread.
    pub(super) fn watch() -> io::Result<Self> {
        Self::watch_for(&[SIGHUP, SIGINT, SIGTERM])
    }

    /// As [`Stop::watch`], where a command is run that all signals are forwarded to.
    pub(super) fn watch_for_command() -> io::Result<Self> {
        Self::watch_for(&[SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2])
    }

    fn watch_for(signals: &[i32]) -> io::Result<Self> {
        let mut signals = Signals::new(signals)?;
        let waiter = thread::current();
        let stop = Self::unwatched();
        let watched = stop.clone();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for signal in signals.forever() {
                    watched.take(signal);
                    waiter.unpark();
                }
            })?;
        Ok(stop)
    }

    /// One that no signal sets.
    pub(super) fn unwatched() -> Self {
        Self(Arc::new(State {
            asked: AtomicBool::new(false),
            signal: AtomicI32::new(NONE),
            group: AtomicI32::new(NONE),
        }))
    }

    fn take(&self, signal: i32) {
        let state = &self.0;
        if !matches!(signal, SIGUSR1 | SIGUSR2) {
            // Only the first is kept.
            let order = Ordering::SeqCst;
            let _ = state.signal.compare_exchange(NONE, signal, order, order);
            state.asked.store(true, Ordering::SeqCst);
        }
        let group = state.group.load(Ordering::SeqCst);
        if group != NONE {
            signal_group(group, signal);
        }
    }

    /// Forwards signals to a process group from now on, and the one that came before.
    pub(super) fn forward_to(&self, group: i32) {
        self.0.group.store(group, Ordering::SeqCst);
        if let Some(signal) = self.signal() {
            signal_group(group, signal);
        }
    }

    /// Forwards no more.
    pub(super) fn forward_no_more(&self) {
        self.0.group.store(NONE, Ordering::SeqCst);
    }

    /// The flag itself.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0.asked
    }

    /// Whether a signal came.
    pub(super) fn asked(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }

    /// The signal that asked to stop.
    pub(super) fn signal(&self) -> Option<i32> {
        let signal = self.0.signal.load(Ordering::SeqCst);
        (signal != NONE).then_some(signal)
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
