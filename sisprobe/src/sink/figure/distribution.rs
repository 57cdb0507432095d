//! How many searches took how long, or looked at how many CPUs.

use sisprobe_common::bucket::Row;

use super::{Counted, NAME, Of};
use crate::{
    histogram::Histogram,
    plan::Fidelity,
    sink::{
        Unit,
        chart::{Axis, Bars, Chart, FILL, Layer, Line, Numbers, SERIES},
        number,
        words::clean,
    },
};

/// The share of searches in each power of two, a line for each capture; below the first there are
/// bars.
pub fn histogram(of: Of, all: &[Counted]) -> Chart {
    let all = drawn(all);
    let shares: Vec<Vec<(i32, f64)>> = all.iter().map(|one| shares(values(of, one))).collect();
    let places = || shares.iter().flatten().map(|(place, _)| *place);
    let (first, last) = range(of, places().min(), places().max());
    let mut most: f64 = 0.0;
    let mut layers = Vec::new();
    for (index, (one, shares)) in all.iter().zip(&shares).enumerate() {
        let share = |place| {
            let found = shares.iter().find(|(other, _)| *other == place);
            found.map_or(0.0, |(_, share)| *share)
        };
        let bars: Vec<((f64, f64), f64)> = (first..=last)
            .map(|place| ((f64::from(place) - 1.0, f64::from(place)), share(place)))
            .collect();
        most = bars.iter().map(|(_, share)| *share).fold(most, f64::max);
        let values = bars
            .iter()
            .flat_map(|&((from, to), share)| [(from, share), (to, share)]);
        layers.push(line(index, one, values.collect()));
        if index == 0 {
            layers.push(Layer::Bars(Bars { bars, colour: FILL }));
        }
    }
    chart(
        of,
        all,
        (first, last),
        layers,
        Axis {
            label: format!("share of {}, %", what(all)),
            from: 0.0,
            to: if most > 0.0 { most * 1.05 } else { 100.0 },
            whole: false,
            end_tick: false,
            numbers: Numbers::Plain,
        },
    )
}

/// The share of searches up to each bound, a line for each capture.
pub fn cumulative(of: Of, all: &[Counted]) -> Chart {
    let all = drawn(all);
    let lines: Vec<Vec<(f64, f64)>> = all.iter().map(|one| up_to(of, values(of, one))).collect();
    let places = || lines.iter().flatten().map(|(x, _)| *x);
    let least = places().reduce(f64::min).map(|x| x.floor() as i32 + 1);
    let most = places().reduce(f64::max).map(|x| x.ceil() as i32);
    let ends = range(of, least, most);
    let layers = all.iter().zip(lines).enumerate();
    let layers = layers.map(|(index, (one, values))| line(index, one, values));
    chart(
        of,
        all,
        ends,
        layers.collect(),
        Axis {
            label: format!("{} up to that, %", what(all)),
            from: 0.0,
            to: 100.0,
            whole: true,
            end_tick: true,
            numbers: Numbers::Plain,
        },
    )
}

/// What the histogram shows, for who does not see it.
pub fn histogram_in_words(of: Of, all: &[Counted]) -> String {
    in_words(of, all, |histogram| {
        let (row, share) = shares(histogram)
            .into_iter()
            .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let bound = |place: i32| match place {
            ..0 => 0.0,
            _ => f64::from(place).exp2(),
        };
        let (from, to) = (bound(row - 1), bound(row));
        Some(format!(
            "most ({}) from {from} to below {to}",
            number::percent(Some(share))
        ))
    })
}

/// What the cumulative distribution shows, for who does not see it.
pub fn cumulative_in_words(of: Of, all: &[Counted]) -> String {
    in_words(of, all, |histogram| {
        let told = histogram.percentiles([0.5, 0.99])?;
        let [p50, p99] = told
            .map(|value| number::percentile(value, |value| of.metric().number(value, Unit::Ns)));
        Some(format!("half up to {p50}, 99 % up to {p99}"))
    })
}

