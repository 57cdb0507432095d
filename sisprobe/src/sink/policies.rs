//! The load of a group and what policies make of it, in words, for text and terminal alike.

use super::{number, paragraph, rows::Mark};
use crate::{
    plan::Fidelity,
    policy::Policy,
    report::{Group, LlcSaid, Predicted, Prediction, Source, Spread},
};

/// Which policies' predictions are told: the active one's first, then those that the user chose.
pub(super) fn told(source: &Source, chosen: &[Policy]) -> Vec<Policy> {
    let active = source.policy.policy;
    let others = chosen.iter().copied();
    let others = others.filter(|&policy| Some(policy) != active);
    active.into_iter().chain(others).collect()
}

/// The CPUs of a group at this moment, in pieces that belong together; nothing where they could
/// not be looked at.
pub(super) fn state(group: &Group, source: &Source, told: &[Policy]) -> Vec<String> {
    let Some(state) = &group.state else {
        return Vec::new();
    };
    let mut pieces = vec![
        format!(
            "now: utilisation {}",
            number::share(state.sum_util, state.capacity)
        ),
        format!("idle CPUs {} of {}", state.idle_cpus, state.cpus),
        format!("nr_running {}", state.nr_running),
    ];
    if let Some(llc) = &state.llc {
        let claim = if llc.has_idle_cores { "yes" } else { "no" };
        pieces.push(format!("has_idle_cores {claim}"));
        if told.contains(&Policy::SisUtil) {
            pieces.extend(nr_idle_scan(llc, source));
        }
    }
    pieces
}

/// The kernel's number and that of the model, which is of this moment.
fn nr_idle_scan(llc: &LlcSaid, source: &Source) -> Option<String> {
    let kernel = llc.nr_idle_scan?;
    let now = llc.nr_idle_scan_now;
    if source.policy.policy != Some(Policy::SisUtil) {
        // kernel/sched/fair.c, update_idle_cpu_scan: only with the feature on.
        return Some(format!(
            "nr_idle_scan {now} computed now (the kernel keeps its own with sis_util only)"
        ));
    }
    let difference = i64::from(now) - i64::from(kernel);
    Some(format!(
        "nr_idle_scan {kernel}, computed now {now}, difference {difference:+}"
    ))
}

/// What is predicted, in short: `sis_util 5`; of a policy that cannot be told nothing.
pub(super) fn in_short(group: &Group, told: &[Policy]) -> Vec<String> {
    let known = told.iter().filter_map(|&policy| {
        let cpus = spread(group, policy)?;
        Some(format!("{policy} {}", short(cpus)))
    });
    known.collect()
}

/// Where the predicted depths stand among the CPUs scanned. None with fidelity `bracketed`,
/// whose histogram is not of searches.
pub(super) fn marks(group: &Group, told: &[Policy], fidelity: Fidelity) -> Vec<Mark> {
    if fidelity == Fidelity::Bracketed {
        return Vec::new();
    }
    let known = told.iter().filter_map(|&policy| {
        let cpus = spread(group, policy)?;
        Some(Mark {
            value: cpus.mean as u64,
            name: policy.name().into(),
            number: short(cpus),
        })
    });
    known.collect()
}

fn spread(group: &Group, policy: Policy) -> Option<Spread> {
    let mut predictions = group.predictions.iter();
    match predictions.find(|said| said.policy == policy)?.predicted {
        Predicted::Depth { cpus, .. } => Some(cpus),
        Predicted::NotAvailable(_) => None,
    }
}

/// `5`, or `5.3` where CPUs differ.
fn short(cpus: Spread) -> String {
    if cpus.least == cpus.most {
        cpus.least.to_string()
    } else {
        format!("{:.1}", cpus.mean)
    }
}

/// One line of [`table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Without line breaks.
    pub(super) line: String,
    /// Whether it is of the policy that bounds the search now.
    pub(super) is_active: bool,
}

/// Columns of the policy's name.
const NAME: usize = 24;
/// Columns that a reason needs beside the name; else it stands below.
const REASON: usize = 30;

/// The head of [`table`].
pub(super) fn head(width: usize) -> String {
    line(
        [
            "predicted depth, CPUs",
            "mean",
            "[least..most]",
            "searching",
        ],
        width,
    )
}

/// As many of the columns as `width` characters hold.
fn line(cells: [&str; 4], width: usize) -> String {
    let [name, mean, range, searching] = cells;
    let mut line = format!("{name:<NAME$} {mean:>7}");
    for cell in [format!(" {range:>14}"), format!(" {searching:>10}")] {
        if line.len() + cell.len() > width {
            break;
        }
        line += &cell;
    }
    line
}

/// What `told` say of the group, those that cannot be told last, in lines of at most `width`
/// characters where words allow; nothing where nothing was predicted.
pub(super) fn table(group: &Group, source: &Source, told: &[Policy], width: usize) -> Vec<Row> {
    let said = told.iter().filter_map(|&policy| {
        let mut predictions = group.predictions.iter();
        predictions.find(|said| said.policy == policy)
    });
    let (known, unknown): (Vec<_>, Vec<_>) = said.partition(|said| said.predicted.cpus().is_some());
    let said = known.into_iter().chain(unknown);
    said.flat_map(|said| {
        let is_active = source.policy.policy == Some(said.policy);
        let lines = lines(said, is_active, width).into_iter();
        lines.map(move |line| Row { line, is_active })
    })
    .collect()
}

fn lines(said: &Prediction, is_active: bool, width: usize) -> Vec<String> {
    let name = said.policy.name();
    match &said.predicted {
        Predicted::Depth { cpus, searching } => {
            let range = format!("[{}..{}]", cpus.least, cpus.most);
            let searching = number::percent(Some(searching * 100.0));
            let mut line = line([name, &number::mean(cpus.mean), &range, &searching], width);
            if is_active && line.len() + ACTIVE.len() <= width {
                line += ACTIVE;
            }
            vec![line]
        }
        Predicted::NotAvailable(why) => {
            let why = [format!("not available here: {why}")];
            let beside = width.saturating_sub(NAME + 1);
            if beside < REASON {
                let below = paragraph::wrap(&why, width.saturating_sub(2)).into_iter();
                let below = below.map(|part| format!("  {part}"));
                return std::iter::once(name.into()).chain(below).collect();
            }
            let parts = paragraph::wrap(&why, beside).into_iter();
            let names = std::iter::once(name).chain(std::iter::repeat(""));
            let lines = names.zip(parts);
            lines
                .map(|(name, part)| format!("{name:<NAME$} {part}"))
                .collect()
        }
    }
}

/// Behind the row of the policy that bounds the search now.
const ACTIVE: &str = "  active";
