//! `/debug/probes`: what is attached, and how it fares.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use serde_json::json;

use super::{App, app::Refused};

/// The plan (all of it is attached), what was missed, which probes a switch of the kernel has disarmed,
/// and what the programs cost (null without `--bpf-stats`).
pub(super) async fn probes(State(app): State<App>) -> Result<Response, Refused> {
    let snapshot = app.source().last()?;
    let observation = snapshot.observation();
    let report = &observation.report;
    let answer = json!({
        "plan": &*observation.plan,
        "warnings": report.source.warnings,
        "health": report.health,
        "disarmed": observation.disarmed,
        "runs": observation.runs,
        "possible_cpus": observation.possible_cpus,
        "snapshot_seconds": observation.took.as_secs_f64(),
    });
    let text = format!("{answer:#}\n");
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}
