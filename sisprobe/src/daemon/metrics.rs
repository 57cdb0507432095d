//! `/metrics`.

use std::time::Instant;

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};

use super::{App, app::Refused, encoding::accepts_gzip};

const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The last snapshot's metrics.
pub(super) async fn metrics(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let began = Instant::now();
    let snapshot = app.source().last()?;
    let common = [
        (header::CONTENT_TYPE, TEXT),
        (header::VARY, header::ACCEPT_ENCODING.as_str()),
    ];
    let response = if accepts_gzip(&headers) {
        let body = snapshot.metrics_gzip(&app).await?;
        (common, [(header::CONTENT_ENCODING, "gzip")], body).into_response()
    } else {
        (common, snapshot.metrics(&app).await?).into_response()
    };
    app.scraped(began.elapsed());
    Ok(response)
}
