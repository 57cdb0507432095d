//! The shapes of markers.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Colour, Marker,
    canvas::{Canvas, Point},
    style::PAPER,
};

/// Half the width of a marker, in pixels.
pub(super) const RADIUS: f64 = 4.0;
/// Width of the lines of those that are not filled.
const LINE: f64 = 1.6;

/// A marker around `at`.
pub(super) fn draw<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    marker: Marker,
    (x, y): Point,
    colour: Colour,
) -> Result<(), ChartError> {
    let square = |half: f64| {
        [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]
    };
    let triangle = |height: f64| {
        [
            (x, y - height),
            (x + RADIUS * 1.1, y + height * 0.8),
            (x - RADIUS * 1.1, y + height * 0.8),
        ]
    };
    match marker {
        Marker::Disc => canvas.disc((x, y), RADIUS, colour),
        Marker::Ring => {
            canvas.disc((x, y), RADIUS, colour)?;
            canvas.disc((x, y), RADIUS - LINE, PAPER)
        }
        Marker::Square => canvas.polygon(&square(RADIUS * 0.88), colour),
        Marker::Frame => {
            canvas.polygon(&square(RADIUS), colour)?;
            canvas.polygon(&square(RADIUS - LINE), PAPER)
        }
        Marker::Diamond => {
            let half = RADIUS * 1.25;
            let corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
            canvas.polygon(&corners, colour)
        }
        Marker::Up => canvas.polygon(&triangle(RADIUS * 1.1), colour),
        Marker::Down => canvas.polygon(&triangle(-RADIUS * 1.1), colour),
        Marker::Cross => {
            let half = RADIUS * 0.9;
            canvas.line(&[(x - half, y - half), (x + half, y + half)], LINE, colour)?;
            canvas.line(&[(x - half, y + half), (x + half, y - half)], LINE, colour)
        }
        Marker::Plus => {
            let half = RADIUS * 1.2;
            canvas.line(&[(x - half, y), (x + half, y)], LINE, colour)?;
            canvas.line(&[(x, y - half), (x, y + half)], LINE, colour)
        }
    }
}
