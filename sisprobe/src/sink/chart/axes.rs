//! The frame: grid, ticks and the labels of the axes.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Colour,
    canvas::{Anchor, Canvas, Point, Rect, Text},
    layout::{INK, LABEL, Layout, TICK},
    plane::Plane,
    ticks::label,
};

pub(super) const GRID: Colour = Colour(0xe4, 0xe4, 0xe4);
pub(super) const AXIS: Colour = Colour(0x77, 0x77, 0x77);

pub(super) fn draw<B: DrawingBackend>(
    layout: &Layout,
    plane: &Plane<'_>,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let frame = plane.frame;
    let look = |em, anchor, upwards| Text {
        em,
        colour: INK,
        anchor,
        upwards,
    };
    for &tick in &layout.x_ticks {
        let x = plane.x_at(tick).floor();
        rule(canvas, (x, frame.top), (x + 1.0, frame.bottom), GRID)?;
        let text = label(tick, &layout.x_ticks, plane.x.numbers);
        let at = (x, frame.bottom + 4.0 + TICK);
        canvas.text(at, &text, look(TICK, Anchor::Middle, false))?;
    }
    for &tick in &layout.y_ticks {
        let y = plane.y_at(tick).floor();
        rule(canvas, (frame.left, y), (frame.right, y + 1.0), GRID)?;
        let text = label(tick, &layout.y_ticks, plane.y.numbers);
        // Digits are 0.73 em high: half of it below the middle.
        let at = (frame.left - 7.0, y + TICK * 0.365);
        canvas.text(at, &text, look(TICK, Anchor::End, false))?;
    }
    let corner = (frame.left + 1.0, frame.bottom + 1.0);
    rule(canvas, (frame.left, frame.top), corner, AXIS)?;
    rule(
        canvas,
        (frame.left, frame.bottom),
        (frame.right, corner.1),
        AXIS,
    )?;

    let middle = |from: f64, to: f64| f64::midpoint(from, to);
    let (line, text) = &layout.x_label;
    let at = (middle(frame.left, frame.right), *line);
    canvas.text(at, text, look(LABEL, Anchor::Middle, false))?;
    for (line, text) in &layout.y_label {
        let at = (*line, middle(frame.top, frame.bottom));
        canvas.text(at, text, look(LABEL, Anchor::Middle, true))?;
    }
    Ok(())
}

/// A thin line as a rectangle of whole pixels, which no backend smears over two.
fn rule<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    (left, top): Point,
    (right, bottom): Point,
    colour: Colour,
) -> Result<(), ChartError> {
    let rect = Rect {
        left,
        top,
        right,
        bottom,
    };
    canvas.rectangle(rect, colour)
}
