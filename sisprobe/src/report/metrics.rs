//! Every metric: its name, type, unit, help and labels, in this one place. docs/metrics.md is made
//! from it.

/// A metric family.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// With the unit, and `_total` where it is a counter.
    pub name: &'static str,
    /// What kind of metric it is.
    pub kind: Kind,
    /// The unit of its values.
    pub unit: Unit,
    /// What it tells, in one sentence without a full stop.
    pub help: &'static str,
    /// The names of its labels, in the order in which values are given for them.
    pub labels: &'static [&'static str],
    /// When there is no such series: what is not known is left out, and is never 0.
    pub absent: Option<&'static str>,
}

/// The kinds that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Durations in log2 buckets, `le` = 2^(k+1) ns in seconds.
    DurationHistogram,
    /// CPUs in log2 buckets, `le` = 2^(k+1) - 1.
    CpuHistogram,
    /// Time that requests took, in a few fixed buckets.
    RequestHistogram,
}

/// The base units that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds; of moments, since 1970.
    Seconds,
    /// A part of a whole, 0 to 1.
    Ratio,
    /// CPUs.
    Cpus,
    /// A plain number of the things that the name says.
    Count,
    /// Always 1: the labels tell.
    Info,
}

/// What the labels mean.
pub const LABELS: [(&str, &str); 12] = [
    (
        "group",
        "the group, as `--group-by` makes them: `LLC 0`, `CPU 12`, `node 1`, …",
    ),
    (
        "outcome",
        "`idle_core`, `idle_cpu`, `budget_exhausted`, `domain_exhausted` or `skipped`",
    ),
    (
        "path",
        "`wakeup`, `fork` or `exec`: why the scheduler chose a CPU",
    ),
    (
        "policy",
        "a policy's name as in policies.md; of `measurement_info` that of the active one, \
         `unknown` where sisprobe has no model of it",
    ),
    (
        "fidelity",
        "`exact`, `inlined` or `bracketed`: what the searches' figures are of",
    ),
    ("attach", "`fentry` or `kprobe`"),
    ("kernel", "`uname -r`"),
    ("group_by", "the value of `--group-by`"),
    (
        "probe",
        "a place that a program is attached to, as bpftrace names it",
    ),
    (
        "reason",
        "of missed events `recursion` (BPF code already ran on that CPU, counted for the whole \
         program of the probe) or `probe` (the kernel probe itself was missed); of lost ones \
         `unmatched_entry`, `unmatched_exit`, `search_outside` or `core_call_dropped`",
    ),
    ("program", "an eBPF program's name"),
    ("version", "sisprobe's version"),
];

const NO_SEARCHES: Option<&str> = Some("with fidelity `bracketed`, which tells no searches");
const NO_LOAD: Option<&str> = Some(
    "for what came from other LLCs, and where the load of the CPUs cannot be looked at (the \
     report's warnings say why)",
);
const NO_STATS: Option<&str> = Some("without `--bpf-stats`");

const fn counter(
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric {
        name,
        kind: Kind::Counter,
        unit: Unit::Count,
        help,
        labels,
        absent: None,
    }
}

const fn gauge(
    name: &'static str,
    unit: Unit,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric {
        name,
        kind: Kind::Gauge,
        unit,
        help,
        labels,
        absent: None,
    }
}

const fn histogram(name: &'static str, kind: Kind, unit: Unit, help: &'static str) -> Metric {
    Metric {
        name,
        kind,
        unit,
        help,
        labels: &["group"],
        absent: None,
    }
}

impl Metric {
    const fn absent(self, when: Option<&'static str>) -> Self {
        Self {
            absent: when,
            ..self
        }
    }
}

