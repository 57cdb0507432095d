//! The legend: right of the plot, or below it where the chart is narrow.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Colour, Layer, Marker, Style,
    canvas::{Anchor, Canvas, Point, Rect, Text},
    font,
    layout::{INK, Layout},
    markers, stroke,
    wrap::cut,
};

/// Em of the names, in pixels.
const EM: f64 = 12.0;
/// Width of the sample before a name, of that of a colour, and the gap behind either.
const SAMPLE: f64 = 40.0;
const COLOUR: f64 = 18.0;
const GAP: f64 = 8.0;
/// Between two entries of one row.
const BETWEEN: f64 = 18.0;
/// From one row to the next: as much as there is room for, within these.
const MOST_ROW: f64 = 23.0;
const LEAST_ROW: f64 = 15.0;

/// One name, and what stands before it.
struct Entry {
    sample: Sample,
    name: String,
}

enum Sample {
    Line(Style),
    Point(Marker, Colour),
    Colour(Colour),
    /// The entry is a heading.
    None,
}

impl Entry {
    /// Those of one layer.
    fn of(layer: &Layer) -> Vec<Self> {
        let name = layer.name().to_owned();
        match layer {
            Layer::Line(line) => vec![Self {
                sample: Sample::Line(line.style),
                name,
            }],
            Layer::Points(points) => vec![Self {
                sample: Sample::Point(points.marker, points.colour),
                name,
            }],
            Layer::Bars(_) => Vec::new(),
            Layer::Cells(cells) => {
                let heading = Self {
                    sample: Sample::None,
                    name,
                };
                let colours = cells.scale().legend().into_iter();
                let colours = colours.map(|(colour, name)| Self {
                    sample: Sample::Colour(colour),
                    name,
                });
                std::iter::once(heading).chain(colours).collect()
            }
        }
    }

    /// Where its name begins, behind where it begins itself.
    const fn indent(&self) -> f64 {
        match self.sample {
            Sample::Line(_) | Sample::Point(..) => SAMPLE + GAP,
            Sample::Colour(_) => COLOUR + GAP,
            Sample::None => 0.0,
        }
    }

    fn width(&self) -> Result<f64, ChartError> {
        Ok(self.indent() + font::width(&self.name, EM)?)
    }
}

fn entries(layers: &[Layer]) -> Vec<Entry> {
    layers.iter().flat_map(Entry::of).collect()
}

/// How wide a legend right of the plot is, at most `most`; nothing where there is nothing to
/// name.
pub(super) fn width(layers: &[Layer], most: f64) -> Result<f64, ChartError> {
    let mut widest: f64 = 0.0;
    for entry in entries(layers) {
        widest = widest.max(entry.width()?);
    }
    Ok(widest.ceil().min(most))
}

/// How high a legend below the plot is, with rows of `room` pixels.
pub(super) fn height(layers: &[Layer], room: f64) -> Result<f64, ChartError> {
    Ok(rows(entries(layers), room)?.len() as f64 * MOST_ROW)
}

/// The entries side by side, in as many rows as they need.
fn rows(entries: Vec<Entry>, room: f64) -> Result<Vec<Vec<Entry>>, ChartError> {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut left = 0.0;
    for entry in entries {
        let width = entry.width()?;
        match rows.last_mut() {
            Some(row) if width <= left => row.push(entry),
            _ => {
                left = room;
                rows.push(vec![entry]);
            }
        }
        left -= width + BETWEEN;
    }
    Ok(rows)
}

pub(super) fn draw<B: DrawingBackend>(
    layers: &[Layer],
    layout: &Layout,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let area = layout.legend;
    if layout.legend_is_below {
        let mut middle = area.top + MOST_ROW / 2.0;
        for row in rows(entries(layers), area.right - area.left)? {
            let mut left = area.left;
            for entry in row {
                one(&entry, (left, middle), area, canvas)?;
                left += entry.width()? + BETWEEN;
            }
            middle += MOST_ROW;
        }
        return Ok(());
    }
    column(&entries(layers), area, canvas)
}

/// One below the other.
fn column<B: DrawingBackend>(
    entries: &[Entry],
    area: Rect,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let room = area.bottom - area.top;
    let row = (room / entries.len().max(1) as f64).clamp(LEAST_ROW, MOST_ROW);
    let rows = (room / row) as usize;
    // The last row tells how many have none.
    let shown = if entries.len() > rows {
        rows.saturating_sub(1)
    } else {
        entries.len()
    };
    let mut middle = area.top + row / 2.0;
    for entry in &entries[..shown] {
        one(entry, (area.left, middle), area, canvas)?;
        middle += row;
    }
    if shown < entries.len() {
        let more = Entry {
            sample: Sample::None,
            name: format!("and {} more", entries.len() - shown),
        };
        one(&more, (area.left + SAMPLE + GAP, middle), area, canvas)?;
    }
    Ok(())
}

fn one<B: DrawingBackend>(
    entry: &Entry,
    (x, y): Point,
    area: Rect,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let centre = (x + SAMPLE / 2.0, y);
    match entry.sample {
        Sample::Line(style) => {
            stroke::stroke(canvas, &[(x, y), (x + SAMPLE, y)], style)?;
            markers::draw(canvas, style.marker, centre, style.colour)?;
        }
        Sample::Point(marker, colour) => markers::draw(canvas, marker, centre, colour)?,
        Sample::Colour(colour) => {
            let rect = Rect {
                left: x,
                top: y - EM / 2.0,
                right: x + COLOUR,
                bottom: y + EM / 2.0,
            };
            canvas.rectangle(rect, colour)?;
        }
        Sample::None => {}
    }
    let left = x + entry.indent();
    let look = Text {
        em: EM,
        colour: INK,
        anchor: Anchor::Start,
        upwards: false,
    };
    let name = cut(&entry.name, EM, area.right - left)?;
    canvas.text((left, y + EM * 0.365), &name, look)
}
