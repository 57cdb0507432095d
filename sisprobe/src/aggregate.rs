//! Slots and topology → figures by group. Pure.

use sisprobe_common::slot::Slot;

use crate::report::{Figures, Group};

/// Which slots belong to which LLC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlcMap {
    /// In the order in which they are to be shown.
    pub llcs: Vec<Llc>,
}

/// One LLC and the slots that count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llc {
    /// Its number, from 0.
    pub id: u32,
    /// Its away slot, see [`sisprobe_common::state::CpuInfo::llc`]; never 0.
    pub away: u32,
    /// Its online CPUs in the kernel's list form, `0-3,8-11`.
    pub cpus: String,
    /// How many online CPUs it has.
    pub size: u32,
    /// The CPUs whose home slots count for it: those online in it, and those now offline that
    /// were last seen in it, since what they counted stays counted.
    pub home: Vec<u32>,
}

/// Adds up the slots of each LLC.
///
/// `home` is indexed by CPU, `away` by away slot. Every slot counts exactly once: those that no
/// LLC claims make up a last group, `LLC ?`, which is there only if something was counted in
/// them. A slot that two LLCs claim counts for the first.
pub fn aggregate(home: &[Slot], away: &[Slot], map: &LlcMap) -> Vec<Group> {
    let mut home = Unclaimed::new(home);
    let mut away = Unclaimed::new(away);
    let mut groups: Vec<Group> = Vec::with_capacity(map.llcs.len() + 1);
    for llc in &map.llcs {
        let mut figures = Figures::default();
        for &cpu in &llc.home {
            home.claim(cpu, &mut figures);
        }
        away.claim(llc.away, &mut figures);
        groups.push(Group {
            name: format!("LLC {}", llc.id),
            id: Some(llc.id),
            cpus: llc.cpus.clone(),
            size: llc.size,
            figures,
            state: None,
            predictions: Vec::new(),
        });
    }
    let mut figures = Figures::default();
    home.claim_rest(&mut figures);
    away.claim_rest(&mut figures);
    if !figures.is_empty() {
        groups.push(Group {
            name: "LLC ?".into(),
            id: None,
            cpus: String::new(),
            size: 0,
            figures,
            state: None,
            predictions: Vec::new(),
        });
    }
    groups
}

/// The slots that have not been counted yet.
struct Unclaimed<'a>(Vec<Option<&'a Slot>>);

impl<'a> Unclaimed<'a> {
    fn new(slots: &'a [Slot]) -> Self {
        Self(slots.iter().map(Some).collect())
    }

    fn claim(&mut self, index: u32, figures: &mut Figures) {
        let slot = self.0.get_mut(index as usize).and_then(Option::take);
        if let Some(slot) = slot {
            figures.add_slot(slot);
        }
    }

    fn claim_rest(&mut self, figures: &mut Figures) {
        for slot in self.0.iter_mut().filter_map(Option::take) {
            figures.add_slot(slot);
        }
    }
}

#[cfg(test)]
mod tests;
