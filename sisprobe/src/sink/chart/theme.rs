//! The names under which a page may set the colours of charts.

use super::{
    Colour, axes,
    cells::RAMP,
    layout,
    style::{FILL, LIMIT, MORE, PAPER, PREDICTED, SCANNED},
};

/// Every colour that a page may set, with the end of its variable's name.
pub const THEME: [(Colour, &str); 20] = [
    (PAPER, "paper"),
    (layout::INK, "ink"),
    (layout::FAINT_INK, "faint-ink"),
    (axes::GRID, "grid"),
    (axes::AXIS, "axis"),
    (SCANNED, "scanned"),
    (PREDICTED, "predicted"),
    (LIMIT, "limit"),
    (MORE[0], "series-3"),
    (MORE[1], "series-4"),
    (MORE[2], "series-5"),
    (MORE[3], "series-6"),
    (FILL, "fill"),
    (RAMP[0], "heat-1"),
    (RAMP[1], "heat-2"),
    (RAMP[2], "heat-3"),
    (RAMP[3], "heat-4"),
    (RAMP[4], "heat-5"),
    (RAMP[5], "heat-6"),
    (RAMP[6], "heat-7"),
];

/// `--chart-ink` for `ink`.
pub fn variable(name: &str) -> String {
    format!("--chart-{name}")
}

/// An SVG with variables in place of its colours, which stay for where there are no variables.
pub(super) fn with_variables(svg: &str) -> String {
    let mut svg = svg.to_owned();
    for (Colour(red, green, blue), name) in THEME {
        let colour = format!("#{red:02X}{green:02X}{blue:02X}");
        let themed = format!("\"var({}, {colour})\"", variable(name));
        svg = svg.replace(&format!("\"{colour}\""), &themed);
    }
    svg
}
