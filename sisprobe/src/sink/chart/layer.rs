//! What is drawn between the axes.

use plotters::prelude::DrawingBackend;

use super::{
    Cells, ChartError, Colour, Marker, Style,
    canvas::{Canvas, MEET, Point, Rect},
    markers,
    plane::Plane,
    stroke,
};

/// How far the markers of one line lie apart, in pixels, or less on a small chart.
const MARKERS: f64 = 150.0;

/// One thing between the axes, with its entry in the legend.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A curve.
    Line(Line),
    /// Single points.
    Points(Points),
    /// The cells of a heatmap.
    Cells(Cells),
    /// Bars that stand on the axis to the right.
    Bars(Bars),
}

/// A curve: straight from one value to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Values of the two axes, with x never falling. One that is not finite is a gap.
    pub values: Vec<(f64, f64)>,
    /// How it looks. Its markers stand at places of their own, not at values, and away from
    /// those of other lines, so that lines which coincide can be told apart.
    pub style: Style,
}

/// Points that nothing joins.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Their name in the legend.
    pub name: String,
    /// Values of the two axes.
    pub values: Vec<(f64, f64)>,
    /// What stands at each.
    pub marker: Marker,
    /// Its colour.
    pub colour: Colour,
}

/// Bars, which stand below all lines and have no entry in the legend: they fill what a line goes
/// around.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// From where to where on the axis to the right, and up to where on the other.
    pub bars: Vec<((f64, f64), f64)>,
    /// Their colour.
    pub colour: Colour,
}

impl Bars {
    fn draw<B: DrawingBackend>(
        &self,
        plane: &Plane<'_>,
        canvas: &mut Canvas<'_, B>,
    ) -> Result<(), ChartError> {
        for &((from, to), value) in &self.bars {
            let rect = Rect {
                left: plane.x_at(from).round(),
                top: plane.y_at(value).round(),
                right: plane.x_at(to).round() + MEET,
                bottom: plane.y_at(plane.y.from).round(),
            };
            if rect.top < rect.bottom {
                canvas.rectangle(rect, self.colour)?;
            }
        }
        Ok(())
    }
}

impl Layer {
    /// Its name in the legend.
    pub fn name(&self) -> &str {
        match self {
            Self::Line(line) => &line.name,
            Self::Points(points) => &points.name,
            Self::Cells(cells) => &cells.name,
            Self::Bars(_) => "",
        }
    }

    const fn line(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Points(_) | Self::Cells(_) | Self::Bars(_) => None,
        }
    }
}

/// All layers: cells and bars, then lines, then their markers, then points.
pub(super) fn draw<B: DrawingBackend>(
    layers: &[Layer],
    plane: &Plane<'_>,
    canvas: &mut Canvas<'_, B>,
) -> Result<(), ChartError> {
    for layer in layers {
        match layer {
            Layer::Cells(cells) => cells.draw(plane, canvas)?,
            Layer::Bars(bars) => bars.draw(plane, canvas)?,
            Layer::Line(_) | Layer::Points(_) => {}
        }
    }
    let mut lines: Vec<(Vec<Vec<Point>>, Style)> = (layers.iter())
        .filter_map(Layer::line)
        .map(|line| (pieces(&line.values, plane), line.style))
        .collect();
    let spacing = MARKERS.min(plane.width() / 3.0);
    let count = lines.len() as f64;
    let mut marks = Vec::new();
    for (index, (pieces, style)) in lines.iter().enumerate() {
        let first = plane.values.left + (index as f64 + 0.5) / count * spacing;
        for points in pieces {
            let all = (0..)
                .map(|nth| first + f64::from(nth) * spacing)
                .take_while(|&x| x <= plane.values.right);
            let crossings = stroke::crossings(points, all).into_iter();
            marks.extend(crossings.map(|at| (at, *style)));
        }
    }
    lines.sort_by(|(_, one), (_, other)| {
        let gaps = one.dash.openness().total_cmp(&other.dash.openness());
        gaps.then(other.width.total_cmp(&one.width))
    });
    for (pieces, style) in &lines {
        for points in pieces {
            stroke::stroke(canvas, points, *style)?;
        }
    }
    for (at, style) in marks {
        markers::draw(canvas, style.marker, at, style.colour)?;
    }
    for layer in layers {
        if let Layer::Points(points) = layer {
            for at in pieces(&points.values, plane).concat() {
                markers::draw(canvas, points.marker, at, points.colour)?;
            }
        }
    }
    Ok(())
}

/// What lies between the gaps.
fn pieces(values: &[(f64, f64)], plane: &Plane<'_>) -> Vec<Vec<Point>> {
    values
        .split(|(x, y)| !x.is_finite() || !y.is_finite())
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.iter().map(|&value| plane.at(value)).collect())
        .collect()
}
