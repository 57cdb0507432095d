//! The daemon's log.

use std::io;

use tracing::Level;

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Writes what is logged to standard error from now on.
pub(super) fn start(format: LogFormat, least: Level) {
    let log = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(least)
        .with_target(false);
    match format {
        LogFormat::Text => log.with_ansi(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
