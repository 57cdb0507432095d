//! In which order everything is run.

use super::Setting;

/// All settings under all loads, each several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// At least one, no name twice.
    pub settings: Vec<Setting>,
    /// In percent of the CPUs; one that is none where no loads were given.
    pub loads: Vec<Option<u32>>,
    /// Runs of each cell.
    pub runs: u32,
    /// What the order is drawn by.
    pub seed: u64,
}

/// One run to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which of the settings.
    pub setting: usize,
    /// Which of the loads.
    pub load: usize,
    /// The number of the run in its cell, from 0.
    pub run: u32,
}

impl Matrix {
    /// The order: load by load, and for each load there and back again (A B B A A B …), so that
    /// a drift of the machine hits all settings alike. With which setting a load begins is drawn
    /// by the seed.
    pub fn steps(&self) -> Vec<Step> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut steps = Vec::new();
        for load in 0..self.loads.len() {
            let mut order: Vec<usize> = (0..self.settings.len()).collect();
            random.shuffle(&mut order);
            for run in 0..self.runs {
                steps.extend(order.iter().map(|&setting| Step { setting, load, run }));
                order.reverse();
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn matrix(settings: usize, loads: u32, runs: u32, seed: u64) -> Matrix {
        Matrix {
            settings: (0..settings)
                .map(|n| format!("s{n}:SIS_UTIL").parse().unwrap())
                .collect(),
            loads: (1..=loads).map(|n| Some(25 * n)).collect(),
            runs,
            seed,
        }
    }

    #[test]
    fn there_and_back_again() {
        let order = |seed| {
            let steps = matrix(2, 1, 4, seed).steps();
            let order: Vec<usize> = steps.iter().map(|step| step.setting).collect();
            order
        };
        let orders: HashSet<_> = (0..20).map(order).collect();
        let either = [vec![0, 1, 1, 0, 0, 1, 1, 0], vec![1, 0, 0, 1, 1, 0, 0, 1]];
        assert_eq!(orders, either.into());
    }

    #[test]
    fn every_cell_has_all_its_runs_in_their_order() {
        let matrix = matrix(3, 8, 5, 42);
        let steps = matrix.steps();
        assert_eq!(steps, matrix.steps());
        assert_eq!(steps.len(), 3 * 8 * 5);
        for setting in 0..3 {
            for load in 0..8 {
                let of_cell = steps
                    .iter()
                    .filter(|s| (s.setting, s.load) == (setting, load));
                let runs: Vec<u32> = of_cell.map(|step| step.run).collect();
                assert_eq!(runs, [0, 1, 2, 3, 4]);
            }
        }
    }
}
