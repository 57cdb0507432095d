//! The accept loop, and one connection from its beginning to its end.

use std::{convert::Infallible, error::Error, io, net::SocketAddr, sync::Arc, time::Duration};

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
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::{
    App, Source,
    connections::{Connections, Place},
    stall::Impatient,
    web::{WebConfig, guarded},
};

/// Connections at once.
const CONNECTIONS: usize = 256;
/// How long a client may take for the head of a request, the time before it included. Between
/// the usual scrape intervals, so that no connection ends just as it is used again.
const HEAD: Duration = Duration::from_secs(12);
/// How long the TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
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
    tls: Option<TlsAcceptor>,
}

/// The server has ended: its source did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

impl Server {
    /// Takes over a listener, which must not block, and serves those that `web` lets in.
    ///
    /// # Errors
    ///
    /// It cannot be watched.
    pub fn new(listener: std::net::TcpListener, app: App, web: WebConfig) -> io::Result<Self> {
        let source = app.source().clone();
        let router = match web.users {
            Some(users) => guarded(app.router(), users),
            None => app.router(),
        };
        Ok(Self {
            listener: TcpListener::from_std(listener)?,
            router,
            source,
            connections: Connections::new(CONNECTIONS),
            tls: web.tls.map(TlsAcceptor::from),
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
                        open.spawn(one.serve(stream, client, self.tls.clone()));
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
    async fn serve(self, stream: TcpStream, client: SocketAddr, tls: Option<TlsAcceptor>) {
        // A failure only means that answers wait to be sent together.
        let _ = stream.set_nodelay(true);
        let stream = Impatient::new(stream, UNREAD);
        let answered = match tls {
            None => self.answer(stream).await,
            Some(tls) => match self.shake_hands(&tls, stream).await {
                Some(Ok(stream)) => self.answer(stream).await,
                Some(Err(error)) => Err(error.into()),
                None => Ok(()),
            },
        };
        if let Err(error) = answered {
            tracing::debug!(%client, %error, "a connection ended");
        }
    }

    /// None where the connection has to end before.
    async fn shake_hands(
        &self,
        tls: &TlsAcceptor,
        stream: Impatient<TcpStream>,
    ) -> Option<io::Result<TlsStream<Impatient<TcpStream>>>> {
        tokio::select! {
            shaken = timeout(HANDSHAKE, tls.accept(stream)) => {
                Some(shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())))
            }
            () = self.place.give_way() => None,
            () = self.source.clone().ended() => None,
        }
    }

    async fn answer<S>(self, stream: S) -> Result<(), Box<dyn Error + Send + Sync>>
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
                Ok::<_, Infallible>(response.map(|body| answering.with(body)))
            }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_SIZE)
            .serve_connection(TokioIo::new(stream), service);
        tokio::pin!(serving);
        tokio::select! {
            served = &mut serving => return Ok(served?),
            () = self.place.give_way() => return Ok(()),
            () = self.source.ended() => {}
        }
        serving.as_mut().graceful_shutdown();
        Ok(serving.await?)
    }
}
