//! The legend, right of the plot.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Layer,
    canvas::{Anchor, Canvas, Text},
    font,
    layout::{INK, Layout},
    markers, stroke,
    wrap::cut,
};

/// Em of the names, in pixels.
const EM: f64 = 12.0;
/// Width of the sample before a name, and the gap behind it.
const SAMPLE: f64 = 40.0;
const GAP: f64 = 8.0;
/// From one entry to the next: as much as there is room for, within these.
const MOST_ROW: f64 = 23.0;
const LEAST_ROW: f64 = 15.0;

/// How wide the legend is, at most `most`; nothing where there is nothing to name.
pub(super) fn width(layers: &[Layer], most: f64) -> Result<f64, ChartError> {
    let mut widest: f64 = 0.0;
    for layer in layers {
        widest = widest.max(font::width(layer.name(), EM)?);
    }
    if layers.is_empty() {
        return Ok(0.0);
    }
    Ok((SAMPLE + GAP + widest).ceil().min(most))
}

pub(super) fn draw<B: DrawingBackend>(
    layers: &[Layer],
    layout: &Layout,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let area = layout.legend;
    let room = area.bottom - area.top;
    let row = (room / layers.len().max(1) as f64).clamp(LEAST_ROW, MOST_ROW);
    let rows = (room / row) as usize;
    let look = Text {
        em: EM,
        colour: INK,
        anchor: Anchor::Start,
        upwards: false,
    };
    // The last row tells how many have none.
    let shown = if layers.len() > rows {
        rows.saturating_sub(1)
    } else {
        layers.len()
    };
    let left = area.left + SAMPLE + GAP;
    let mut middle = area.top + row / 2.0;
    for layer in &layers[..shown] {
        sample(layer, (area.left, middle), canvas)?;
        let name = cut(layer.name(), EM, area.right - left)?;
        canvas.text((left, middle + EM * 0.365), &name, look)?;
        middle += row;
    }
    if shown < layers.len() {
        let text = format!("and {} more", layers.len() - shown);
        canvas.text((left, middle + EM * 0.365), &text, look)?;
    }
    Ok(())
}

fn sample<B: DrawingBackend>(
    layer: &Layer,
    (x, y): (f64, f64),
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let centre = (x + SAMPLE / 2.0, y);
    match layer {
        Layer::Line(line) => {
            let style = line.style;
            let ends = [(x, y), (x + SAMPLE, y)];
            stroke::stroke(canvas, &ends, style)?;
            markers::draw(canvas, style.marker, centre, style.colour)
        }
        Layer::Points(points) => markers::draw(canvas, points.marker, centre, points.colour),
    }
}
