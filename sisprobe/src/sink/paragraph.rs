//! The figures of a group in words and a small table, for text and terminal alike.

use super::{Unit, metric::Metric, number, words};
use crate::{
    kernel::CpuSet,
    plan::Fidelity,
    report::{Efficiency, Figures, Group, GroupKind, Health, Misses, Source},
};

/// `LLC 0: CPUs 0-7 (8)`.
pub(super) fn heading(group: &Group) -> String {
    let name = &group.name;
    match group.kind {
        GroupKind::Unknown => format!("{name}: CPUs whose LLC is not known"),
        GroupKind::FromOtherLlcs => name.clone(),
        GroupKind::Cpus if group.cpus.is_empty() => format!("{name}: no CPU online"),
        // One that is named by its CPU.
        GroupKind::Cpus if *name == format!("CPU {}", group.cpus) => name.clone(),
        GroupKind::Cpus => format!("{name}: CPUs {} ({})", group.cpus, group.size),
    }
}

/// Several groups in which nothing was counted, in one line:
/// `3 groups: no wake-up came through: CPUs 2-3; LLC 1, from other LLCs`.
pub(super) fn empty_groups(groups: &[&Group]) -> String {
    let cpus: CpuSet = groups.iter().map(|group| &group.cpus).collect();
    let others = groups.iter().filter(|group| group.cpus.is_empty());
    let cpus = (!cpus.is_empty()).then(|| format!("CPUs {cpus}"));
    let what: Vec<String> = (cpus.into_iter())
        .chain(others.map(|group| group.name.clone()))
        .collect();
    format!(
        "{} groups: no wake-up came through: {}",
        groups.len(),
        what.join("; ")
    )
}

/// Wake-ups and searches, in pieces that belong together.
pub(super) fn rates(figures: &Figures, elapsed: f64, fidelity: Fidelity) -> Vec<String> {
    let counted = |name: &str, count| format!("{name} {count} ({})", number::rate(count, elapsed));
    let mut pieces = vec![counted("wake-ups", figures.wakeups)];
    if fidelity != Fidelity::Bracketed {
        let searches = figures.searches();
        pieces.push(format!(
            "searches {searches} ({}, {} of wake-ups)",
            number::rate(searches, elapsed),
            number::share(searches, figures.wakeups),
        ));
    }
    pieces
}

/// How searches ended; nothing where there was none.
pub(super) fn outcomes(figures: &Figures, fidelity: Fidelity) -> Vec<String> {
    if fidelity == Fidelity::Bracketed {
        return vec!["outcomes of searches: not told with fidelity bracketed".into()];
    }
    let searches = figures.searches();
    if searches == 0 {
        return Vec::new();
    }
    let outcomes = figures.outcomes.iter().map(|(&name, &count)| {
        let share = number::share(count, searches);
        format!("{} {count} ({share})", words::outcome(name))
    });
    outcomes.collect()
}

/// Begins what must be noticed: searches that looked further than the policy allows.
pub(super) const OVER_LIMIT: &str = "OVER LIMIT";

/// How often a search met what, as shares of all searches.
pub(super) fn policy(figures: &Figures, source: &Source) -> Vec<String> {
    let searches = figures.searches();
    if searches == 0 {
        return Vec::new();
    }
    let share = |name: &str, count| format!("{name} {}", number::share(count, searches));
    let mut pieces = vec![share("idle cores claimed", figures.idle_cores_claimed)];
    if figures.limit.is_empty() && source.policy.policy.is_none() {
        pieces.push("limit not known, with a policy that has no model".into());
        return pieces;
    }
    pieces.push(share("at limit", figures.at_limit));
    pieces.push(share("found before it", figures.before_limit));
    pieces.push(match figures.over_limit {
        0 => share("over it", 0),
        over => share(&format!("{OVER_LIMIT} {over},"), over) + " (0 expected)",
    });
    pieces
}

/// What fidelity `bracketed` cannot tell.
const NO_EFFICIENCY: &str = "search efficiency: not told with fidelity bracketed";

/// The counts that [`Efficiency`] goes by, and its percentages under their names; nothing where
/// nothing was searched, a word where it cannot be told.
pub(super) fn efficiency(figures: &Figures, fidelity: Fidelity) -> Vec<String> {
    let Some(efficiency) = Efficiency::of(figures, fidelity) else {
        return vec![NO_EFFICIENCY.into()];
    };
    if efficiency.search == 0 {
        return Vec::new();
    }
    let counts = [
        ("search", efficiency.search),
        ("domain search", efficiency.domain_search),
        ("scanned", efficiency.scanned),
        ("failed", efficiency.failed),
        ("fast", efficiency.fast),
    ];
    let percentages = [
        ("search efficiency", efficiency.search_efficiency),
        (
            "domain search efficiency",
            efficiency.domain_search_efficiency,
        ),
        ("fast success rate", efficiency.fast_success_rate),
        ("success rate", efficiency.success_rate),
        ("domain success rate", efficiency.domain_success_rate),
    ];
    let counts = counts.map(|(name, count)| format!("{name} {count}"));
    let percentages =
        percentages.map(|(name, percent)| format!("{name} {}", number::percent(percent)));
    counts.into_iter().chain(percentages).collect()
}

