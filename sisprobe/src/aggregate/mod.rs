//! Slots and what they belong to → figures by group. Pure.

use sisprobe_common::slot::Slot;

use crate::{
    kernel::CpuSet,
    report::{Figures, Group, GroupKind},
};

/// Which slots belong to which group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupMap {
    /// In the order in which they are to be shown.
    pub groups: Vec<Members>,
    /// What becomes of slots that none of them claims.
    pub rest: Rest,
}

/// What becomes of slots that no group claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// They make up a last group, `LLC ?`, if something was counted in them.
    #[default]
    Apart,
    /// They are left out: only some LLCs are asked for.
    LeftOut,
}

/// One group and the slots that count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// See [`Group::name`].
    pub name: String,
    /// See [`Group::kind`]. Without [`GroupKind::Cpus`] it is shown only if something was counted.
    pub kind: GroupKind,
    /// See [`Group::llc`].
    pub llc: Option<u32>,
    /// The online CPUs that it is made of; each CPU is in one group at most.
    pub online: CpuSet,
    /// The CPUs whose home slots count for it: those in `online`, and those now offline that
    /// were first seen in it, since what they counted stays counted.
    pub home: CpuSet,
    /// Its away slots, see [`sisprobe_common::state::CpuInfo::llc`].
    pub away: Vec<u32>,
}

/// Adds up the slots of each group.
///
/// `home` is indexed by CPU, `away` by away slot. Every slot counts once at most, and exactly once
/// with [`Rest::Apart`]; one that two groups claim counts for the first.
pub fn aggregate(home: &[Slot], away: &[Slot], map: &GroupMap) -> Vec<Group> {
    let mut home = Unclaimed::new(home);
    let mut away = Unclaimed::new(away);
    let mut groups: Vec<Group> = Vec::with_capacity(map.groups.len() + 1);
    for members in &map.groups {
        let mut figures = Figures::default();
        for cpu in &members.home {
            home.claim(cpu, &mut figures);
        }
        for &slot in &members.away {
            away.claim(slot, &mut figures);
        }
        if members.kind == GroupKind::Cpus || !figures.is_empty() {
            groups.push(Group {
                name: members.name.clone(),
                kind: members.kind,
                llc: members.llc,
                cpus: members.online.clone(),
                size: u32::try_from(members.online.len()).unwrap_or(u32::MAX),
                figures,
                state: None,
                predictions: Vec::new(),
            });
        }
    }
    if map.rest == Rest::LeftOut {
        return groups;
    }
    let mut figures = Figures::default();
    home.claim_rest(&mut figures);
    away.claim_rest(&mut figures);
    if !figures.is_empty() {
        groups.push(Group {
            name: "LLC ?".into(),
            kind: GroupKind::Unknown,
            llc: None,
            cpus: CpuSet::new(),
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
pub(crate) mod tests;
