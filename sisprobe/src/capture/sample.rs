//! A capture to look at, made up but of the shape that real machines give.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{Capture, Cell, Exit, Machine, Probes, Recorder, Run};
use crate::{
    bench::{Better, Metric},
    kernel::{Feature, Topology, fixture::machine},
    sink::sample,
};

/// `runs` runs of hackbench on two LLCs, of which the second counted nothing; each of five
/// seconds. Run `n` has `n + 1` times the wake-ups of the first.
pub(crate) fn capture(runs: u32) -> Capture {
    let release = "6.12.117+deb12-cloud-amd64";
    let feature = |name: &str, enabled| Feature {
        name: name.into(),
        enabled,
    };
    Capture {
        sisprobe: "0.1.0".into(),
        machine: Machine {
            release: Some(release.into()),
            architecture: Some("x86_64".into()),
            build_id: Some("0123456789abcdef0123456789abcdef01234567".into()),
            boot_command_line: Some("root=/dev/vda1 ro".into()),
            options: Some([("CONFIG_HZ".into(), "250".into())].into()),
            features: Some(vec![feature("PLACE_LAG", true), feature("SIS_UTIL", true)]),
            topology: TOPOLOGY.clone(),
        },
        probes: Probes {
            attached: sample::report(1, 1)
                .health
                .probes
                .into_iter()
                .map(|probe| probe.name)
                .collect(),
            rejected: Vec::new(),
        },
        command: ["hackbench", "-g", "4"].map(String::from).into(),
        labels: BTreeMap::from([("kernel".into(), "stock".into())]),
        cell: Some(Cell {
            setting: "sis_util".into(),
            features: vec!["SIS_UTIL".into()],
            load: Some(50),
            seed: 7,
        }),
        planned_runs: runs,
        warmup_runs: 1,
        runs: (0..runs).map(run).collect(),
    }
}

/// Read once: a captured machine is a folder of many files.
static TOPOLOGY: LazyLock<Option<Topology>> = LazyLock::new(|| {
    let topology = Topology::read(&machine("6.12-2llc").root);
    topology.found().cloned()
});

fn run(number: u32) -> Run {
    let times = number + 1;
    let mut recorder = Recorder::new(&sample::report(2, 0));
    for second in 1..=5 {
        recorder.push(&sample::report(2, second * times));
    }
    Run {
        began: format!("2026-11-30T12:00:{:02}Z", number % 60),
        wall_time: 5.0,
        exit: Some(Exit::Status(0)),
        report: sample::report(2, 5 * times),
        series: recorder.finish(),
        metrics: vec![Metric {
            name: "time".into(),
            unit: "s".into(),
            better: Better::Lower,
            value: 5.0 + 0.01 * f64::from(number % 3),
        }],
    }
}
