//! What was missed or lost, and what sees nothing now.

use serde::Serialize;

use super::Table;
use crate::{
    report::{Health, ProbeHealth},
    sink::paragraph,
};

/// What was missed or lost, and what sees nothing now.
#[derive(Clone, Debug, Serialize)]
pub struct HealthView {
    /// Whether nothing is known to be missed or lost, and all probes see what happens.
    pub is_good: bool,
    /// In one line.
    pub verdict: String,
    /// The probes, whether each is armed, and what each missed.
    pub probes: Table,
    /// The counters of lost events.
    pub lost: Vec<String>,
}

impl HealthView {
    /// `disarmed` names the probes that a switch of the kernel has disarmed.
    pub(super) fn of(health: &Health, disarmed: &[String]) -> Self {
        let (misses, lost) = (health.misses(), health.lost());
        let figure = |figure: Option<u64>| figure.map_or("unknown".into(), |n| n.to_string());
        let row = |probe: &ProbeHealth| {
            vec![
                probe.name.clone(),
                if disarmed.contains(&probe.name) {
                    "no".into()
                } else {
                    "yes".into()
                },
                figure(probe.recursion_misses),
                figure(probe.probe_misses),
            ]
        };
        let missed = format!("missed {}; lost {lost}", paragraph::misses(misses));
        Self {
            is_good: misses.known == 0 && lost == 0 && disarmed.is_empty(),
            verdict: match disarmed.len() {
                0 => missed,
                off => format!("{off} of {} probes disarmed; {missed}", health.probes.len()),
            },
            probes: Table::new(
                &["probe", "armed", "recursion misses", "probe misses"],
                health.probes.iter().map(row).collect(),
            ),
            lost: paragraph::lost(health),
        }
    }
}

/// What to know where a switch of the kernel has disarmed probes.
pub(super) fn warning(disarmed: &[String]) -> Option<String> {
    (!disarmed.is_empty()).then(|| {
        format!(
            "these probes see nothing now, since a switch of the kernel has disarmed them \
             (kernel.ftrace_enabled, or kprobes/enabled of debugfs): {}",
            disarmed.join(", ")
        )
    })
}
