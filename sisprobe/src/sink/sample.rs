//! Reports to look at, made up but of the shape that real machines give.

use sisprobe_common::{load::CpuLoad, slot::Outcome};

use crate::{
    histogram::Histogram,
    kernel::CpuSet,
    plan::{AttachMethod, CoreTiming, Fidelity},
    policy::{ActivePolicy, Policy},
    prediction::{self, Has, Looked},
    report::{Figures, Group, GroupBy, GroupKind, Health, ProbeHealth, Report, Source},
};

/// Durations of searches: (ns, how many).
const DURATIONS: [(u64, u64); 12] = [
    (300, 2),
    (600, 41),
    (1_100, 1_200),
    (1_500, 4_800),
    (2_100, 7_300),
    (3_900, 2_100),
    (4_500, 900),
    (9_000, 310),
    (17_000, 77),
    (40_000, 9),
    (300_000, 1),
    (2_000_000, 1),
];

const SCANNED: [(u64, u64); 7] = [
    (0, 9_438),
    (1, 1_114),
    (2, 189),
    (3, 329),
    (5, 1_400),
    (7, 4_232),
    (8, 39),
];

fn fill(histogram: &mut Histogram, values: &[(u64, u64)], times: u64) {
    for &(value, count) in values {
        histogram.record(value, count * times);
    }
}

/// Figures of a busy LLC, `times` as many of everything.
pub(crate) fn figures(times: u64) -> Figures {
    let mut figures = Figures {
        wakeups: 120_000 * times,
        forks: 40 * times,
        execs: 3 * times,
        idle_cores_claimed: 1_500 * times,
        at_limit: 700 * times,
        before_limit: 4_800 * times,
        ..Figures::default()
    };
    for (outcome, count) in [
        (Outcome::IdleCore, 1_400),
        (Outcome::IdleCpu, 5_000),
        (Outcome::BudgetExhausted, 864),
        (Outcome::DomainExhausted, 39),
        (Outcome::Skipped, 9_438),
    ] {
        figures.outcomes.insert(outcome.into(), count * times);
    }
    fill(&mut figures.duration, &DURATIONS, times);
    fill(&mut figures.scanned, &SCANNED, times);
    fill(
        &mut figures.limit,
        &[(0, 9_438), (4, 4_000), (8, 1_803)],
        times,
    );
    fill(
        &mut figures.core_duration,
        &[(700, 1_000), (1_400, 900), (2_500, 30)],
        times,
    );
    figures
}

/// A group of 8 CPUs.
pub(crate) fn group(id: u32, figures: Figures) -> Group {
    let first = id * 8;
    let (state, predictions) = prediction::llc(&looked(), HAS);
    Group {
        name: format!("LLC {id}"),
        kind: GroupKind::Cpus,
        llc: Some(id),
        cpus: (first..first + 8).collect(),
        size: 8,
        figures,
        state,
        predictions,
    }
}

/// Eight CPUs, half of which are in use, on a kernel that has no SIS_PROP.
fn looked() -> Vec<Looked> {
    let load = |cpu: u64| CpuLoad {
        util_avg: 128 * cpu,
        capacity: 1024,
        capacity_orig: 1024,
        avg_idle: 500_000,
        occupied: cpu,
        nr_running: u32::from(cpu > 0),
        nr_idle_scan: 4,
        imbalance_pct: 117,
        span_weight: 8,
        ..CpuLoad::default()
    };
    let looked = |cpu| Looked {
        load: load(cpu),
        smt_width: 2,
    };
    (0..8).map(looked).collect()
}

const HAS: Has = Has {
    nr_idle_scan: true,
    avg_idle: true,
    wake_avg_idle: false,
    avg_scan_cost: false,
};

/// `llcs` LLCs after `elapsed` seconds; with more than one, the last has counted nothing.
pub(crate) fn report(llcs: u32, elapsed: u32) -> Report {
    let busy = |id| id == 0 || id + 1 < llcs;
    let figures = |id: u32| match busy(id) {
        true => figures(u64::from(elapsed) * u64::from(id + 1)),
        false => Figures::default(),
    };
    let probe = |name: &str, recursion_misses, probe_misses| ProbeHealth {
        name: name.into(),
        recursion_misses,
        probe_misses,
    };
    Report {
        source: Source {
            release: "6.12.117+deb12-cloud-amd64".into(),
            build_id: Some("0123456789abcdef0123456789abcdef01234567".into()),
            fidelity: Fidelity::Inlined,
            attach: AttachMethod::Kprobe,
            inlined_from: Some("/usr/lib/debug/boot/vmlinux-6.12.117+deb12-cloud-amd64".into()),
            core_timing: Some(CoreTiming::Inlined),
            sis_features: Some(vec!["SIS_UTIL".into()]),
            policy: ActivePolicy {
                policy: Some(Policy::SisUtil),
                because: "SIS_UTIL is on".into(),
            },
            group_by: GroupBy::Llc,
            shard_size: None,
            warnings: Vec::new(),
        },
        elapsed: f64::from(elapsed),
        groups: (0..llcs).map(|id| group(id, figures(id))).collect(),
        health: Health {
            probes: vec![
                probe("kprobe:select_task_rq_fair", Some(0), Some(0)),
                probe("kprobe:select_task_rq_fair+0x545", Some(0), Some(0)),
                probe("kretprobe:select_task_rq_fair", Some(0), None),
            ],
            ..Health::default()
        },
    }
}

/// The same without a search told apart.
pub(crate) fn bracketed(llcs: u32, elapsed: u32) -> Report {
    let mut report = report(llcs, elapsed);
    report.source.fidelity = Fidelity::Bracketed;
    report.source.inlined_from = None;
    report.source.core_timing = None;
    report.source.sis_features = None;
    report.source.policy.because = "assumed to be SIS_UTIL, on by default".into();
    let empty = Figures::default();
    for figures in report.groups.iter_mut().map(|group| &mut group.figures) {
        figures.outcomes.clone_from(&empty.outcomes);
        figures.idle_cores_claimed = 0;
        figures.at_limit = 0;
        figures.before_limit = 0;
        figures.limit = empty.limit.clone();
        figures.core_duration = empty.core_duration.clone();
    }
    report
}

/// An LLC of `cpus` CPUs, each a group, of which CPU 2 alone woke others and the last is offline;
/// and what came from other LLCs.
pub(super) fn by_cpu(cpus: u32, elapsed: u32) -> Report {
    let mut report = report(1, elapsed);
    let busy = figures(u64::from(elapsed));
    report.source.group_by = GroupBy::Cpu;
    report.groups = (0..cpus)
        .map(|cpu| {
            let is_online = u32::from(cpu + 1 < cpus);
            Group {
                name: format!("CPU {cpu}"),
                kind: GroupKind::Cpus,
                llc: Some(0),
                cpus: (cpu..cpu + is_online).collect(),
                size: is_online,
                figures: if cpu == 2 {
                    busy.clone()
                } else {
                    Figures::default()
                },
                state: None,
                predictions: Vec::new(),
            }
        })
        .collect();
    report.groups.push(Group {
        name: "LLC 0, from other LLCs".into(),
        kind: GroupKind::FromOtherLlcs,
        llc: Some(0),
        cpus: CpuSet::new(),
        size: 0,
        figures: busy,
        state: None,
        predictions: Vec::new(),
    });
    report
}
