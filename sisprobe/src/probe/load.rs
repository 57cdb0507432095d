//! The program that looks at the load of the CPUs: attached nowhere, run when asked.

use aya::{
    Ebpf,
    programs::{ProgramError, RawTracePoint, RawTracePointRunOptions, TestRun as _},
};
use sisprobe_common::load::{CHUNK, CpuLoad};

use super::{error::why, mapped::Mapped};

const PROGRAM: &str = "sampled";

/// The loaded program, and where it writes.
pub(super) struct Sampler {
    cpus: u32,
    loads: Mapped<CpuLoad>,
}

impl Sampler {
    /// Loads the program for `cpus` possible CPUs.
    ///
    /// # Errors
    ///
    /// What the kernel answered, in words: wake-ups can be measured without it.
    pub(super) fn new(ebpf: &mut Ebpf, cpus: u32) -> Result<Self, String> {
        let loads = Mapped::new(ebpf, "LOAD", cpus).map_err(|error| error.to_string())?;
        program(ebpf)
            .and_then(RawTracePoint::load)
            .map_err(|error| format!("tried to load the program: {}", why(&error)))?;
        let sampler = Self { cpus, loads };
        sampler
            .run(ebpf)
            .map_err(|error| format!("tried to run the program: {}", why(&error)))?;
        Ok(sampler)
    }

    /// Looks at every CPU; false where the kernel does not run the program.
    pub(super) fn sample(&self, ebpf: &mut Ebpf) -> bool {
        self.run(ebpf).is_ok()
    }

    fn run(&self, ebpf: &mut Ebpf) -> Result<(), ProgramError> {
        let program = program(ebpf)?;
        for first in (0..self.cpus).step_by(CHUNK as usize) {
            let mut options = RawTracePointRunOptions::new();
            options.args[0] = u64::from(first);
            options.args[1] = u64::from(CHUNK.min(self.cpus - first));
            program.test_run(options)?;
        }
        Ok(())
    }

    /// What the last look found of `cpu`.
    pub(super) fn load(&self, cpu: u32) -> CpuLoad {
        self.loads.read(cpu as usize)
    }
}

fn program(ebpf: &mut Ebpf) -> Result<&mut RawTracePoint, ProgramError> {
    ebpf.program_mut(PROGRAM)
        .ok_or(ProgramError::NotLoaded)?
        .try_into()
}
