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

/// The same of a kernel on which no search can be told.
pub(crate) fn bracketed(runs: u32) -> Capture {
    let mut capture = capture(runs);
    for (run, times) in capture.runs.iter_mut().zip(1..) {
        run.report = sample::bracketed(2, 5 * times);
    }
    capture
}

/// `runs` runs of one machine of `llcs` LLCs of 8 CPUs, all of them busy, over so many `seconds`
/// each. No two columns, LLCs or runs are alike.
pub(crate) fn large(llcs: u32, runs: u32, seconds: u32) -> Capture {
    let mut capture = capture(0);
    capture.machine.topology = None;
    capture.planned_runs = runs;
    capture.runs = (0..runs)
        .map(|number| large_run(llcs, number, seconds))
        .collect();
    capture
}

fn large_run(llcs: u32, number: u32, seconds: u32) -> Run {
    let mut report = sample::report(llcs + 1, 0);
    report.groups.truncate(llcs as usize);
    let mut recorder = Recorder::new(&report);
    // A linear congruential generator (Numerical Recipes' constants): the same each time.
    let mut random = number + 1;
    for second in 1..=seconds {
        report.elapsed = f64::from(second);
        for group in &mut report.groups {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let times = u64::from(random >> 29);
            group.figures.add(&sample::figures(times));
            for power in 8..16 {
                let count = u64::from((random >> (power + 8)) & 0xff);
                group.figures.duration.record(1 << power, count);
            }
        }
        recorder.push(&report);
    }
    Run {
        wall_time: f64::from(seconds),
        report,
        series: recorder.finish(),
        ..run(number)
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
