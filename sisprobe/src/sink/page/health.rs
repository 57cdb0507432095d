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
    /// The probes, whether each is armed where that is known, and what each missed.
    pub probes: Table,
    /// The counters of lost events.
    pub lost: Vec<String>,
}

impl HealthView {
    /// `disarmed` names the probes that a switch of the kernel has disarmed; none where that is
    /// not known any more.
    pub(in crate::sink) fn of(health: &Health, disarmed: Option<&[String]>) -> Self {
        let (misses, lost) = (health.misses(), health.lost());
        let figure = |figure: Option<u64>| figure.map_or("unknown".into(), |n| n.to_string());
        let row = |probe: &ProbeHealth| {
            let armed = disarmed.map(|disarmed| match disarmed.contains(&probe.name) {
                true => "no".to_owned(),
                false => "yes".to_owned(),
            });
            let misses = [probe.recursion_misses, probe.probe_misses].map(figure);
            let name = [probe.name.clone()].into_iter();
            name.chain(armed).chain(misses).collect()
        };
        let armed = disarmed.map(|_| "armed");
        let heads = ["probe"].into_iter().chain(armed);
        let heads: Vec<&str> = heads.chain(["recursion misses", "probe misses"]).collect();
        let off = disarmed.map_or(0, <[String]>::len);
        let missed = format!("missed {}; lost {lost}", paragraph::misses(misses));
        Self {
            is_good: misses.known == 0 && lost == 0 && off == 0,
            verdict: match off {
                0 => missed,
                off => format!("{off} of {} probes disarmed; {missed}", health.probes.len()),
            },
            probes: Table::new(&heads, health.probes.iter().map(row).collect()),
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
