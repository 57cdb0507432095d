//! The daemon's HTTP side: what was last observed, to whoever asks.
//!
//! One thread measures and publishes a [`Snapshot`] each interval; requests are answered from the
//! last one and never touch the kernel. See [`source()`] for the seam between the two.

mod app;
mod connections;
mod debug;
mod encoding;
mod history;
mod metrics;
mod page;
mod server;
mod snapshot;
mod source;
mod stall;
mod stream;
#[cfg(test)]
mod tests;
mod web;

pub use self::{
    app::{App, Options},
    server::{Ended, Server},
    snapshot::Snapshot,
    source::{Publisher, Source, source},
    web::{WebConfig, WebConfigError},
};

/// Where the daemon listens without `--listen`. No port between 9100 and 9999 is free in
/// Prometheus's list of default ports.
pub const LISTEN: &str = "127.0.0.1:19747";
