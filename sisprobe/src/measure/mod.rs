//! A measurement under way: attached probes and the topology that gives their slots a meaning.

mod groups;
mod llcs;
mod membership;

use std::{path::Path, sync::Arc, time::Instant};

use sisprobe_common::{layout::Layout, state::CpuInfo};

use self::groups::Groups;
use crate::{
    aggregate::aggregate,
    kernel::{Answer, Facts, Features, Root, Switches, Topology},
    plan::{
        self, AttachMethod, FENTRY, Fidelity, INLINED, Plan, Probe, ProbeKind, Rejected, Request,
    },
    prediction::{self, Looked},
    probe::{self, ProbeError, Session},
    report::{Group, GroupBy, GroupKind, Health, ProbeHealth, ProgramRuns, Report, Source},
};

pub use groups::Grouping;

const ONLINE: &str = "/sys/devices/system/cpu/online";

/// Attached probes that count. They are gone from the kernel when this is dropped.
pub struct Measurement {
    session: Session,
    groups: Groups,
    root: Root,
    /// The content of [`ONLINE`] when the topology was last read.
    online: String,
    source: Source,
    plan: Arc<Plan>,
    layout: Layout,
    began: Instant,
}

/// Why a measurement could not begin.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// Something that the programs need to know is missing.
    #[error(transparent)]
    Plan(#[from] plan::PlanError),
    /// The kernel refused the programs.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The topology cannot be read.
    #[error("tried to read the CPU topology: {0}. It is read from /sys/devices/system/cpu")]
    Topology(String),
}

impl Measurement {
    /// Begins to count with the best plan for `request` that the kernel takes: where it refuses
    /// fentry although all that is known of it speaks for that (another tool may have used up the
    /// function's trampoline), with kprobes, and says so.
    ///
    /// # Errors
    ///
    /// As [`Measurement::begin`], and where there is no plan.
    pub fn begin_best(
        root: &Root,
        facts: &Facts,
        request: Request,
        btf: Option<&Path>,
    ) -> Result<Self, MeasureError> {
        let plan = plan::choose(facts, request)?;
        let refused = match Self::begin(root, facts, &plan, btf) {
            Err(MeasureError::Probe(refused @ ProbeError::Refused { .. }))
                if request.attach.is_none() && plan.attach == AttachMethod::Fentry =>
            {
                refused
            }
            other => return other,
        };
        let by_kprobe = Request {
            attach: Some(AttachMethod::Kprobe),
            ..request
        };
        let Ok(mut plan) = plan::choose(facts, by_kprobe) else {
            return Err(refused.into());
        };
        plan.rejected.push(Rejected {
            what: FENTRY.into(),
            why: refused.to_string(),
            remedy: None,
        });
        Self::begin(root, facts, &plan, btf)
    }

    /// Attaches the probes of `plan` and begins to count. `btf` stands in for
    /// /sys/kernel/btf/vmlinux.
    ///
    /// # Errors
    ///
    /// Nothing stays attached if anything is missing or refused.
    pub fn begin(
        root: &Root,
        facts: &Facts,
        plan: &Plan,
        btf: Option<&Path>,
    ) -> Result<Self, MeasureError> {
        let topology = match &facts.topology {
            Answer::Found(topology) => topology,
            Answer::Absent(why) | Answer::Unknown(why) => {
                return Err(MeasureError::Topology(why.clone()));
            }
        };
        let layout = plan::layout(facts, plan.fidelity)?;
        let load_layout = plan::load_layout(facts);
        let groups = Groups::new(topology);
        let session = Session::attach(&probe::Setup {
            probes: &plan.probes,
            layout,
            load_layout: load_layout.as_ref().ok().copied(),
            away_slots: groups.away_slots(),
            btf,
        })?;
        let mut source = source(facts, plan, &layout);
        let no_load = load_layout.err().map(|error| error.to_string());
        source
            .warnings
            .extend(no_load.or_else(|| session.no_load()).map(|why| {
                format!("the load of the CPUs cannot be looked at, so nothing is predicted: {why}")
            }));
        let mut measurement = Self {
            session,
            groups,
            root: root.clone(),
            online: online(root),
            source,
            plan: Arc::new(plan.clone()),
            layout,
            began: Instant::now(),
        };
        measurement.tell(topology);
        measurement.session.enable();
        measurement.began = Instant::now();
        Ok(measurement)
    }

    /// Groups in this way from now on; by LLC, and all of them, without it.
    pub fn group_by(&mut self, grouping: Grouping) {
        self.source.group_by = grouping.by;
        self.source.shard_size = grouping.by.is_shard().then_some(grouping.shard_size);
        self.groups.set_grouping(grouping);
    }

    /// The plan that was followed.
    pub const fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// What a reader must know before trusting the figures.
    pub fn warnings(&self) -> &[String] {
        &self.source.warnings
    }

    /// CPUs that this kernel can ever have (`nr_cpu_ids`).
    pub const fn possible_cpus(&self) -> u32 {
        self.layout.nr_cpu_ids
    }

    /// Lets the kernel count what the programs cost, which costs two looks at the clock for each
    /// run of every BPF program of the machine.
    ///
    /// # Errors
    ///
    /// What the kernel answered.
    pub fn count_runs(&mut self) -> Result<(), ProbeError> {
        self.session.count_runs()
    }

    /// What the programs cost since [`Measurement::count_runs`]; none without it.
    pub fn runs(&self) -> Option<Vec<ProgramRuns>> {
        self.session.runs()
    }

