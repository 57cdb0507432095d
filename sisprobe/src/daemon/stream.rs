//! `/api/v1/stream`: each snapshot's report as a server-sent event.

use std::{convert::Infallible, str::from_utf8, sync::Arc};

use axum::{
    extract::State,
    http::StatusCode,
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream;

use super::App;

/// How many streams there may be at once.
pub(super) const STREAMS: usize = 32;

/// The report that there is, and each one that follows; a client that does not keep up misses
/// those in between. Ends with the measurement.
pub(super) async fn stream(State(app): State<App>) -> Response {
    let Ok(place) = Arc::clone(&app.streams()).try_acquire_owned() else {
        let why = format!("there are {STREAMS} streams already\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let source = app.source().clone().unseen();
    // The place is given back when the client goes away and this is dropped.
    let reports = stream::unfold((source, place), |(mut source, place)| async move {
        let json = source.next().await?.json().await.ok()?;
        let text = from_utf8(&json).ok()?.trim_end();
        let event = Event::default().data(text);
        Some((Ok::<_, Infallible>(event), (source, place)))
    });
    Sse::new(reports)
        .keep_alive(KeepAlive::default())
        .into_response()
}
