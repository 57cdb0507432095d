//! From values to pixels.

use super::{
    Axis,
    canvas::{Point, Rect},
};

/// How far the ends of the axes lie inside the plot, in pixels, so that a line at the end does
/// not lie on the frame.
const INSET: f64 = 8.0;

/// How many times the plot a value may lie outside of it, before it is taken to be nearer: a line
/// to it still goes the right way, and is not drawn for ever.
const FAR: f64 = 10.0;

/// The values of two axes, laid over a rectangle.
pub(super) struct Plane<'a> {
    pub(super) x: &'a Axis,
    pub(super) y: &'a Axis,
    /// All of it.
    pub(super) frame: Rect,
    /// What the values span.
    pub(super) values: Rect,
}

impl<'a> Plane<'a> {
    pub(super) const fn new(x: &'a Axis, y: &'a Axis, frame: Rect) -> Self {
        let values = Rect {
            left: frame.left + INSET,
            top: frame.top + INSET,
            right: frame.right - INSET,
            bottom: frame.bottom - INSET,
        };
        Self {
            x,
            y,
            frame,
            values,
        }
    }

    /// Where a value lies.
    pub(super) fn at(&self, (x, y): (f64, f64)) -> Point {
        (self.x_at(x), self.y_at(y))
    }

    pub(super) fn x_at(&self, value: f64) -> f64 {
        let Rect { left, right, .. } = self.values;
        left + share(self.x, value) * (right - left)
    }

    pub(super) fn y_at(&self, value: f64) -> f64 {
        let Rect { top, bottom, .. } = self.values;
        bottom - share(self.y, value) * (bottom - top)
    }

    /// Pixels of the horizontal axis.
    pub(super) const fn width(&self) -> f64 {
        self.values.right - self.values.left
    }
}

fn share(axis: &Axis, value: f64) -> f64 {
    ((value - axis.from) / (axis.to - axis.from)).clamp(-FAR, FAR)
}
