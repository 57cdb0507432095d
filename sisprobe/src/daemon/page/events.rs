//! Views as server-sent events.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream;
use tokio::time::sleep;

use super::{Wanted, view::render};
use crate::daemon::{App, stream::STREAMS};

/// The least time between two, however short the interval is: nobody reads faster.
const LEAST: Duration = Duration::from_millis(500);

/// The view that there is, and those that follow. It takes one of the places for streams.
pub(super) async fn events(State(app): State<App>, Query(wanted): Query<Wanted>) -> Response {
    let Ok(place) = Arc::clone(&app.streams()).try_acquire_owned() else {
        let why = format!("there are {STREAMS} streams already\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let source = app.source().clone().unseen();
    let start = (source, app, wanted.group, place, Duration::ZERO);
    let views = stream::unfold(start, |(mut source, app, group, place, pause)| async move {
        sleep(pause).await;
        let snapshot = source.next().await?;
        let json = render(&app, snapshot, group.clone()).await.ok()?;
        let event = Event::default().data(json);
        Some((
            Ok::<_, Infallible>(event),
            (source, app, group, place, LEAST),
        ))
    });
    Sse::new(views)
        .keep_alive(KeepAlive::default())
        .into_response()
}
