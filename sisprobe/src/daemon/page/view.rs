//! What the page shows, as JSON.

use std::sync::Arc;

use axum::{
    extract::{Query, State},
    http::header,
    response::{IntoResponse as _, Response},
};
use tokio::task::spawn_blocking;

use super::Wanted;
use crate::{
    daemon::{App, Snapshot, app::Refused, snapshot::RenderError},
    sink::page::{self, Past},
};

/// Of the last snapshot.
pub(super) async fn view(
    State(app): State<App>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refused> {
    let snapshot = app.source().last()?;
    let json = render(&app, snapshot, wanted.group).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, json).into_response())
}

/// On one line.
pub(super) async fn render(
    app: &App,
    snapshot: Arc<Snapshot>,
    group: Option<String>,
) -> Result<String, RenderError> {
    let app = app.clone();
    let json = spawn_blocking(move || {
        let observation = snapshot.observation();
        let group = page::group(&observation.report, group.as_deref());
        let past = {
            let history = app.source().history();
            Past {
                recent: history.recent(),
                group: group.map_or_else(Vec::new, |group| history.columns(&group.name)),
            }
        };
        let mut view = page::view(observation, app.policies(), group, &past);
        view.stale = app.source().ready().err().map(|why| why.to_string());
        serde_json::to_string(&view)
    });
    Ok(json.await?.map_err(std::io::Error::from)?)
}
