//! How series are told apart: by colour, and by dash and marker for those who do not see colours,
//! or print without.

/// Red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Long dashes.
    Dashed,
    /// Dashes and dots.
    DashDot,
    /// Dots.
    Dotted,
}

impl Dash {
    /// Lengths of dashes and gaps in turn, in pixels; empty where there are no gaps.
    pub(super) const fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[9.0, 6.0],
            Self::DashDot => &[10.0, 4.0, 2.5, 4.0],
            Self::Dotted => &[2.5, 4.0],
        }
    }

    /// How much of a line lies open below: what has less gaps is drawn first, so that of lines
    /// that coincide each shows in the gaps of the next.
    pub(super) fn openness(self) -> f64 {
        let pattern = self.pattern();
        let gaps: f64 = pattern.iter().skip(1).step_by(2).sum();
        let all: f64 = pattern.iter().sum();
        if all == 0.0 { 0.0 } else { gaps / all }
    }
}

/// What marks single points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Disc,
    /// A circle.
    Ring,
    /// A filled square.
    Square,
    /// A square.
    Frame,
    /// A filled square on its corner.
    Diamond,
    /// A filled triangle that points up.
    Up,
    /// A filled triangle that points down.
    Down,
    /// An oblique cross.
    Cross,
    /// An upright cross.
    Plus,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Of line and marker.
    pub colour: Colour,
    /// Of the line.
    pub dash: Dash,
    /// Along the line.
    pub marker: Marker,
    /// Width of the line, in pixels. Broad lines lie below narrow ones, as their edges.
    pub width: f64,
}

/// Styles for as many series as can be told apart: no two have the same colour, none the same
/// dash and marker. The colours differ in lightness too.
pub const STYLES: [Style; 12] = [
    broad(Colour(0x00, 0x00, 0x00), Marker::Square),
    style(Colour(0xcf, 0xaa, 0x64), Dash::Dotted, Marker::Up),
    style(Colour(0xff, 0x9b, 0x00), Dash::Dashed, Marker::Diamond),
    style(Colour(0xe1, 0x33, 0x0a), Dash::Solid, Marker::Plus),
    style(Colour(0xa8, 0xa8, 0xa8), Dash::Dashed, Marker::Cross),
    style(Colour(0x69, 0x22, 0x8b), Dash::DashDot, Marker::Plus),
    style(Colour(0x1c, 0x6b, 0x2c), Dash::Dashed, Marker::Down),
    style(Colour(0x47, 0x80, 0x9e), Dash::Solid, Marker::Diamond),
    style(Colour(0x00, 0xb8, 0xff), Dash::DashDot, Marker::Disc),
    broad(Colour(0xd6, 0x4e, 0x65), Marker::Up),
    style(Colour(0x81, 0x08, 0x55), Dash::Dashed, Marker::Square),
    style(Colour(0x24, 0x25, 0xc7), Dash::Solid, Marker::Disc),
];

const fn style(colour: Colour, dash: Dash, marker: Marker) -> Style {
    Style {
        colour,
        dash,
        marker,
        width: 2.0,
    }
}

const fn broad(colour: Colour, marker: Marker) -> Style {
    Style {
        width: 4.0,
        ..style(colour, Dash::Solid, marker)
    }
}