/// The percentages alone, for a line of 80 characters.
pub(super) fn efficiency_in_short(figures: &Figures, fidelity: Fidelity) -> Vec<String> {
    let Some(efficiency) = Efficiency::of(figures, fidelity) else {
        return vec![NO_EFFICIENCY.into()];
    };
    if efficiency.search == 0 {
        return Vec::new();
    }
    let percent = number::percent;
    vec![
        format!(
            "efficiency {}, domain {}",
            percent(efficiency.search_efficiency),
            percent(efficiency.domain_search_efficiency)
        ),
        format!(
            "success {}, fast {}, domain {}",
            percent(efficiency.success_rate),
            percent(efficiency.fast_success_rate),
            percent(efficiency.domain_success_rate)
        ),
    ]
}

/// What came through besides wake-ups.
pub(super) fn others(figures: &Figures) -> [String; 2] {
    [
        format!("forks {}", figures.forks),
        format!("execs {}", figures.execs),
    ]
}

/// The columns of [`table`] after the first.
pub(super) const COLUMNS: [&str; 6] = ["mean", "p50", "p90", "p99", "p99.9", "max"];

/// Mean and percentiles: a name and the six [`COLUMNS`] for each metric that counted something.
pub(super) fn table(
    figures: &Figures,
    fidelity: Fidelity,
    unit: Unit,
) -> Vec<(String, [String; 6])> {
    let rows = Metric::ALL.into_iter().filter_map(|metric| {
        let histogram = metric.histogram(figures);
        let [p50, p90, p99, p999, max] = histogram
            .percentiles([0.5, 0.9, 0.99, 0.999, 1.0])?
            .map(|value| number::percentile(value, |value| metric.number(value, unit)));
        let mean = metric.mean(histogram, unit);
        Some((
            metric.short(fidelity, unit),
            [mean, p50, p90, p99, p999, max],
        ))
    });
    rows.collect()
}

/// Misses of the probes in short: `0`, or `3, some unknown`.
pub(super) fn misses(misses: Misses) -> String {
    let unknown = if misses.some_unknown {
        ", some unknown"
    } else {
        ""
    };
    format!("{}{unknown}", misses.known)
}

/// The counters of events that could not be counted where they belong.
pub(super) fn lost(health: &Health) -> Vec<String> {
    vec![
        format!("unmatched entries {}", health.unmatched_entries),
        format!("unmatched returns {}", health.unmatched_exits),
        format!("searches outside a wake-up {}", health.searches_outside),
        format!("core times dropped {}", health.core_calls_dropped),
    ]
}

/// Joins pieces with two spaces into lines of at most `width` characters. A piece is broken only
/// where it is longer than a line, and a word never.
pub(super) fn wrap(pieces: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut append = |part: &str, gap: &str| match lines.last_mut() {
        Some(line) if length(line) + gap.len() + length(part) <= width => {
            line.push_str(gap);
            line.push_str(part);
        }
        _ => lines.push(part.to_owned()),
    };
    for piece in pieces {
        if length(piece) <= width {
            append(piece, "  ");
        } else {
            let mut gap = "  ";
            for word in piece.split(' ') {
                append(word, gap);
                gap = " ";
            }
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(pieces: &[&str], width: usize) -> Vec<String> {
        let pieces: Vec<String> = pieces.iter().map(|&piece| piece.into()).collect();
        wrap(&pieces, width)
    }

    #[test]
    fn pieces_stay_whole_where_they_fit() {
        assert_eq!(wrapped(&["a b", "c d", "e"], 8), ["a b  c d", "e"]);
        assert_eq!(wrapped(&["a b", "c d", "e"], 7), ["a b", "c d  e"]);
        assert!(wrapped(&[], 7).is_empty());
    }

    #[test]
    fn a_piece_longer_than_a_line_is_broken_between_words() {
        assert_eq!(wrapped(&["x", "aa bb cc", "y"], 5), ["x  aa", "bb cc", "y"]);
        assert_eq!(wrapped(&["abcdefgh"], 5), ["abcdefgh"]);
    }
}