    /// The probes, by name, that are attached but see nothing now, since a switch of the kernel
    /// is off.
    pub fn disarmed(&self) -> Vec<String> {
        let switches = Switches::read(&self.root);
        let is_disarmed = |probe: &&Probe| match probe.kind {
            ProbeKind::Fentry | ProbeKind::Fexit => !switches.ftrace,
            ProbeKind::Kprobe | ProbeKind::Kretprobe => {
                switches.disarm_kprobe(&probe.symbol, probe.offset)
            }
        };
        let disarmed = self.plan.probes.iter().filter(is_disarmed);
        disarmed.map(ToString::to_string).collect()
    }

    /// Everything counted so far.
    pub fn report(&mut self) -> Report {
        self.follow_hotplug();
        let features = Features::read(&self.root);
        self.source.sis_features = search_features(&features);
        self.source.policy = plan::active(&features, &self.layout);
        let elapsed = self.began.elapsed().as_secs_f64();
        let mut groups = aggregate(
            &self.session.home(),
            &self.session.away(),
            &self.groups.map(),
        );
        self.look_at_load(&mut groups);
        Report {
            source: self.source.clone(),
            elapsed,
            groups,
            health: self.health(),
        }
    }

    /// Ceases to count, and tells everything that was counted.
    pub fn end(mut self) -> Report {
        let elapsed = self.began.elapsed().as_secs_f64();
        self.session.disable();
        Report {
            elapsed,
            ..self.report()
        }
    }

    /// Fills in the state of each group and what the policies say of it.
    fn look_at_load(&mut self, groups: &mut [Group]) {
        if !self.session.sample() {
            return;
        }
        let has = prediction::Has::from(&self.layout);
        for group in groups {
            let looked: Vec<Looked> = group
                .cpus
                .iter()
                .map(|cpu| Looked {
                    load: self.session.load(cpu),
                    smt_width: self.session.cpu_info(cpu).smt_width,
                })
                .collect();
            if self.source.group_by == GroupBy::Llc && group.kind == GroupKind::Cpus {
                (group.state, group.predictions) = prediction::llc(&looked, has);
            } else {
                group.state = prediction::state(&looked);
            }
        }
    }

    fn health(&self) -> Health {
        let health = self.session.health();
        Health {
            probes: self
                .session
                .missed()
                .into_iter()
                .map(|missed| ProbeHealth {
                    name: missed.probe,
                    recursion_misses: missed.recursion_misses,
                    probe_misses: missed.probe_misses,
                })
                .collect(),
            unmatched_entries: health.unmatched_entries,
            unmatched_exits: health.unmatched_exits,
            searches_outside: health.searches_outside,
            core_calls_dropped: health.core_calls_dropped,
        }
    }

    /// Reads the topology anew where other CPUs are online than before.
    fn follow_hotplug(&mut self) {
        let online = online(&self.root);
        if online == self.online {
            return;
        }
        // A topology that cannot be read just now is tried again at the next look.
        if let Answer::Found(topology) = Topology::read(&self.root) {
            self.groups.update(&topology);
            self.tell(&topology);
            self.online = online;
        }
    }

    /// Tells the kernel side of every possible CPU.
    fn tell(&mut self, topology: &Topology) {
        for cpu in topology.possible.iter() {
            self.session.set_cpu_info(
                cpu,
                CpuInfo {
                    llc: self.groups.away_of(cpu),
                    smt_width: topology.smt_width(cpu).max(1),
                },
            );
        }
    }
}

fn online(root: &Root) -> String {
    std::fs::read_to_string(root.path(ONLINE)).unwrap_or_default()
}

fn source(facts: &Facts, plan: &Plan, layout: &Layout) -> Source {
    Source {
        release: facts.release.found().cloned().unwrap_or_else(|| "?".into()),
        build_id: facts.build_id.found().map(ToString::to_string),
        fidelity: plan.fidelity,
        attach: plan.attach,
        inlined_from: plan.inlined_from.clone(),
        core_timing: plan.core_timing,
        sis_features: search_features(&facts.features),
        policy: plan::active(&facts.features, layout),
        group_by: GroupBy::default(),
        shard_size: None,
        warnings: warnings(facts, plan),
    }
}

/// The features that are on, of those that bound the search.
fn search_features(features: &Answer<Features>) -> Option<Vec<String>> {
    let on = |features: &Features| {
        features
            .of_search()
            .filter(|feature| feature.enabled)
            .map(|feature| feature.name.clone())
            .collect()
    };
    features.found().map(on)
}

/// What a reader must know before trusting the figures.
fn warnings(facts: &Facts, plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    if plan.fidelity == Fidelity::Bracketed
        && let Some(better) = plan.rejected.iter().find(|no| no.what == INLINED)
    {
        let remedy = better.remedy.as_deref().unwrap_or("run 'sisprobe doctor'");
        warnings.push(format!(
            "the search itself cannot be told from the rest of select_task_rq_fair: {}. For \
             fidelity inlined, {remedy}",
            better.why
        ));
    }
    if let Some(no) = plan.rejected.iter().find(|no| no.what == FENTRY) {
        warnings.push(format!(
            "kprobes carry the programs, which cost more than fentry: {}",
            no.why
        ));
    }
    if let Some(scheduler) = facts.sched_ext.found()
        && scheduler.is_active()
    {
        let name = scheduler.ops.as_deref().unwrap_or("?");
        warnings.push(format!(
            "the sched_ext scheduler {name} is active: the tasks it has bypass the fair class \
             and are not seen here"
        ));
    }
    warnings
}
