//! The Mann–Whitney test: H. B. Mann, D. R. Whitney, "On a test of whether one of two random
//! variables is stochastically larger than the other", Annals of Mathematical Statistics 18 (1947).

use statrs::function::erf::erfc;

/// Values of both sides up to which all ways to deal them out are gone over. From there on the
/// normal distribution, with a correction for ties and for whole numbers, is close.
const EXACT_UP_TO: usize = 40;

/// p, two-sided: twice that of the smaller tail.
pub(super) fn p(base: &[f64], new: &[f64]) -> f64 {
    let ranks = Ranks::of(base, new);
    if base.len() + new.len() <= EXACT_UP_TO {
        ranks.exact()
    } else {
        ranks.normal()
    }
}

/// Ranks of all values together. They are doubled, so that midranks of ties are whole.
struct Ranks {
    doubled: Vec<usize>,
    /// The sum of those of the one side.
    sum: usize,
    /// How many values that side has.
    side: usize,
    /// t³ - t, summed over the ties of t values.
    ties: f64,
}

impl Ranks {
    fn of(base: &[f64], new: &[f64]) -> Self {
        let mut values: Vec<(f64, bool)> = (base.iter().map(|&value| (value, false)))
            .chain(new.iter().map(|&value| (value, true)))
            .collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ranks = Self {
            doubled: Vec::with_capacity(values.len()),
            sum: 0,
            side: new.len(),
            ties: 0.0,
        };
        // Not total: -0 and 0 are a tie.
        for tied in values.chunk_by(|a, b| a.0 == b.0) {
            // Ranks first to last, counted from 1, have the mean (first + last) / 2.
            let first = ranks.doubled.len() + 1;
            let doubled = 2 * first + tied.len() - 1;
            ranks
                .doubled
                .resize(ranks.doubled.len() + tied.len(), doubled);
            ranks.sum += doubled * tied.iter().filter(|(_, is_new)| *is_new).count();
            let t = tied.len() as f64;
            ranks.ties += t * t * t - t;
        }
        ranks
    }

    /// Over all ways to deal the values out to the two sides, each as likely as any other.
    fn exact(&self) -> f64 {
        let ways = self.ways();
        let all: f64 = ways.iter().sum();
        let less: f64 = ways[..=self.sum].iter().sum();
        let more: f64 = ways[self.sum..].iter().sum();
        (2.0 * less.min(more) / all).min(1.0)
    }

    /// In how many ways the side can have each sum of doubled ranks. Sums of positive numbers keep
    /// their precision where they get too great to be whole.
    fn ways(&self) -> Vec<f64> {
        let most: usize = self.doubled.iter().sum();
        // By how many values were taken, then by their sum.
        let mut ways = vec![vec![0.0; most + 1]; self.side + 1];
        ways[0][0] = 1.0;
        for &rank in &self.doubled {
            for taken in (1..=self.side).rev() {
                let (before, after) = ways.split_at_mut(taken);
                for (sum, more) in after[0][rank..].iter_mut().zip(&before[taken - 1]) {
                    *sum += more;
                }
            }
        }
        ways.pop().unwrap_or_default()
    }

    fn normal(&self) -> f64 {
        let (n, side) = (self.doubled.len() as f64, self.side as f64);
        let other = n - side;
        let mean = side * (n + 1.0) / 2.0;
        let variance = side * other / 12.0 * (n + 1.0 - self.ties / (n * (n - 1.0)));
        let distance = (self.sum as f64 / 2.0 - mean).abs() - 0.5;
        // All values are the same.
        if variance <= 0.0 {
            return 1.0;
        }
        erfc(distance / (2.0 * variance).sqrt()).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the exact test ends the normal distribution must be close.
    #[test]
    fn there_is_no_step_to_the_normal_distribution() {
        let side = |shift: u32| -> Vec<f64> {
            (0..20).map(|run| f64::from(run * 7 % 20 + shift)).collect()
        };
        for shift in [2, 4, 5, 6] {
            let ranks = Ranks::of(&side(0), &side(shift));
            let (exact, normal) = (ranks.exact(), ranks.normal());
            assert!((exact / normal - 1.0).abs() < 0.25, "{exact}, {normal}");
        }
    }
}
