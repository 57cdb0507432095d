//! The accept loop, and one connection from its beginning to its end.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{Request, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    App, Source,
    connections::{Connections, Place},
    stall::Impatient,
};

/// Connections at once.
const CONNECTIONS: usize = 256;
/// How long a client may take for the head of a request, the time before it included. Between
/// the usual scrape intervals, so that no connection ends just as it is used again.
const HEAD: Duration = Duration::from_secs(12);
/// The greatest head of a request, in bytes.
const HEAD_SIZE: usize = 32 * 1024;
/// How long a client may leave what was sent to it unread.
const UNREAD: Duration = Duration::from_secs(10);
/// How long answers under way may take when the daemon ends.
const LAST_ANSWERS: Duration = Duration::from_millis(300);
/// How long to wait where there are no descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// Listens, and serves until its source ends.
pub struct Server {
    listener: TcpListener,
    router: Router,
    source: Source,
    connections: Arc<Connections>,
}

/// The server has ended: its source did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

impl Server {
    /// Takes over a listener, which must not block.
    ///
    /// # Errors
    ///
    /// It cannot be watched.
    pub fn new(listener: std::net::TcpListener, app: App) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::from_std(listener)?,
            source: app.source().clone(),
            router: app.router(),
            connections: Connections::new(CONNECTIONS),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// The kernel does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the source ends; then answers under way have a moment to be finished.
    pub async fn run(self) -> Ended {
        let mut open = JoinSet::new();
        let ended = self.source.clone().ended();
        tokio::pin!(ended);
        loop {
            let accepted = tokio::select! {
                () = &mut ended => break,
                accepted = self.listener.accept() => accepted,
                Some(_) = open.join_next() => continue,
            };
            match accepted {
                // Where everybody is being answered a newcomer is hung up on.
                Ok((stream, client)) => {
                    if let Some(place) = self.connections.enter() {
                        let one = One {
                            router: self.router.clone(),
                            source: self.source.clone(),
                            place,
                        };
                        open.spawn(one.serve(stream, client));
                    } else {
                        tracing::warn!(%client, "all {CONNECTIONS} connections are in use");
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "tried to accept a connection");
                    sleep(PAUSE).await;
                }
            }
        }
        let all = async { while open.join_next().await.is_some() {} };
        if timeout(LAST_ANSWERS, all).await.is_err() {
            tracing::info!("some clients were not waited for");
        }
        Ended
    }
}

/// What one connection needs.
struct One {
    router: Router,
    source: Source,
    place: Place,
}

impl One {
    async fn serve(self, stream: TcpStream, client: SocketAddr) {
        // A failure only means that answers wait to be sent together.
        let _ = stream.set_nodelay(true);
        let stream = Impatient::new(stream, UNREAD);
        if let Err(error) = self.answer(stream).await {
            tracing::debug!(%client, %error, "a connection ended");
        }
    }

    async fn answer<S>(self, stream: S) -> hyper::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let router = TowerToHyperService::new(self.router);
        let connection = self.place.connection();
        let service = service_fn(move |request: Request<Incoming>| {
            let (answering, router) = (Arc::clone(&connection).answer(), router.clone());
            async move {
                let response: Response<Body> =
                    hyper::service::Service::call(&router, request).await?;
                Ok::<_, std::convert::Infallible>(response.map(|body| answering.with(body)))
            }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_SIZE)
            .serve_connection(TokioIo::new(stream), service);
        tokio::pin!(serving);
        tokio::select! {
            served = &mut serving => return served,
            () = self.place.give_way() => return Ok(()),
            () = self.source.ended() => {}
        }
        serving.as_mut().graceful_shutdown();
        serving.await
    }
}