fn in_words(of: Of, all: &[Counted], told: impl Fn(&Histogram) -> Option<String>) -> String {
    let unit = match of {
        Of::Duration => "ns",
        Of::Scanned => "CPUs",
    };
    let each = drawn(all).iter().map(|one| {
        let told =
            told(values(of, one)).map_or("nothing counted".into(), |told| format!("{told} {unit}"));
        format!("{}: {told}", clean(&one.name, NAME))
    });
    let mut words = each.collect::<Vec<String>>().join("; ") + ".";
    if let Some(more) = left_out(all.len()) {
        words += " ";
        words += &more;
    }
    words
}

/// As many as can be told apart.
fn drawn(all: &[Counted]) -> &[Counted] {
    &all[..all.len().min(SERIES.len())]
}

fn left_out(count: usize) -> Option<String> {
    let more = count.saturating_sub(SERIES.len());
    (more > 0).then(|| format!("Not drawn: {more} more, which could not be told apart."))
}

fn values(of: Of, one: &Counted) -> &Histogram {
    of.metric().histogram(&one.figures)
}

fn what(all: &[Counted]) -> &'static str {
    match all.iter().any(|one| one.fidelity != Fidelity::Bracketed) {
        true => "searches",
        false => "wake-ups",
    }
}

/// Rows by the exponent of their end, 0 for what is 0, each with its share of all in percent.
fn shares(histogram: &Histogram) -> Vec<(i32, f64)> {
    let rows = histogram.log2_rows();
    let count = histogram.count() as f64;
    let top = histogram.scheme().top() as i32;
    let place = |row| match row {
        Row::Zero => 0,
        Row::Log2(power) => power as i32 + 1,
        Row::Overflow => top + 1,
    };
    let shares = rows
        .into_iter()
        .map(|(row, rows)| (place(row), 100.0 * rows as f64 / count));
    shares.collect()
}

/// Where buckets begin and end, and the share of values up to there, in percent. In between it is
/// not known: of times it is taken to grow evenly, of whole numbers not at all before the greatest
/// of a bucket.
fn up_to(of: Of, histogram: &Histogram) -> Vec<(f64, f64)> {
    let scheme = histogram.scheme();
    let count = histogram.count() as f64;
    let x = |value: u64| match value {
        0 => -1.0,
        _ => (value as f64).log2(),
    };
    let mut line = Vec::new();
    let mut sum = 0.0;
    for (index, &values) in histogram.counts().iter().enumerate() {
        // What is beyond all buckets has no end.
        let Some(high) = scheme.high(index).filter(|_| values > 0) else {
            continue;
        };
        let (from, to) = match of {
            Of::Duration => (scheme.low(index), high),
            Of::Scanned => (high - 1, high - 1),
        };
        line.push((x(from), 100.0 * (sum / count)));
        sum += values as f64;
        line.push((x(to), 100.0 * (sum / count)));
    }
    line
}

/// The first and the last place of the axis: some powers of two at least.
fn range(of: Of, first: Option<i32>, last: Option<i32>) -> (i32, i32) {
    let (first, last) = match (first, last) {
        (Some(first), Some(last)) => (first, last),
        // A microsecond or so, or a CPU.
        _ => match of {
            Of::Duration => (10, 11),
            Of::Scanned => (0, 1),
        },
    };
    let last = last.max(first + 3);
    (first.min(last - 3), last)
}

fn line(index: usize, one: &Counted, values: Vec<(f64, f64)>) -> Layer {
    Layer::Line(Line {
        name: clean(&one.name, NAME),
        values,
        style: SERIES[index % SERIES.len()],
    })
}

fn chart(of: Of, all: &[Counted], ends: (i32, i32), layers: Vec<Layer>, y: Axis) -> Chart {
    let fidelity = all.iter().map(|one| one.fidelity).min();
    let title = of
        .metric()
        .title(fidelity.unwrap_or(Fidelity::Exact), Unit::Ns);
    Chart {
        title: String::new(),
        subtitle: String::new(),
        x: Axis {
            label: title,
            from: f64::from(ends.0) - 1.0,
            to: f64::from(ends.1),
            whole: true,
            end_tick: true,
            numbers: Numbers::Exponents,
        },
        y,
        layers,
        notes: left_out(all.len()).into_iter().collect(),
    }
}
