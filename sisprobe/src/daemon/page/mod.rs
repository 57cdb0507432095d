//! `/`: the page for people, and what it needs.
//!
//! The page computes nothing: it shows a [`View`](crate::sink::page::View), which it is sent each
//! interval, and charts, which are drawn here by the code that draws those of files.

mod assets;
mod charts;
mod events;
#[cfg(test)]
mod tests;
mod view;

use axum::{Router, routing::get};
use serde::Deserialize;

use super::App;

/// The paths of the page and of what it needs.
pub(super) fn routes() -> Router<App> {
    assets::routes()
        .route("/page/view", get(view::view))
        .route("/page/events", get(events::events))
        .route("/chart/depth.svg", get(charts::depth))
        .route("/chart/heatmap.svg", get(charts::heatmap))
}

/// Which group is asked for.
#[derive(Debug, Deserialize)]
struct Wanted {
    /// Its name; without it the first that counted something.
    group: Option<String>,
}
