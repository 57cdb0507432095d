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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Of line and marker.
    pub colour: Colour,
    /// Of the line.
    pub dash: Dash,
    /// Along the line.
    pub marker: Marker,
}

/// Styles for as many series as can be told apart: no two have the same colour, none the same
/// dash and marker. The colours differ in lightness too.
pub const STYLES: [Style; 12] = [
    style(Colour(0x00, 0x00, 0x00), Dash::Solid, Marker::Square),
    style(Colour(0x99, 0x99, 0x33), Dash::Dotted, Marker::Up),
    style(Colour(0xe6, 0x9f, 0x00), Dash::Dashed, Marker::Diamond),
    style(Colour(0xd5, 0x5e, 0x00), Dash::Solid, Marker::Plus),
    style(Colour(0x80, 0x80, 0x80), Dash::Dashed, Marker::Cross),
    style(Colour(0xaa, 0x44, 0x99), Dash::DashDot, Marker::Plus),
    style(Colour(0x11, 0x77, 0x33), Dash::Dashed, Marker::Down),
    style(Colour(0x44, 0xaa, 0x99), Dash::Solid, Marker::Diamond),
    style(Colour(0x56, 0xb4, 0xe9), Dash::DashDot, Marker::Disc),
    style(Colour(0xcc, 0x66, 0x77), Dash::Solid, Marker::Up),
    style(Colour(0x88, 0x22, 0x55), Dash::Dashed, Marker::Square),
    style(Colour(0x00, 0x44, 0xaa), Dash::Solid, Marker::Disc),
];

const fn style(colour: Colour, dash: Dash, marker: Marker) -> Style {
    Style {
        colour,
        dash,
        marker,
    }
}
