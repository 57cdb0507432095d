//! Loads the programs of a plan and attaches them.

use std::{
    collections::HashSet,
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
};

use aya::{
    Btf, Ebpf,
    programs::{FEntry, FExit, KProbe, ProgramError, links::FdLink},
};

use super::{Missed, ProbeError, misses};
use crate::plan::{Probe, ProbeKind};

/// A probe in place. Dropping it takes it out.
pub(super) struct Attached {
    probe: Probe,
    program: OwnedFd,
    link: Link,
}

/// What holds a probe in place.
enum Link {
    Trampoline(#[expect(dead_code, reason = "held until dropped")] Box<dyn Send + Sync>),
    Kprobe {
        #[expect(dead_code, reason = "held until dropped")]
        link: FdLink,
        /// The same link, to ask the kernel about it.
        ask: Option<OwnedFd>,
    },
}

impl Attached {
    pub(super) fn missed(&self) -> Missed {
        let probe_misses = match &self.link {
            // A trampoline has no probe of its own that could be missed.
            Link::Trampoline(_) => Some(0),
            Link::Kprobe { ask, .. } => ask.as_ref().and_then(misses::of_kprobe),
        };
        // The kernel began to count both kinds of misses of kprobe programs at once (6.7), so
        // where it does not tell the one, its figure for the other is not to be believed.
        let recursion_misses = probe_misses.and_then(|_| misses::of_program(&self.program));
        Missed {
            probe: self.probe.to_string(),
            recursion_misses,
            probe_misses,
        }
    }
}

/// Attaches all probes, in order.
pub(super) fn all(
    ebpf: &mut Ebpf,
    probes: &[Probe],
    btf: Option<&Path>,
) -> Result<Vec<Attached>, ProbeError> {
    let btf = if probes.iter().any(|probe| is_trampoline(probe.kind)) {
        Some(
            btf.map_or_else(Btf::from_sys_fs, |path| {
                Btf::parse_file(path, aya::Endianness::default())
            })
            .map_err(|error| ProbeError::Btf(error.to_string()))?,
        )
    } else {
        None
    };
    let mut loaded = HashSet::new();
    probes
        .iter()
        .map(|probe| {
            let first = loaded.insert(probe.program);
            one(ebpf, probe, btf.as_ref(), first)
        })
        .collect()
}

const fn is_trampoline(kind: ProbeKind) -> bool {
    matches!(kind, ProbeKind::Fentry | ProbeKind::Fexit)
}

/// Attaches one probe; `first` where its program is not loaded yet.
fn one(
    ebpf: &mut Ebpf,
    probe: &Probe,
    btf: Option<&Btf>,
    first: bool,
) -> Result<Attached, ProbeError> {
    let refused = |step| move |error: ProgramError| ProbeError::refused(probe, step, &error);
    let program = ebpf
        .program_mut(probe.program)
        .ok_or(ProbeError::Object(probe.program))?;
    let no_btf = || ProbeError::Btf("it is needed for fentry".to_owned());
    let wrong_kind = refused("find");
    // aya's two kinds of trampoline programs are used alike and have no trait in common.
    macro_rules! trampoline {
        ($kind:ty) => {{
            let program: &mut $kind = program.try_into().map_err(wrong_kind)?;
            program
                .load(&probe.symbol, btf.ok_or_else(no_btf)?)
                .map_err(refused("load"))?;
            let link = program
                .attach()
                .and_then(|id| program.take_link(id))
                .map_err(refused("attach"))?;
            Link::Trampoline(Box::new(link))
        }};
    }
    let link = match probe.kind {
        ProbeKind::Fentry => trampoline!(FEntry),
        ProbeKind::Fexit => trampoline!(FExit),
        ProbeKind::Kprobe | ProbeKind::Kretprobe => {
            let program: &mut KProbe = program.try_into().map_err(wrong_kind)?;
            if first {
                program.load().map_err(refused("load"))?;
            }
            let link = program
                .attach(&probe.symbol, probe.offset)
                .and_then(|id| program.take_link(id))
                .map_err(refused("attach"))?;
            // Without perf links (before 5.15) a kprobe would outlive a killed process in some
            // kernels, and nothing could be asked of it.
            let link = FdLink::try_from(link).map_err(|error| ProbeError::NoLink {
                probe: probe.to_string(),
                error: error.to_string(),
            })?;
            let ask = link
                .info()
                .ok()
                .and_then(|info| misses::open_link(info.id()));
            Link::Kprobe { link, ask }
        }
    };
    let program = ebpf
        .program(probe.program)
        .ok_or(ProbeError::Object(probe.program))?
        .fd()
        .and_then(|fd| {
            fd.as_fd()
                .try_clone_to_owned()
                .map_err(ProgramError::IOError)
        })
        .map_err(refused("hold"))?;
    Ok(Attached {
        probe: probe.clone(),
        program,
        link,
    })
}
