//! The charts.

use crate::{
    plan::Fidelity,
    report::{Column, Source},
    sink::{
        chart::{
            Axis, Cell, Cells, Chart, Dash, LIMIT, Layer, Line, Marker, Numbers, PREDICTED,
            SCANNED, Style,
        },
        timeline::Span,
    },
};

/// Seconds below which the axis of time is in seconds.
const SHORT: f64 = 120.0;
/// The least span of that axis, in seconds: what is there of the last minutes, and of a run.
const LEAST_SPAN: f64 = 60.0;
const LEAST_RUN: f64 = 0.001;

/// How many CPUs searches looked at, and how many the active policy let them, over time. `size`
/// is the number of the group's CPUs.
pub fn depth(columns: &[Column], source: &Source, size: u32, span: Span) -> Chart {
    let time = Time::of(columns, span);
    let fidelity = source.fidelity;
    let (scanned, looked) = match fidelity {
        Fidelity::Bracketed => ("looked at, mean", "CPUs looked at in a wake-up"),
        Fidelity::Exact | Fidelity::Inlined => ("scanned, mean", "CPUs of one search"),
    };
    let predicted = format!("predicted by {}", source.policy.name());
    let line = |name: &str, (colour, dash, marker), value: &dyn Fn(&Column) -> Option<f64>| Line {
        name: name.to_owned(),
        values: steps(columns, time, value),
        style: Style {
            colour,
            dash,
            marker,
            width: 2.0,
        },
    };
    let lines = [
        line(
            scanned,
            (SCANNED, Dash::Solid, Marker::Disc),
            &Column::scanned,
        ),
        line(
            &predicted,
            (PREDICTED, Dash::Dashed, Marker::Diamond),
            &Column::predicted,
        ),
        line(
            "limit as they began",
            (LIMIT, Dash::Dotted, Marker::Up),
            &|column| column.limit(fidelity),
        ),
    ];
    let layers: Vec<Line> = (lines.into_iter())
        .filter(|line| line.values.iter().any(|(_, y)| y.is_finite()))
        .collect();
    let most = (layers.iter().flat_map(|line| &line.values))
        .map(|(_, y)| *y)
        .filter(|y| y.is_finite())
        .fold(1.0, f64::max);
    Chart {
        title: String::new(),
        subtitle: String::new(),
        x: time.axis(),
        y: Axis {
            label: looked.into(),
            from: 0.0,
            // All of the group where that leaves the lines readable.
            to: if most * 3.0 > f64::from(size) {
                most.max(f64::from(size))
            } else {
                most * 1.1
            },
            whole: false,
            end_tick: false,
            numbers: Numbers::Plain,
        },
        layers: layers.into_iter().map(Layer::Line).collect(),
        notes: Vec::new(),
    }
}

/// How many searches took how long, over time.
pub fn heatmap(columns: &[Column], source: &Source, span: Span) -> Chart {
    let time = Time::of(columns, span);
    let (name, label) = match source.fidelity {
        Fidelity::Bracketed => ("wake-ups", "time of a wake-up, ns"),
        Fidelity::Exact | Fidelity::Inlined => ("searches", "time of a search, ns"),
    };
    let cells = columns.iter().flat_map(|column| {
        let x = (time.at(column.from()), time.at(column.to()));
        let cells = column.durations();
        cells.map(move |(row, count)| Cell {
            x,
            y: (row as f64 - 1.0, row as f64),
            count,
        })
    });
    let cells: Vec<Cell> = cells.collect();
    let bounds = || cells.iter().map(|cell| cell.y);
    let from = bounds().map(|(from, _)| from).fold(f64::INFINITY, f64::min);
    let to = bounds().map(|(_, to)| to).fold(0.0, f64::max);
    // A microsecond or so where there is nothing.
    let (from, to) = if from < to { (from, to) } else { (9.0, 11.0) };
    Chart {
        title: String::new(),
        subtitle: String::new(),
        x: time.axis(),
        y: Axis {
            label: label.into(),
            // One row alone would be as high as the chart.
            from: from.min(to - 4.0),
            to,
            whole: true,
            end_tick: true,
            numbers: Numbers::Exponents,
        },
        layers: vec![Layer::Cells(Cells {
            name: name.into(),
            cells,
        })],
        notes: Vec::new(),
    }
}

/// The axis of time, on which 0 is the end of the last column, or the beginning of a run.
#[derive(Clone, Copy)]
struct Time {
    from: f64,
    to: f64,
    zero: f64,
    name: &'static str,
}

impl Time {
    fn of(columns: &[Column], span: Span) -> Self {
        let from = columns.first().map_or(0.0, Column::from);
        let to = columns.last().map_or(0.0, Column::to);
        match span {
            Span::UntilNow => Self {
                from: from.min(to - LEAST_SPAN),
                to,
                zero: to,
                name: "before the last reading",
            },
            Span::Run => Self {
                from,
                to: to.max(from + LEAST_RUN),
                zero: 0.0,
                name: "of the run",
            },
        }
    }

    fn unit(self) -> (f64, &'static str) {
        if self.to - self.from < SHORT {
            (1.0, "seconds")
        } else {
            (60.0, "minutes")
        }
    }

    fn at(self, elapsed: f64) -> f64 {
        (elapsed - self.zero) / self.unit().0
    }

    fn axis(self) -> Axis {
        Axis {
            label: format!("{} {}", self.unit().1, self.name),
            from: self.at(self.from),
            to: self.at(self.to),
            whole: false,
            end_tick: true,
            numbers: Numbers::Plain,
        }
    }
}

/// A column is one mean, so a line goes in steps; where there is none it has a gap.
fn steps(
    columns: &[Column],
    time: Time,
    value: &dyn Fn(&Column) -> Option<f64>,
) -> Vec<(f64, f64)> {
    let steps = columns.iter().flat_map(|column| {
        let value = value(column).unwrap_or(f64::NAN);
        [
            (time.at(column.from()), value),
            (time.at(column.to()), value),
        ]
    });
    steps.collect()
}
