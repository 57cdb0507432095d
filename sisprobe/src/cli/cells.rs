//! The captures of an A/B matrix: one file a setting and load, written after each run.

use std::path::{Path, PathBuf};

use super::capture::write;
use crate::{
    ab::{Matrix, Step},
    capture::{self, Capture, CaptureError, Run},
    compare::{Choice, Comparison, Named},
    failure::Failure,
    sink::compare::{self, Form},
};

/// The captures, in the order of loads, and for each load of settings.
pub(super) struct Cells {
    cells: Vec<(PathBuf, Capture)>,
    settings: usize,
    planned: u32,
}

impl Cells {
    /// Takes up what is in `folder`; `like` makes a cell of a setting and a load without runs.
    ///
    /// # Errors
    ///
    /// What is there is of something else.
    pub(super) fn open(
        folder: &Path,
        matrix: &Matrix,
        like: impl Fn(usize, usize) -> Capture,
    ) -> Result<Self, Failure> {
        let mut cells = Vec::new();
        for load in 0..matrix.loads.len() {
            for setting in 0..matrix.settings.len() {
                let new = like(setting, load);
                let path = folder.join(file_name(&new));
                let there = match capture::read(&path) {
                    Ok(there) => Some(there),
                    Err(CaptureError::Read { error, .. })
                        if error.kind() == std::io::ErrorKind::NotFound =>
                    {
                        None
                    }
                    Err(error) => return Err(Failure::Usage(error.to_string())),
                };
                let cell = match there {
                    None => new,
                    Some(there) => taken_up(there, &new, &path)?,
                };
                cells.push((path, cell));
            }
        }
        Ok(Self {
            cells,
            settings: matrix.settings.len(),
            planned: matrix.runs,
        })
    }

    /// What the order of what is there was drawn by; none where nothing is there.
    pub(super) fn seed(&self) -> Option<u64> {
        let mut begun = self.cells.iter().filter(|(_, cell)| !cell.runs.is_empty());
        begun.find_map(|(_, cell)| Some(cell.cell.as_ref()?.seed))
    }

    /// Notes what the order is drawn by.
    pub(super) fn drawn_by(&mut self, seed: u64) {
        for (_, capture) in &mut self.cells {
            if let Some(cell) = &mut capture.cell {
                cell.seed = seed;
            }
        }
    }

    /// Whether a run is there already.
    pub(super) fn has(&self, step: Step) -> bool {
        self.cells[self.place(step)].1.runs.len() > step.run as usize
    }

    /// A cell in words: its file's name without what comes behind.
    pub(super) fn name(&self, step: Step) -> String {
        stem(&self.cells[self.place(step)].1)
    }

    /// Adds a run, and writes the cell.
    pub(super) fn add(&mut self, step: Step, run: Run) -> Result<(), Failure> {
        let place = self.place(step);
        let (path, cell) = &mut self.cells[place];
        cell.runs.push(run);
        write(path, cell)
    }

    /// How much is done, and how to go on.
    pub(super) fn progress(&self) -> String {
        let done: usize = self.cells.iter().map(|(_, cell)| cell.runs.len()).sum();
        let all = self.cells.len() as u64 * u64::from(self.planned);
        format!("{done} of {all} runs are done; the same command goes on with the rest")
    }

    /// What differs between the settings; with one setting, nothing can.
    pub(super) fn table(&self) -> Result<String, Failure> {
        let named = self.cells.iter().map(|(_, capture)| Named {
            name: stem(capture),
            capture,
        });
        let named: Vec<Named<'_>> = named.collect();
        let comparison = Comparison::of(&named, &Choice::default());
        let comparison = comparison.map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(compare::text(&comparison, Form::default()))
    }

    fn place(&self, step: Step) -> usize {
        step.load * self.settings + step.setting
    }
}

/// What is there, if it is of the same matrix.
fn taken_up(there: Capture, new: &Capture, path: &Path) -> Result<Capture, Failure> {
    let differs = if there.command != new.command {
        "command"
    } else if there.cell.as_ref().map(|cell| &cell.features)
        != new.cell.as_ref().map(|cell| &cell.features)
    {
        "setting"
    } else if there.machine.build_id != new.machine.build_id {
        "kernel"
    } else if there.machine.topology != new.machine.topology {
        "topology"
    } else if there.probes.attached != new.probes.attached {
        "set of probes"
    } else {
        return Ok(Capture {
            planned_runs: new.planned_runs,
            ..there
        });
    };
    Err(Failure::Usage(format!(
        "{} is of another {differs}, so it cannot be gone on with. Name another folder with -o, or \
         remove this one",
        path.display()
    )))
}

fn file_name(cell: &Capture) -> String {
    stem(cell) + ".json.zst"
}

fn stem(capture: &Capture) -> String {
    let Some(cell) = &capture.cell else {
        return String::new();
    };
    match cell.load {
        Some(load) => format!("{}-{load}", cell.setting),
        None => cell.setting.clone(),
    }
}
