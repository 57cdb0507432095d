//! A plotters backend, drawn on in pixels of the chart.
//!
//! plotters takes whole numbers as coordinates. The backend is larger than the chart by a factor,
//! so that a curve does not become a staircase.

use plotters::{
    prelude::DrawingBackend,
    style::{
        Color as _, FontTransform, RGBColor, ShapeStyle, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::{ChartError, Colour, Size, font, style::PAPER};

/// A place, in pixels from the upper left corner.
pub(super) type Point = (f64, f64);

/// By how much, in pixels, rectangles overlap that are to meet: an SVG loses a tenth of a pixel of
/// each, a bitmap a third.
pub(super) const MEET: f64 = 0.34;

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Text {
    /// Pixels of an em.
    pub(super) em: f64,
    pub(super) colour: Colour,
    pub(super) anchor: Anchor,
    /// Whether it runs upwards.
    pub(super) upwards: bool,
}

/// How a backend places a text; both in parts of its em.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextRule {
    /// What it takes for the size of a font.
    pub(super) size: f64,
    /// From the place of a text that is anchored at its top down to the base line.
    pub(super) ascent: f64,
}

pub(super) struct Canvas<'a, B> {
    backend: &'a mut B,
    factor: f64,
    rule: TextRule,
}

impl<'a, B: DrawingBackend> Canvas<'a, B> {
    /// The chart's canvas on a backend that is larger by `factor`.
    pub(super) const fn new(backend: &'a mut B, factor: u32, rule: TextRule) -> Self {
        Self {
            backend,
            factor: factor as f64,
            rule,
        }
    }

    pub(super) fn background(&mut self, size: Size) -> Result<(), ChartError> {
        let all = Rect {
            left: 0.0,
            top: 0.0,
            right: f64::from(size.width) + 1.0,
            bottom: f64::from(size.height) + 1.0,
        };
        self.rectangle(all, PAPER)
    }

    pub(super) fn rectangle(&mut self, rect: Rect, colour: Colour) -> Result<(), ChartError> {
        let from = self.place((rect.left, rect.top));
        let (right, bottom) = self.place((rect.right, rect.bottom));
        // The bitmap draws the last row and column too; in the SVG a tenth of a pixel is lost.
        let to = (right - 1, bottom - 1);
        (self.backend)
            .draw_rect(from, to, &rgb(colour).filled(), true)
            .map_err(ChartError::draw)
    }

    /// A line through `points`; none where there are less than two.
    pub(super) fn line(
        &mut self,
        points: &[Point],
        width: f64,
        colour: Colour,
    ) -> Result<(), ChartError> {
        let mut places: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        places.dedup();
        if places.len() < 2 {
            return Ok(());
        }
        let style = self.outline(width, colour);
        self.backend
            .draw_path(places, &style)
            .map_err(ChartError::draw)
    }

    /// A filled polygon.
    pub(super) fn polygon(&mut self, points: &[Point], colour: Colour) -> Result<(), ChartError> {
        let places: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        (self.backend)
            .fill_polygon(places, &rgb(colour).filled())
            .map_err(ChartError::draw)
    }

    pub(super) fn disc(
        &mut self,
        centre: Point,
        radius: f64,
        colour: Colour,
    ) -> Result<(), ChartError> {
        let (centre, radius) = (self.place(centre), self.length(radius));
        (self.backend)
            .draw_circle(centre, radius, &rgb(colour).filled(), true)
            .map_err(ChartError::draw)
    }

    /// A text on the base line that goes through `at`.
    pub(super) fn text(&mut self, at: Point, text: &str, look: Text) -> Result<(), ChartError> {
        let down = self.rule.ascent * look.em;
        let (at, transform) = if look.upwards {
            ((at.0 - down, at.1), FontTransform::Rotate270)
        } else {
            ((at.0, at.1 - down), FontTransform::None)
        };
        let horizontal = match look.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let colour = rgb(look.colour);
        let style = TextStyle::from(font::font(look.em * self.factor, self.rule.size)?)
            .color(&colour)
            .transform(transform)
            .pos(Pos::new(horizontal, VPos::Top));
        let at = self.place(at);
        // XML has no place for them, whatever a name says.
        let text = text.replace(char::is_control, "\u{fffd}");
        self.backend
            .draw_text(&text, &style, at)
            .map_err(ChartError::draw)
    }

    pub(super) fn finish(&mut self) -> Result<(), ChartError> {
        self.backend.present().map_err(ChartError::draw)
    }

    /// Conversions from f64 saturate: what is far outside stays outside.
    fn place(&self, (x, y): Point) -> (i32, i32) {
        let far = f64::from(i16::MAX);
        let whole = |value: f64| (value * self.factor).round().clamp(-far, far) as i32;
        (whole(x), whole(y))
    }

    fn length(&self, length: f64) -> u32 {
        (length * self.factor).round().max(1.0) as u32
    }

    fn outline(&self, width: f64, colour: Colour) -> ShapeStyle {
        rgb(colour).stroke_width(self.length(width))
    }
}

const fn rgb(Colour(red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}
