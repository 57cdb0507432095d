//! The rows of one metric.

use super::{
    Choice, CompareError, Compared, Direction, Metric, Row, Table, Verdict,
    measured::Measured,
    search::{PERCENTILES, time_name},
    sides::Side,
    statistics::{self, Answer, Sample, Summary},
};

/// A metric of some capture, and whether it is shown without being asked for.
pub(super) struct Offer<'a> {
    metric: &'a Metric,
    is_shown: bool,
}

/// All metrics, in the order in which captures have them.
///
/// # Errors
///
/// [`CompareError::Unlike`] where two of one name are not the same.
pub(super) fn offered<'a>(sides: &'a [Side<'_>]) -> Result<Vec<Offer<'a>>, CompareError> {
    let mut offers: Vec<Offer<'a>> = Vec::new();
    for capture in sides.iter().flat_map(|side| &side.captures) {
        for offered in &capture.metrics {
            let metric = &offered.metric;
            let mut known = offers.iter();
            match known.find(|offer| offer.metric.is_named_as(metric)) {
                Some(known) => known.metric.must_be_like(metric)?,
                None => offers.push(Offer {
                    metric,
                    is_shown: offered.is_shown,
                }),
            }
        }
    }
    // What benchmarks say stands first, also where the base says nothing.
    offers.sort_by_key(|offer| offer.metric.origin != super::Origin::Benchmark);
    Ok(offers)
}

/// Those that were asked for, in the order in which they were; else those that are shown anyway.
///
/// # Errors
///
/// [`CompareError::Metric`] where there is no such metric.
pub(super) fn chosen<'a>(
    offers: &[Offer<'a>],
    choice: &Choice,
) -> Result<Vec<&'a Metric>, CompareError> {
    let Some(names) = &choice.metrics else {
        let shown = offers.iter().filter(|offer| offer.is_shown);
        return Ok(shown.map(|offer| offer.metric).collect());
    };
    let mut chosen: Vec<&Metric> = Vec::new();
    for name in names {
        let before = chosen.len();
        let named = offers.iter().map(|offer| offer.metric);
        chosen.extend(named.filter(|metric| metric.name == *name));
        if chosen.len() == before {
            let there: Vec<&str> = offers
                .iter()
                .map(|offer| offer.metric.name.as_str())
                .collect();
            return Err(CompareError::Metric {
                name: name.clone(),
                there: there.join(", "),
            });
        }
    }
    Ok(chosen)
}

/// The percentiles of the search time; where searches are not told apart, of the wake-up's.
pub(super) fn percentiles<'a>(offers: &[Offer<'a>]) -> Vec<&'a Metric> {
    let names = [false, true].map(|whole| PERCENTILES.map(|(name, _)| time_name(name, whole)));
    let names = names.into_iter().flatten();
    names
        .filter_map(|name| {
            let mut offers = offers.iter().map(|offer| offer.metric);
            offers.find(|metric| metric.origin == super::Origin::Sisprobe && metric.name == name)
        })
        .collect()
}

/// The table of `metric`; a row for each capture of the base that another one can be held against.
pub(super) fn of(metric: &Metric, base: &Side<'_>, new: &[Side<'_>]) -> Table {
    let rows = base.captures.iter();
    Table {
        metric: metric.clone(),
        rows: rows.filter_map(|one| row(metric, one, new)).collect(),
    }
}

fn row(metric: &Metric, base: &Measured<'_>, new: &[Side<'_>]) -> Option<Row> {
    let sample = base.sample(metric)?;
    let new: Vec<Option<Compared>> = new
        .iter()
        .map(|side| {
            let there = side.like(base)?.sample(metric)?;
            Some(compared(metric.better, sample, there))
        })
        .collect();
    new.iter().any(Option::is_some).then(|| Row {
        case: base.case.clone(),
        load: base.load.clone(),
        base: Summary::of(&sample.values),
        new,
    })
}

fn compared(better: Direction, base: &Sample, new: &Sample) -> Compared {
    let answer = statistics::compare(base, new);
    let (from, side) = (Summary::of(&base.values), Summary::of(&new.values));
    let sign = better.sign();
    let percent = |difference: f64| {
        let percent = sign * difference / from.mean.abs() * 100.0;
        percent.is_finite().then_some(percent)
    };
    let interval = answer.interval.and_then(|(low, high)| {
        let ends = (percent(low)?, percent(high)?);
        Some((ends.0.min(ends.1), ends.0.max(ends.1)))
    });
    let gain = sign * (side.mean - from.mean);
    Compared {
        percent: percent(side.mean - from.mean),
        verdict: verdict(&answer, better, gain),
        test: answer.test,
        p: answer.p,
        interval_percent: interval,
        side,
    }
}

fn verdict(answer: &Answer, better: Direction, gain: f64) -> Verdict {
    if answer.test.is_none() {
        Verdict::OneRun
    } else if !answer.differs() {
        Verdict::NoDifference
    } else if better == Direction::Neither {
        Verdict::Differs
    } else if gain > 0.0 {
        Verdict::Better
    } else {
        Verdict::Worse
    }
}
