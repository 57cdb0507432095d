//! The only user of aya: loads and attaches what the plan says, and reads what was counted.

mod attach;
mod error;
mod load;
mod mapped;
mod misses;
mod runs;

use std::{path::Path, thread, time::Duration};

use aya::{Ebpf, EbpfLoader};
use sisprobe_common::{
    Plain,
    layout::{Layout, LoadLayout},
    load::CpuLoad,
    slot::Slot,
    state::{CpuInfo, CpuState, Health},
};

use self::{attach::Attached, load::Sampler, mapped::Mapped, runs::Counting};
use crate::{plan::Probe, report::ProgramRuns};

pub use self::error::ProbeError;

/// The eBPF object, built from `sisprobe-ebpf` by the build script.
static OBJECT: &[u8] = aya::include_bytes_aligned!(concat!(env!("OUT_DIR"), "/sisprobe"));

/// How long a wake-up that had begun when counting was switched off may take to end.
const SETTLE: Duration = Duration::from_millis(2);

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The programs and where they go.
    pub probes: &'a [Probe],
    /// Where the programs find what they read.
    pub layout: Layout,
    /// What the program that samples the load reads besides; none to do without.
    pub load_layout: Option<LoadLayout>,
    /// Away slots, slot 0 (LLC not known) included.
    pub away_slots: u32,
    /// A BTF file to use in place of /sys/kernel/btf/vmlinux.
    pub btf: Option<&'a Path>,
}

/// Attached probes. They are gone from the kernel when this is dropped, or the process dies.
pub struct Session {
    attached: Vec<Attached>,
    cpus: Mapped<CpuState>,
    home: Mapped<Slot>,
    away: Mapped<Slot>,
    cpu_info: Mapped<CpuInfo>,
    enabled: Mapped<Switch>,
    sampler: Option<Result<Sampler, String>>,
    counting: Option<Counting>,
    // Keeps the programs and maps alive; after the links, which are dropped first.
    ebpf: Ebpf,
}

/// The one entry of the map that switches counting on.
#[repr(C)]
#[derive(Clone, Copy)]
struct Switch(u64);

// SAFETY: `repr(C)`, one u64.
unsafe impl Plain for Switch {}

/// What one probe missed. A figure that this kernel does not tell is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The probe, as bpftrace names it.
    pub probe: String,
    /// Times the program was not run because BPF code already ran on that CPU.
    pub recursion_misses: Option<u64>,
    /// Times the kernel probe itself was missed.
    pub probe_misses: Option<u64>,
}

impl Session {
    /// Loads and attaches every probe of `setup`, or none: on an error those already attached
    /// are detached again. Nothing is counted until [`Session::enable`].
    ///
    /// # Errors
    ///
    /// The first program or probe that the kernel refused, with what it said.
    pub fn attach(setup: &Setup<'_>) -> Result<Self, ProbeError> {
        let cpus = setup.layout.nr_cpu_ids;
        let mut loader = EbpfLoader::new();
        loader.override_global("LAYOUT", mapped::bytes(&setup.layout), true);
        if let Some(layout) = &setup.load_layout {
            loader.override_global("LOAD_LAYOUT", mapped::bytes(layout), true);
        }
        let mut ebpf = loader
            .map_max_entries("CPUS", cpus)
            .map_max_entries("HOME", cpus)
            .map_max_entries("CPU_INFO", cpus)
            .map_max_entries("LOAD", cpus)
            .map_max_entries("AWAY", setup.away_slots)
            .load(OBJECT)
            .map_err(|error| ProbeError::load(&error))?;
        let cpu_states = Mapped::new(&mut ebpf, "CPUS", cpus)?;
        let home = Mapped::new(&mut ebpf, "HOME", cpus)?;
        let away = Mapped::new(&mut ebpf, "AWAY", setup.away_slots)?;
        let cpu_info = Mapped::new(&mut ebpf, "CPU_INFO", cpus)?;
        let enabled = Mapped::new(&mut ebpf, "ENABLED", 1)?;
        let attached = attach::all(&mut ebpf, setup.probes, setup.btf)?;
        let sampler = setup.load_layout.map(|_| Sampler::new(&mut ebpf, cpus));
        Ok(Self {
            attached,
            cpus: cpu_states,
            home,
            away,
            cpu_info,
            enabled,
            sampler,
            counting: None,
            ebpf,
        })
    }

    /// Tells the kernel side of CPU `cpu`; CPUs beyond the possible ones are passed over.
    pub fn set_cpu_info(&mut self, cpu: u32, info: CpuInfo) {
        self.cpu_info.write(cpu as usize, info);
    }

    /// What was told of CPU `cpu`, a possible one.
    pub fn cpu_info(&self, cpu: u32) -> CpuInfo {
        self.cpu_info.read(cpu as usize)
    }

    /// Looks at the load of all CPUs; false where that cannot be done.
    pub fn sample(&mut self) -> bool {
        match &mut self.sampler {
            Some(Ok(sampler)) => sampler.sample(&mut self.ebpf),
            Some(Err(_)) | None => false,
        }
    }

    /// What the last look found of CPU `cpu`, a possible one.
    pub fn load(&self, cpu: u32) -> CpuLoad {
        match &self.sampler {
            Some(Ok(sampler)) => sampler.load(cpu),
            Some(Err(_)) | None => CpuLoad::default(),
        }
    }

    /// Why the kernel refused the program that looks at the load, if it did.
    pub fn no_load(&self) -> Option<String> {
        self.sampler.as_ref()?.as_ref().err().cloned()
    }

    /// Begins to count.
    pub fn enable(&mut self) {
        self.enabled.write(0, Switch(1));
    }

    /// Ceases to count, and waits until wake-ups under way have been counted.
    pub fn disable(&mut self) {
        self.enabled.write(0, Switch(0));
        thread::sleep(SETTLE);
    }

    /// The home slots, by CPU.
    pub fn home(&self) -> Vec<Slot> {
        self.home.read_all()
    }

    /// The away slots, by number.
    pub fn away(&self) -> Vec<Slot> {
        self.away.read_all()
    }

    /// What went wrong inside the programs, over all CPUs.
    pub fn health(&self) -> Health {
        let mut sum = Health::default();
        for state in self.cpus.iter() {
            sum.unmatched_entries += state.health.unmatched_entries;
            sum.unmatched_exits += state.health.unmatched_exits;
            sum.searches_outside += state.health.searches_outside;
            sum.core_calls_dropped += state.health.core_calls_dropped;
        }
        sum
    }

    /// Lets the kernel count the runs of BPF programs from now on, for as long as this lives.
    ///
    /// # Errors
    ///
    /// What the kernel answered.
    pub fn count_runs(&mut self) -> Result<(), ProbeError> {
        self.counting = Some(Counting::begin()?);
        Ok(())
    }

    /// The runs of every program that was loaded, by name; none where they are not counted.
    pub fn runs(&self) -> Option<Vec<ProgramRuns>> {
        self.counting.as_ref()?;
        Some(runs::of_all(&self.ebpf))
    }

    /// What each probe missed so far, in the order of attachment.
    pub fn missed(&self) -> Vec<Missed> {
        self.attached.iter().map(Attached::missed).collect()
    }
}
