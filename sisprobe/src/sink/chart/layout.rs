//! Who has which part of the picture.

use plotters::prelude::DrawingBackend;

use super::{
    Axis, Chart, ChartError, Colour, Size,
    canvas::{Anchor, Canvas, Rect, Text},
    font, legend, ticks,
    wrap::{cut, wrap},
};

/// Free space at the edges and between parts, in pixels.
const MARGIN: f64 = 16.0;
const GAP: f64 = 8.0;
/// Ems, in pixels.
const TITLE: f64 = 17.0;
const SUBTITLE: f64 = 12.0;
pub(super) const LABEL: f64 = 13.0;
pub(super) const TICK: f64 = 12.0;
const NOTE: f64 = 11.5;
/// From one base line to the next, in ems.
const LINE: f64 = 1.35;
/// Least distances of ticks, in pixels.
const X_TICKS: f64 = 48.0;
const Y_TICKS: f64 = 30.0;
/// Charts that are narrower have their legend below.
const NARROW: f64 = 640.0;
/// A plot that is smaller shows nothing.
const LEAST_PLOT: f64 = 80.0;

pub(super) const INK: Colour = Colour(0x22, 0x22, 0x22);
pub(super) const FAINT_INK: Colour = Colour(0x55, 0x55, 0x55);

/// The parts of the picture, and the texts that had to be fitted into them.
pub(super) struct Layout {
    /// Between the axes.
    pub(super) plot: Rect,
    /// Right of the plot, or below it; of no width where there is nothing to tell apart.
    pub(super) legend: Rect,
    pub(super) legend_is_below: bool,
    /// Ticks of the axes.
    pub(super) x_ticks: Vec<f64>,
    pub(super) y_ticks: Vec<f64>,
    /// The text below the x axis, with its base line.
    pub(super) x_label: (f64, String),
    /// The lines of the text left of the y axis, each with its base line.
    pub(super) y_label: Vec<(f64, String)>,
    left: f64,
    title: String,
    subtitle: Vec<String>,
    notes: Vec<String>,
    bottom: f64,
}

impl Layout {
    pub(super) fn new(chart: &Chart, size: Size) -> Result<Self, ChartError> {
        check(&chart.x)?;
        check(&chart.y)?;
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (left, right, bottom) = (MARGIN, width - MARGIN, height - MARGIN);
        let subtitle = wrap(&chart.subtitle, SUBTITLE, right - left)?;
        let mut notes = Vec::new();
        for note in &chart.notes {
            notes.extend(wrap(note, NOTE, right - left)?);
        }
        let heading = if chart.title.is_empty() { 0.0 } else { TITLE };
        let heading = heading + subtitle.len() as f64 * SUBTITLE * LINE;
        let top = MARGIN + if heading > 0.0 { heading + MARGIN } else { 0.0 };
        let mut below = bottom;
        if !notes.is_empty() {
            below -= notes.len() as f64 * NOTE * LINE + GAP;
        }
        let legend_is_below = width < NARROW;
        if legend_is_below {
            below -= legend::height(&chart.layers, right - left)?;
        }
        let legend_top = below;
        let x_label = below - LABEL * 0.3 - if legend_is_below { GAP } else { 0.0 };
        let plot_bottom = x_label - LABEL - GAP - TICK - GAP / 2.0;
        let legend_width = if legend_is_below {
            right - left
        } else {
            legend::width(&chart.layers, (right - left) * 0.35)?
        };
        let legend_left = right - legend_width;
        let plot_right = if legend_width > 0.0 && !legend_is_below {
            legend_left - MARGIN
        } else {
            right
        };
        let y_ticks = ticks::ticks(&chart.y, (plot_bottom - top).max(1.0), Y_TICKS);
        let mut widest: f64 = 0.0;
        for &tick in &y_ticks {
            widest = widest.max(font::width(
                &ticks::label(tick, &y_ticks, chart.y.numbers),
                TICK,
            )?);
        }
        let y_label: Vec<(f64, String)> = wrap(&chart.y.label, LABEL, plot_bottom - top)?
            .into_iter()
            .enumerate()
            .map(|(line, text)| (left + LABEL * (1.0 + line as f64 * LINE), text))
            .collect();
        let label_right = y_label.last().map_or(left, |(line, _)| *line);
        let plot_left = label_right + GAP + widest + GAP;
        let plot = Rect {
            left: plot_left.ceil(),
            top: top.ceil(),
            right: plot_right.floor(),
            bottom: plot_bottom.floor(),
        };
        if plot.right - plot.left < LEAST_PLOT || plot.bottom - plot.top < LEAST_PLOT {
            return Err(ChartError::TooSmall(size));
        }
        Ok(Self {
            plot,
            legend: Rect {
                left: legend_left,
                top: if legend_is_below {
                    legend_top
                } else {
                    plot.top
                },
                right,
                bottom: if legend_is_below { bottom } else { below },
            },
            legend_is_below,
            x_ticks: ticks::ticks(&chart.x, plot.right - plot.left, X_TICKS),
            y_ticks,
            x_label: (x_label, cut(&chart.x.label, LABEL, plot.right - plot.left)?),
            y_label,
            left,
            title: cut(&chart.title, TITLE, right - left)?,
            subtitle,
            notes,
            bottom,
        })
    }

    /// Title, subtitle and notes.
    pub(super) fn draw_texts<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
    ) -> Result<(), ChartError> {
        let look = |em, colour| Text {
            em,
            colour,
            anchor: Anchor::Start,
            upwards: false,
        };
        let mut line = MARGIN + TITLE * 0.85;
        canvas.text((self.left, line), &self.title, look(TITLE, INK))?;
        line += TITLE * 0.15;
        for text in &self.subtitle {
            line += SUBTITLE * LINE;
            canvas.text((self.left, line), text, look(SUBTITLE, FAINT_INK))?;
        }
        let first = self.notes.len() as f64 - 1.0;
        line = self.bottom - NOTE * 0.25 - first * NOTE * LINE;
        for text in &self.notes {
            canvas.text((self.left, line), text, look(NOTE, FAINT_INK))?;
            line += NOTE * LINE;
        }
        Ok(())
    }
}

fn check(axis: &Axis) -> Result<(), ChartError> {
    // Also where one is not a number.
    if axis.from.is_finite() && axis.to.is_finite() && axis.from < axis.to {
        return Ok(());
    }
    Err(ChartError::Axis {
        label: axis.label.clone(),
        from: axis.from.to_string(),
        to: axis.to.to_string(),
    })
}