/// Time of searches.
pub static SEARCH_DURATION: Metric = histogram(
    "sisprobe_search_duration_seconds",
    Kind::DurationHistogram,
    Unit::Seconds,
    "Time of each search for an idle CPU (with fidelity bracketed, of each choice of a CPU)",
);
/// Time of looks at cores.
pub static CORE_SEARCH_DURATION: Metric = histogram(
    "sisprobe_core_search_duration_seconds",
    Kind::DurationHistogram,
    Unit::Seconds,
    "Time of each look at one core for an idle core (select_idle_core)",
)
.absent(Some(
    "where calls of `select_idle_core` are not timed: `core_timing` of the report is null",
));
/// CPUs looked at.
pub static SEARCH_SCANNED: Metric = histogram(
    "sisprobe_search_scanned_cpus",
    Kind::CpuHistogram,
    Unit::Cpus,
    "CPUs that each search looked at (with fidelity bracketed, each choice of a CPU)",
);
/// Searches.
pub static SEARCHES: Metric = counter(
    "sisprobe_searches_total",
    &["group", "outcome"],
    "Searches of the LLC for an idle CPU by how they ended",
)
.absent(NO_SEARCHES);
/// Choices of a CPU.
pub static WAKEUPS: Metric = counter(
    "sisprobe_wakeups_total",
    &["group", "path"],
    "Times that the fair class chose a CPU for a task (select_task_rq_fair)",
);
/// Searches with `has_idle_cores`.
pub static IDLE_CORES_CLAIMED: Metric = counter(
    "sisprobe_searches_idle_cores_claimed_total",
    &["group"],
    "Searches that began while the LLC claimed to have idle cores (has_idle_cores)",
)
.absent(NO_SEARCHES);
/// Linear scans that used up what the policy allows.
pub static AT_LIMIT: Metric = counter(
    "sisprobe_searches_at_limit_total",
    &["group"],
    "Linear scans that looked at as many CPUs as the active policy allowed, and at least one",
)
.absent(NO_SEARCHES);
/// Linear scans that found a CPU before.
pub static BEFORE_LIMIT: Metric = counter(
    "sisprobe_searches_before_limit_total",
    &["group"],
    "Linear scans that found a CPU before they had looked at as many as the active policy allowed",
)
.absent(NO_SEARCHES);
/// Searches that should not be.
pub static OVER_LIMIT: Metric = counter(
    "sisprobe_searches_over_limit_total",
    &["group"],
    "Searches that looked at more CPUs than the active policy allowed; next to none is expected",
)
.absent(NO_SEARCHES);
/// Predictions.
pub static PREDICTED_DEPTH: Metric = gauge(
    "sisprobe_predicted_scan_depth_cpus",
    Unit::Cpus,
    &["group", "policy"],
    "CPUs that a policy would let a linear scan of the LLC look at now, the mean over its CPUs",
)
.absent(Some(
    "for a group that is no LLC, for a policy that asks for what this kernel lacks, and where the \
     load of the CPUs cannot be looked at",
));
/// `nr_idle_scan`.
pub static SCAN_LIMIT: Metric = gauge(
    "sisprobe_scan_limit_cpus",
    Unit::Cpus,
    &["group"],
    "The kernel's own limit of a linear scan of the LLC (sd_llc_shared->nr_idle_scan)",
)
.absent(Some(
    "for a group that is no LLC, before Linux 6.0, and where the load of the CPUs cannot be \
     looked at",
));
/// Utilisation.
pub static UTILIZATION: Metric = gauge(
    "sisprobe_utilization_ratio",
    Unit::Ratio,
    &["group"],
    "Part of the capacity of the group's CPUs that the fair class uses",
)
.absent(NO_LOAD);
/// Idle CPUs.
pub static IDLE_CPUS: Metric = gauge(
    "sisprobe_idle_cpus",
    Unit::Cpus,
    &["group"],
    "CPUs of the group that are idle; the one that sisprobe runs on is not",
)
.absent(NO_LOAD);
/// CPUs.
pub static CPUS: Metric = gauge(
    "sisprobe_cpus",
    Unit::Cpus,
    &["group"],
    "Online CPUs of the group",
)
.absent(Some("for what came from other LLCs"));
/// Tasks.
pub static RUNNING_TASKS: Metric = gauge(
    "sisprobe_running_tasks",
    Unit::Count,
    &["group"],
    "Tasks on the run queues of the group's CPUs, the running ones included",
)
.absent(NO_LOAD);
/// How it is measured.
pub static MEASUREMENT_INFO: Metric = gauge(
    "sisprobe_measurement_info",
    Unit::Info,
    &["fidelity", "attach", "kernel", "policy", "group_by"],
    "How and on what it is measured",
);
/// Attached probes.
pub static PROBE_ATTACHED: Metric = gauge(
    "sisprobe_probe_attached",
    Unit::Count,
    &["probe"],
    "Whether the probe is in place: 1, or 0 where a switch of the kernel has disarmed it",
);
/// Missed events.
pub static PROBE_MISSES: Metric = counter(
    "sisprobe_probe_misses_total",
    &["probe", "reason"],
    "Events that a probe did not see",
)
.absent(Some(
    "where the kernel does not tell (kprobes before Linux 6.7)",
));
/// Lost events.
pub static LOST_EVENTS: Metric = counter(
    "sisprobe_lost_events_total",
    &["reason"],
    "Events that were seen but could not be counted where they belong",
);
/// Runs.
pub static PROGRAM_RUNS: Metric = counter(
    "sisprobe_program_runs_total",
    &["program"],
    "Runs of an eBPF program, as the kernel counts them",
)
.absent(NO_STATS);
/// Time of the runs.
pub static PROGRAM_RUN_SECONDS: Metric = Metric {
    unit: Unit::Seconds,
    ..counter(
        "sisprobe_program_run_seconds_total",
        &["program"],
        "Time of an eBPF program's runs, as the kernel counts it",
    )
    .absent(NO_STATS)
};
/// Time to make a snapshot.
pub static SNAPSHOT_DURATION: Metric = gauge(
    "sisprobe_snapshot_duration_seconds",
    Unit::Seconds,
    &[],
    "How long it took to read what these figures are made of",
);
/// When that was.
pub static SNAPSHOT_TIME: Metric = gauge(
    "sisprobe_snapshot_timestamp_seconds",
    Unit::Seconds,
    &[],
    "When these figures were read; all scrapes of one --interval have the same ones",
);
/// Time of scrapes.
pub static SCRAPE_DURATION: Metric = Metric {
    labels: &[],
    ..histogram(
        "sisprobe_scrape_duration_seconds",
        Kind::RequestHistogram,
        Unit::Seconds,
        "Time to answer a request for /metrics, up to when the answer is handed to the connection",
    )
};
/// Begin of the measurement.
pub static START_TIME: Metric = gauge(
    "sisprobe_start_time_seconds",
    Unit::Seconds,
    &[],
    "When the probes began to count: every counter was 0 then",
);
/// The build.
pub static BUILD_INFO: Metric = gauge(
    "sisprobe_build_info",
    Unit::Info,
    &["version"],
    "The sisprobe that measures",
);

/// Upper bounds of [`Kind::RequestHistogram`], in seconds.
pub const REQUEST_BOUNDS: [f64; 6] = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5];

/// Those of the groups.
pub static OF_GROUPS: [&Metric; 15] = [
    &SEARCH_DURATION,
    &CORE_SEARCH_DURATION,
    &SEARCH_SCANNED,
    &SEARCHES,
    &WAKEUPS,
    &IDLE_CORES_CLAIMED,
    &AT_LIMIT,
    &BEFORE_LIMIT,
    &OVER_LIMIT,
    &PREDICTED_DEPTH,
    &SCAN_LIMIT,
    &UTILIZATION,
    &IDLE_CPUS,
    &CPUS,
    &RUNNING_TASKS,
];

/// Those of sisprobe itself.
pub static OF_SISPROBE: [&Metric; 11] = [
    &MEASUREMENT_INFO,
    &PROBE_ATTACHED,
    &PROBE_MISSES,
    &LOST_EVENTS,
    &PROGRAM_RUNS,
    &PROGRAM_RUN_SECONDS,
    &SNAPSHOT_DURATION,
    &SNAPSHOT_TIME,
    &SCRAPE_DURATION,
    &START_TIME,
    &BUILD_INFO,
];
