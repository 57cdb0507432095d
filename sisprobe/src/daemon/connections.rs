//! Which connections are open, and which one goes where there are too many.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

/// The connections that are open, a bounded number.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    by_age: BTreeMap<u64, Arc<Connection>>,
}

/// One connection.
#[derive(Default)]
pub(super) struct Connection {
    /// Requests that are being answered: 0 or 1, since they go one after the other.
    answering: AtomicUsize,
    /// Whether a request has ever come.
    asked: AtomicBool,
    give_way: Notify,
}

/// A place among the open connections, given back when dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    connection: Arc<Connection>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            open: Mutex::default(),
        })
    }

    /// A place for one more; where there is none, that of one that is not being answered: one that
    /// has never asked anything goes first, then the oldest. None where all are being answered.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.by_age.len() >= self.most {
            let idle = (open.by_age.iter())
                .filter(|(_, one)| one.answering.load(Ordering::Acquire) == 0)
                .min_by_key(|(number, one)| (one.asked.load(Ordering::Relaxed), **number));
            let (&number, idle) = idle?;
            idle.give_way.notify_one();
            open.by_age.remove(&number);
        }
        let number = open.next;
        open.next += 1;
        let connection = Arc::new(Connection::default());
        open.by_age.insert(number, Arc::clone(&connection));
        Some(Place {
            connections: Arc::clone(self),
            number,
            connection,
        })
    }
}

impl Place {
    /// Waits until another one needs the place.
    pub(super) async fn give_way(&self) {
        self.connection.give_way.notified().await;
    }

    /// The connection whose place it is.
    pub(super) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let open = self.connections.open.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        open.by_age.remove(&self.number);
    }
}

impl Connection {
    /// A request has come; it is being answered until what this returns is dropped.
    pub(super) fn answer(self: Arc<Self>) -> Answering {
        self.asked.store(true, Ordering::Relaxed);
        self.answering.fetch_add(1, Ordering::AcqRel);
        Answering(self)
    }
}

/// A request that is being answered.
pub(super) struct Answering(Arc<Connection>);

impl Answering {
    /// The same body; the request is being answered until it is over.
    pub(super) fn with(self, body: Body) -> Body {
        Body::new(Held {
            body,
            _answering: self,
        })
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Held {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the place has to be given up.
    async fn must_go(place: &Place) -> bool {
        tokio::select! {
            biased;
            () = place.give_way() => true,
            () = async {} => false,
        }
    }

    #[tokio::test]
    async fn silent_connections_give_way_before_those_that_asked() {
        let connections = Connections::new(3);
        let [asked, silent, newer] = [(); 3].map(|()| connections.enter().unwrap());
        drop(asked.connection().answer());
        let fourth = connections.enter().unwrap();
        assert!(must_go(&silent).await && !must_go(&asked).await && !must_go(&newer).await);
        drop(silent);
        // It is full still: the place went to the fourth.
        let fifth = connections.enter().unwrap();
        assert!(must_go(&newer).await);
        for place in [&fourth, &fifth] {
            drop(place.connection().answer());
        }
        drop(newer);
        let _sixth = connections.enter().unwrap();
        assert!(must_go(&asked).await, "the oldest of those that asked");
    }

    #[tokio::test]
    async fn who_is_being_answered_stays() {
        let connections = Connections::new(1);
        let place = connections.enter().unwrap();
        let body = place.connection().answer().with(Body::from("text"));
        assert!(connections.enter().is_none());
        assert!(!must_go(&place).await);
        drop(body);
        assert!(connections.enter().is_some());
        assert!(must_go(&place).await);
    }

    #[test]
    fn places_are_given_back() {
        let connections = Connections::new(2);
        for _ in 0..5 {
            let _place = connections.enter().unwrap();
        }
        assert!(connections.open.lock().unwrap().by_age.is_empty());
    }
}
