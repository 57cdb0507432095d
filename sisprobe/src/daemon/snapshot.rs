//! One observation, and its forms, each made once for everybody who asks.

use std::{sync::Arc, time::Instant};

use axum::body::Bytes;
use thiserror::Error;
use tokio::{
    sync::OnceCell,
    task::{JoinError, spawn_blocking},
};

use super::{App, encoding::gzip};
use crate::{report::Observation, sink::json};

/// One observation, shared by all that ask before the next.
pub struct Snapshot {
    observation: Observation,
    made: Instant,
    metrics: OnceCell<Bytes>,
    metrics_gzip: OnceCell<Bytes>,
    json: OnceCell<Bytes>,
}

/// Why a form could not be made.
#[derive(Debug, Error)]
pub(super) enum RenderError {
    #[error("tried to write the metrics as text: {0}")]
    Metrics(#[from] prometheus::Error),
    #[error("tried to write the report: {0}")]
    Json(#[from] std::io::Error),
    #[error("the thread that wrote it has ended: {0}")]
    Thread(#[from] JoinError),
}

impl Snapshot {
    /// Of now.
    pub(super) fn new(observation: Observation) -> Self {
        Self {
            observation,
            made: Instant::now(),
            metrics: OnceCell::new(),
            metrics_gzip: OnceCell::new(),
            json: OnceCell::new(),
        }
    }

    /// What was observed.
    pub const fn observation(&self) -> &Observation {
        &self.observation
    }

    /// When.
    pub(super) const fn made(&self) -> Instant {
        self.made
    }

    /// The metrics as text, with those that `app` keeps as they are at the first call.
    pub(super) async fn metrics(self: &Arc<Self>, app: &App) -> Result<Bytes, RenderError> {
        let make = async || {
            let (snapshot, app) = (Arc::clone(self), app.clone());
            let text = spawn_blocking(move || app.text(&snapshot)).await??;
            Ok(Bytes::from(text))
        };
        self.metrics.get_or_try_init(make).await.cloned()
    }

    /// The same, compressed.
    pub(super) async fn metrics_gzip(self: &Arc<Self>, app: &App) -> Result<Bytes, RenderError> {
        let make = async || {
            let text = self.metrics(app).await?;
            Ok(spawn_blocking(move || gzip(&text)).await??.into())
        };
        self.metrics_gzip.get_or_try_init(make).await.cloned()
    }

    /// The report as one JSON document on one line.
    pub(super) async fn json(self: &Arc<Self>) -> Result<Bytes, RenderError> {
        let make = async || {
            let snapshot = Arc::clone(self);
            let line = spawn_blocking(move || {
                let mut line = Vec::new();
                json::write_line(&mut line, &snapshot.observation.report).map(|()| line)
            });
            Ok(line.await??.into())
        };
        self.json.get_or_try_init(make).await.cloned()
    }
}
