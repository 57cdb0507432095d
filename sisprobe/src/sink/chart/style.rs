//! How series are told apart: by colour, and by dash and marker for those who do not see colours,
//! or print without.

/// Red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// What is drawn on.
pub(super) const PAPER: Colour = Colour(255, 255, 255);

/// Of the CPUs that searches looked at.
pub const SCANNED: Colour = Colour(0x1f, 0x4f, 0xb4);
/// Of what the policy predicts.
pub const PREDICTED: Colour = Colour(0xc2, 0x41, 0x0c);
/// Of the limit as searches began.
pub const LIMIT: Colour = Colour(0x3f, 0x7d, 0x3a);

/// Of the bars below the first of several series.
pub const FILL: Colour = Colour(0xdd, 0xe6, 0xf6);

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
    style(Colour(0x28, 0x54, 0x28), Dash::Dashed, Marker::Down),
    style(Colour(0x47, 0x80, 0x9e), Dash::Solid, Marker::Diamond),
    style(Colour(0x00, 0xb8, 0xff), Dash::DashDot, Marker::Disc),
    broad(Colour(0xd6, 0x4e, 0x65), Marker::Up),
    style(Colour(0x81, 0x08, 0x55), Dash::Dashed, Marker::Square),
    style(Colour(0x24, 0x25, 0xc7), Dash::Solid, Marker::Disc),
];

/// What several captures are told apart by, the first first. Pages may set these colours, unlike
/// those of [`STYLES`].
pub const SERIES: [Style; 12] = [
    style(SCANNED, Dash::Solid, Marker::Disc),
    style(PREDICTED, Dash::Dashed, Marker::Diamond),
    style(MORE[0], Dash::DashDot, Marker::Up),
    style(MORE[1], Dash::Solid, Marker::Square),
    style(MORE[2], Dash::Dotted, Marker::Down),
    style(MORE[3], Dash::Dashed, Marker::Cross),
    style(SCANNED, Dash::Dotted, Marker::Square),
    style(PREDICTED, Dash::DashDot, Marker::Down),
    style(MORE[0], Dash::Solid, Marker::Cross),
    style(MORE[1], Dash::Dashed, Marker::Disc),
    style(MORE[2], Dash::Solid, Marker::Diamond),
    style(MORE[3], Dash::DashDot, Marker::Plus),
];

/// Colours of series beside those that have a meaning of their own.
pub(super) const MORE: [Colour; 4] = [
    Colour(0x11, 0x11, 0x11),
    Colour(0x0f, 0x8f, 0x6f),
    Colour(0xd0, 0xa0, 0x00),
    Colour(0xb0, 0x7c, 0xc6),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_is_one_of_its_own() {
        for (index, one) in STYLES.iter().enumerate() {
            for other in &STYLES[..index] {
                assert_ne!(one.colour, other.colour);
                assert_ne!((one.dash, one.marker), (other.dash, other.marker));
            }
        }
        for (index, one) in SERIES.iter().enumerate() {
            for other in &SERIES[..index] {
                assert_ne!((one.dash, one.marker), (other.dash, other.marker));
            }
        }
    }

    /// What people see who lack one kind of cones: linear RGB to linear RGB, after Machado,
    /// Oliveira and Fernandes 2009, severity 1.
    const VISION: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    fn linear(byte: u8) -> f64 {
        let value = f64::from(byte) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    }

    /// CIE L*a*b*, white D65.
    fn lab(Colour(red, green, blue): Colour, vision: [[f64; 3]; 3]) -> [f64; 3] {
        let rgb = [linear(red), linear(green), linear(blue)];
        let times = |row: [f64; 3], by: [f64; 3]| -> f64 { (0..3).map(|i| row[i] * by[i]).sum() };
        let seen = vision.map(|row| times(row, rgb).clamp(0.0, 1.0));
        let cube = |value: f64| {
            if value > 0.008856 {
                value.cbrt()
            } else {
                7.787 * value + 16.0 / 116.0
            }
        };
        let x = cube(times([0.4124, 0.3576, 0.1805], seen) / 0.9505);
        let y = cube(times([0.2126, 0.7152, 0.0722], seen));
        let z = cube(times([0.0193, 0.1192, 0.9505], seen) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// A difference of 2 can just be seen side by side; lines and legend lie far apart.
    #[test]
    fn colours_differ_for_everyone() {
        for styles in [&STYLES[..], &SERIES[..6]] {
            for vision in VISION {
                let seen: Vec<_> = styles
                    .iter()
                    .map(|style| lab(style.colour, vision))
                    .collect();
                for (index, one) in seen.iter().enumerate() {
                    assert!(one[0] < 80.0, "too light on white: {:?}", styles[index]);
                    for other in &seen[..index] {
                        let square: f64 = (0..3).map(|i| (one[i] - other[i]).powi(2)).sum();
                        let (style, apart) = (styles[index], square.sqrt());
                        assert!(apart > 15.0, "{style:?}: {one:?} {other:?}");
                    }
                }
            }
        }
    }
}
