//! `/`: the page for people.

use axum::{Router, response::Html, routing::get};

use super::App;

/// The paths of the page and of what it needs.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/", get(|| async { Html(PAGE) }))
}

const PAGE: &str = "<!doctype html>
<html lang=\"en\"><title>sisprobe</title>
<h1>sisprobe</h1>
<ul>
<li><a href=\"metrics\">metrics</a>
<li><a href=\"api/v1/report\">report</a>
<li><a href=\"api/v1/stream\">stream of reports</a>
<li><a href=\"debug/probes\">probes</a>
<li><a href=\"readyz\">ready?</a>
</ul>
";
