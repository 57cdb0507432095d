//! What the handlers of requests share, and which paths there are.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use prometheus::{Histogram, HistogramOpts, Registry, process_collector::ProcessCollector};
use tokio::sync::Semaphore;

use super::{
    Snapshot, Source, debug, metrics, page,
    snapshot::RenderError,
    source::NotReady,
    stream::{self, STREAMS},
};
use crate::{
    policy::Policy,
    report::metrics::{REQUEST_BOUNDS, SCRAPE_DURATION},
    sink,
};

/// What is served, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What `/metrics` shows.
    pub metrics: sink::prometheus::Options,
}

/// What the handlers of requests share. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    source: Source,
    options: Options,
    /// The process, and [`SCRAPE_DURATION`].
    own: Registry,
    scrapes: Histogram,
    streams: Arc<Semaphore>,
}

impl App {
    /// Serves what `source` publishes.
    ///
    /// # Errors
    ///
    /// Two metrics of one name: a fault of the build.
    pub fn new(source: Source, options: Options) -> Result<Self, prometheus::Error> {
        let own = Registry::new();
        own.register(Box::new(ProcessCollector::for_self()))?;
        let (name, help) = (SCRAPE_DURATION.name, SCRAPE_DURATION.help);
        let scrapes = HistogramOpts::new(name, help).buckets(REQUEST_BOUNDS.to_vec());
        let scrapes = Histogram::with_opts(scrapes)?;
        own.register(Box::new(scrapes.clone()))?;
        Ok(Self(Arc::new(Shared {
            source,
            options,
            own,
            scrapes,
            streams: Arc::new(Semaphore::new(STREAMS)),
        })))
    }

    /// Every path.
    pub fn router(self) -> Router {
        Router::new()
            .route("/metrics", get(metrics::metrics))
            .route("/healthz", get(|| async { "alive\n" }))
            .route("/readyz", get(ready))
            .route("/api/v1/report", get(report))
            .route("/api/v1/stream", get(stream::stream))
            .route("/debug/probes", get(debug::probes))
            .merge(page::routes())
            .with_state(self)
    }

    /// The policies told besides the active one.
    pub(super) fn policies(&self) -> &[Policy] {
        &self.0.options.metrics.policies
    }

    /// Where snapshots come from.
    pub(super) fn source(&self) -> &Source {
        &self.0.source
    }

    /// The places for streams.
    pub(super) fn streams(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.streams)
    }

    /// Notes that a scrape took this long.
    pub(super) fn scraped(&self, took: Duration) {
        self.0.scrapes.observe(took.as_secs_f64());
    }

    /// Every metric as text.
    pub(super) fn text(&self, snapshot: &Snapshot) -> Result<String, prometheus::Error> {
        let mut families =
            sink::prometheus::families(snapshot.observation(), &self.0.options.metrics);
        families.extend(self.0.own.gather());
        sink::prometheus::text(families)
    }
}

async fn ready(State(app): State<App>) -> Result<&'static str, NotReady> {
    app.source().ready().map(|()| "ready\n")
}

/// The same document as `sisprobe --json` prints.
async fn report(State(app): State<App>) -> Result<Response, Refused> {
    let json = app.source().last()?.json().await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

impl IntoResponse for NotReady {
    fn into_response(self) -> Response {
        (StatusCode::SERVICE_UNAVAILABLE, format!("{self}\n")).into_response()
    }
}

/// Why there is no answer.
pub(super) enum Refused {
    NotReady(NotReady),
    Render(RenderError),
}

impl From<NotReady> for Refused {
    fn from(why: NotReady) -> Self {
        Self::NotReady(why)
    }
}

impl From<RenderError> for Refused {
    fn from(why: RenderError) -> Self {
        Self::Render(why)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::NotReady(why) => why.into_response(),
            Self::Render(why) => {
                tracing::error!(%why, "a request could not be answered");
                (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response()
            }
        }
    }
}
