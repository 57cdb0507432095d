//! SVG: one file, which scales, with texts as texts.

use plotters::prelude::SVGBackend;

use super::{
    Chart, ChartError, Size,
    canvas::{Canvas, TextRule},
    draw, theme,
};

/// Parts of a pixel that coordinates have.
const FACTOR: u32 = 10;

/// How plotters-svg places texts.
const TEXT: TextRule = TextRule {
    size: 1.24,
    ascent: 0.76,
};

/// The chart as an SVG document, `size` large where nothing else is said.
///
/// # Errors
///
/// [`ChartError`]: an axis is not one, or there is no room.
pub fn svg(chart: &Chart, size: Size) -> Result<String, ChartError> {
    let mut text = String::new();
    let (width, height) = (size.width * FACTOR, size.height * FACTOR);
    {
        let mut backend = SVGBackend::with_string(&mut text, (width, height));
        draw(chart, size, &mut Canvas::new(&mut backend, FACTOR, TEXT))?;
    }
    // The document's own size stands once, in its first line; the viewBox stays.
    let large = format!("width=\"{width}\" height=\"{height}\"");
    let own = format!("width=\"{}\" height=\"{}\"", size.width, size.height);
    Ok(text.replacen(&large, &own, 1))
}

/// The same for a page to take in: each colour of [`THEME`](super::THEME) is the CSS variable of
/// its name, as far as the page sets it, so that the chart follows the page into the dark.
///
/// # Errors
///
/// As [`svg`].
pub fn svg_of_page(chart: &Chart, size: Size) -> Result<String, ChartError> {
    svg(chart, size).map(|text| theme::with_variables(&text))
}
