//! Charts: what is to be seen in, an SVG or a PNG out.
//!
//! A [`Chart`] has two axes and layers between them. A new kind of chart is a new [`Layer`];
//! title, axes, legend and notes are then there already.

mod axes;
mod canvas;
mod cells;
mod error;
mod font;
mod layer;
mod layout;
mod legend;
mod markers;
mod plane;
mod png;
mod stroke;
mod style;
mod svg;
#[cfg(test)]
mod tests;
mod theme;
mod ticks;
mod wrap;

pub use self::{
    cells::{Cell, Cells},
    error::ChartError,
    layer::{Bars, Layer, Line, Points},
    png::png,
    style::{Colour, Dash, FILL, LIMIT, Marker, PREDICTED, SCANNED, SERIES, STYLES, Style},
    svg::{svg, svg_of_page},
    theme::{THEME, variable},
};

use plotters::prelude::DrawingBackend;

use self::{canvas::Canvas, layout::Layout, plane::Plane};

/// What is to be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// One line over everything, in a few words.
    pub title: String,
    /// What a reader must know of how it was made; broken into lines where it is long.
    pub subtitle: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn between the axes, each over those before it; but all lines lie below all
    /// points.
    pub layers: Vec<Layer>,
    /// Paragraphs below the chart.
    pub notes: Vec<String>,
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it is, with its unit.
    pub label: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends; more than `from`.
    pub to: f64,
    /// Whether only whole numbers have a meaning on it, and so a tick.
    pub whole: bool,
    /// Whether its end has a tick even where that is no round number.
    pub end_tick: bool,
    /// How its ticks are written.
    pub numbers: Numbers,
}

/// How the ticks of an axis are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// As numbers, with as few digits as tell them apart.
    #[default]
    Plain,
    /// k stands for 2^k and is written so, with binary K, M, G: `4K` for 12.
    Exponents,
}

/// How large a chart is, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// To the right.
    pub width: u32,
    /// Downwards.
    pub height: u32,
}

impl Default for Size {
    /// What fits into a mail.
    fn default() -> Self {
        Self {
            width: 900,
            height: 560,
        }
    }
}

fn draw<B: DrawingBackend>(
    chart: &Chart,
    size: Size,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    let layout = Layout::new(chart, size)?;
    canvas.background(size)?;
    layout.draw_texts(canvas)?;
    let plane = Plane::new(&chart.x, &chart.y, layout.plot);
    axes::draw(&layout, &plane, canvas)?;
    layer::draw(&chart.layers, &plane, canvas)?;
    legend::draw(&chart.layers, &layout, canvas)?;
    canvas.finish()
}
