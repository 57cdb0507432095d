//! Dashes, and places along a line.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Style,
    canvas::{Canvas, Point},
};

/// A line through `points`, as `style` says.
pub(super) fn stroke<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    points: &[Point],
    style: Style,
) -> Result<(), ChartError> {
    let (width, colour) = (style.width, style.colour);
    let pattern = style.dash.pattern();
    if pattern.is_empty() {
        return canvas.line(points, width, colour);
    }
    for piece in pieces(points, pattern) {
        canvas.line(&piece, width, colour)?;
    }
    Ok(())
}

/// The dashes of a line, each with the corners that lie on it.
fn pieces(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut lengths = pattern.iter().copied().cycle();
    let (mut left, mut drawn) = (lengths.next().unwrap_or(f64::INFINITY), true);
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = (to.0 - from.0).hypot(to.1 - from.1);
        while length > left {
            let turn = between(from, to, left / length);
            if drawn {
                piece.push(turn);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![turn];
            }
            length -= left;
            from = turn;
            left = lengths.next().unwrap_or(f64::INFINITY);
            drawn = !drawn;
        }
        left -= length;
        if drawn {
            piece.push(to);
        }
    }
    if drawn {
        pieces.push(piece);
    }
    pieces
}

/// Where a line that rises in x passes each of `places`; both in pixels.
pub(super) fn crossings(points: &[Point], places: impl Iterator<Item = f64>) -> Vec<Point> {
    let crossing = |x: f64| {
        let pair = points
            .windows(2)
            .find(|pair| (pair[0].0..=pair[1].0).contains(&x))?;
        let share = (x - pair[0].0) / (pair[1].0 - pair[0].0);
        // A vertical piece has no share; its beginning is on it.
        let share = if share.is_finite() { share } else { 0.0 };
        Some(between(pair[0], pair[1], share))
    };
    places.filter_map(crossing).collect()
}

fn between(from: Point, to: Point, share: f64) -> Point {
    (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let dashes = pieces(&line, &[6.0, 2.0]);
        let expected = [
            vec![(0.0, 0.0), (6.0, 0.0)],
            vec![(8.0, 0.0), (10.0, 0.0), (10.0, 4.0)],
            vec![(10.0, 6.0), (10.0, 10.0)],
        ];
        assert_eq!(dashes, expected);
        assert_eq!(pieces(&[], &[1.0, 1.0]), [vec![]]);
    }

    #[test]
    fn crossings_lie_on_the_line() {
        let line = [(0.0, 0.0), (10.0, 20.0), (10.0, 30.0), (20.0, 30.0)];
        let places = [5.0, 10.0, 15.0, 25.0];
        let expected = [(5.0, 10.0), (10.0, 20.0), (15.0, 30.0)];
        assert_eq!(crossings(&line, places.into_iter()), expected);
    }
}
