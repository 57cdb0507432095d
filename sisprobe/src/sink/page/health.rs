//! What was missed or lost.

use serde::Serialize;

use super::Table;
use crate::{
    report::{Health, ProbeHealth},
    sink::paragraph,
};

/// What was missed or lost.
#[derive(Clone, Debug, Serialize)]
pub struct HealthView {
    /// Whether nothing is known to be missed or lost.
    pub is_good: bool,
    /// In one line.
    pub verdict: String,
    /// The probes and what each missed.
    pub probes: Table,
    /// The counters of lost events.
    pub lost: Vec<String>,
}

impl HealthView {
    pub(in crate::sink) fn of(health: &Health) -> Self {
        let (misses, lost) = (health.misses(), health.lost());
        let figure = |figure: Option<u64>| figure.map_or("unknown".into(), |n| n.to_string());
        let row = |probe: &ProbeHealth| {
            vec![
                probe.name.clone(),
                figure(probe.recursion_misses),
                figure(probe.probe_misses),
            ]
        };
        Self {
            is_good: misses.known == 0 && lost == 0,
            verdict: format!("missed {}; lost {lost}", paragraph::misses(misses)),
            probes: Table::new(
                &["probe", "recursion misses", "probe misses"],
                health.probes.iter().map(row).collect(),
            ),
            lost: paragraph::lost(health),
        }
    }
}
