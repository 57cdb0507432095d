//! The cells of a heatmap, and which colour a count has.

use plotters::prelude::DrawingBackend;

use super::{
    ChartError, Colour,
    canvas::{Canvas, MEET, Rect},
    plane::Plane,
};

/// From few to many.
pub(super) const RAMP: [Colour; 7] = [
    Colour(0xdc, 0xe9, 0xf7),
    Colour(0xb4, 0xd2, 0xee),
    Colour(0x85, 0xb6, 0xe2),
    Colour(0x55, 0x96, 0xd2),
    Colour(0x2f, 0x74, 0xb8),
    Colour(0x19, 0x51, 0x92),
    Colour(0x0b, 0x2f, 0x61),
];

/// By what the counts of one colour are greater than those of the one before.
const FACTORS: [u64; 6] = [2, 4, 10, 30, 100, 1000];

/// Rectangles whose colours tell how many of something there were. A count of 0 has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// What is counted.
    pub name: String,
    /// In any order; none should lie over another.
    pub cells: Vec<Cell>,
}

/// One cell: from where to where on the axes, and how many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// On the axis to the right.
    pub x: (f64, f64),
    /// On the axis upwards.
    pub y: (f64, f64),
    /// How many.
    pub count: u64,
}

impl Cells {
    pub(super) fn draw<B: DrawingBackend>(
        &self,
        plane: &Plane<'_>,
        canvas: &mut Canvas<'_, B>,
    ) -> Result<(), ChartError> {
        let scale = self.scale();
        for cell in &self.cells {
            let Some(colour) = scale.colour(cell.count) else {
                continue;
            };
            // Edges on whole pixels, so that nothing is smeared.
            let rect = Rect {
                left: plane.x_at(cell.x.0).round(),
                top: plane.y_at(cell.y.1).round(),
                right: plane.x_at(cell.x.1).round() + MEET,
                bottom: plane.y_at(cell.y.0).round() + MEET,
            };
            canvas.rectangle(rect, colour)?;
        }
        Ok(())
    }

    pub(super) fn scale(&self) -> Scale {
        Scale::up_to(self.cells.iter().map(|cell| cell.count).max().unwrap_or(0))
    }
}

/// Which counts have which colour: each colour `factor` times as many as the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    factor: u64,
    /// Colours in use.
    steps: u32,
}

impl Scale {
    fn up_to(most: u64) -> Self {
        let steps = |factor: u64| most.max(1).ilog(factor) + 1;
        let fits = |factor: &u64| steps(*factor) as usize <= RAMP.len();
        let factor = FACTORS.into_iter().find(fits).unwrap_or(FACTORS[5]);
        Self {
            factor,
            steps: steps(factor).min(RAMP.len() as u32),
        }
    }

    fn colour(self, count: u64) -> Option<Colour> {
        let step = count.checked_ilog(self.factor)?.min(self.steps - 1);
        Some(self.step(step))
    }

    /// All of the ramp, whatever is in use of it.
    fn step(self, step: u32) -> Colour {
        let last = RAMP.len() - 1;
        if self.steps == 1 {
            return RAMP[last];
        }
        RAMP[step as usize * last / (self.steps as usize - 1)]
    }

    /// The colours in use, each with the counts that it stands for.
    pub(super) fn legend(self) -> Vec<(Colour, String)> {
        let low = |step| self.factor.saturating_pow(step);
        let entry = |step: u32| {
            let from = low(step);
            let name = match low(step + 1).saturating_sub(1) {
                _ if step + 1 == self.steps => format!("{from} or more"),
                to if to == from => format!("{from}"),
                to => format!("{from} to {to}"),
            };
            (self.step(step), name)
        };
        (0..self.steps).map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(most: u64) -> Vec<String> {
        let legend = Scale::up_to(most).legend();
        legend.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn counts_that_a_colour_stands_for() {
        assert_eq!(names(0), ["1 or more"]);
        assert_eq!(names(5), ["1", "2 to 3", "4 or more"]);
        assert_eq!(names(128)[..2], ["1 to 3", "4 to 15"]);
        assert_eq!(
            names(u64::MAX).last().unwrap(),
            "1000000000000000000 or more"
        );
    }

    #[test]
    fn more_is_never_lighter() {
        for most in [1, 2, 7, 127, 128, 1 << 20, u64::MAX] {
            let scale = Scale::up_to(most);
            assert_eq!(scale.colour(0), None);
            assert_eq!(scale.colour(most), Some(RAMP[6]));
            let mut last = 0;
            for count in (0..64).map(|power| 1 << power) {
                let colour = scale.colour(count);
                let place = RAMP.iter().position(|&one| Some(one) == colour).unwrap();
                assert!(place >= last, "{count} of {most}");
                last = place;
            }
        }
    }
}
