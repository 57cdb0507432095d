//! The seam between who measures and who serves.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::{Snapshot, history::History};
use crate::report::Observation;

/// Intervals after which a snapshot that nothing follows is stale, and the least such time.
const STALE: (u32, Duration) = (5, Duration::from_secs(5));

/// A publisher, and where what it publishes is seen. `interval` is the time between two.
pub fn source(interval: Duration) -> (Publisher, Source) {
    let (send, receive) = watch::channel(None);
    let stale = (interval * STALE.0).max(STALE.1);
    let history = Arc::new(Mutex::new(History::default()));
    let publisher = Publisher {
        send,
        history: Arc::clone(&history),
    };
    let source = Source {
        receive,
        stale,
        history,
    };
    (publisher, source)
}

/// Who measures has this. When it is dropped there will be no more.
pub struct Publisher {
    send: watch::Sender<Option<Arc<Snapshot>>>,
    history: Arc<Mutex<History>>,
}

impl Publisher {
    /// Puts this in the place of the last one; false where nobody serves any more.
    pub fn publish(&self, observation: Observation) -> bool {
        let history = self.history.lock();
        (history.unwrap_or_else(PoisonError::into_inner)).push(&observation.report);
        let snapshot = Arc::new(Snapshot::new(observation));
        self.send.send(Some(snapshot)).is_ok()
    }
}

/// The last snapshot, and whether there will be more.
#[derive(Clone)]
pub struct Source {
    receive: watch::Receiver<Option<Arc<Snapshot>>>,
    stale: Duration,
    history: Arc<Mutex<History>>,
}

/// Why the daemon is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotReady {
    #[error("the probes are not attached yet, or nothing has been read")]
    Starting,
    #[error("the measurement has ended")]
    Ended,
    #[error("the figures have not been read for {0} s")]
    Stale(u64),
}

impl Source {
    /// The last snapshot, however old, while there may be more.
    pub(super) fn last(&self) -> Result<Arc<Snapshot>, NotReady> {
        if self.receive.has_changed().is_err() {
            return Err(NotReady::Ended);
        }
        self.receive.borrow().clone().ok_or(NotReady::Starting)
    }

    /// The last minutes. Who measures waits while this is held: copy and let go.
    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether what is served can be relied on.
    pub(super) fn ready(&self) -> Result<(), NotReady> {
        let age = Instant::now().saturating_duration_since(self.last()?.made());
        if age > self.stale {
            return Err(NotReady::Stale(age.as_secs()));
        }
        Ok(())
    }

    /// Another time after which a snapshot is stale.
    #[cfg(test)]
    pub(super) const fn set_stale(&mut self, stale: Duration) {
        self.stale = stale;
    }

    /// Waits for the next snapshot after those that this has waited for; none where there will be
    /// none.
    pub(super) async fn next(&mut self) -> Option<Arc<Snapshot>> {
        loop {
            self.receive.changed().await.ok()?;
            if let Some(snapshot) = self.receive.borrow_and_update().clone() {
                return Some(snapshot);
            }
        }
    }

    /// Takes what is there now for something that has not been waited for.
    pub(super) fn unseen(mut self) -> Self {
        self.receive.mark_changed();
        self
    }

    /// Waits until there will be no more.
    pub(super) async fn ended(mut self) {
        while self.receive.changed().await.is_ok() {}
    }
}
