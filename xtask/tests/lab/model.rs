//! The model of SIS_UTIL against the kernel's own arithmetic: `nr_idle_scan` as the kernel has just
//! stored it, and what the model makes of the utilisation that bpftrace reads at that moment.

use std::{collections::BTreeMap, time::Duration};

use sisprobe::policy::{Depth, LlcState, Policy};
use xtask::lab::{Lab, Outcome};

use crate::guest;

/// CPUs of the guest's one LLC.
const LLC_SIZE: u32 = 16;

/// The feature of stock kernels.
const STOCK: &str = "SIS_UTIL";

/// CPUs that are kept busy, for loads of about 10, 30, 50, 70 and 95 percent.
const LOADS: [u32; 5] = [2, 5, 8, 11, 15];

/// Samples in which the two must be equal.
const SHARE: f64 = 0.90;

/// How far the mean utilisation that sisprobe tells may be from the witness's, 0 to 1. They look
/// at different moments.
const NEAR: f64 = 0.06;

#[test]
fn of_6_1() {
    stock("6.1");
}

#[test]
fn of_6_12() {
    stock("6.12");
}

fn stock(kernel: &str) {
    let outcome = watch(&guest::lab(kernel), &[STOCK], &LOADS);
    for load in LOADS {
        agree(&outcome, STOCK, load, Policy::SisUtil);
        looks_alike(&outcome, load);
    }
}

/// Loads the guest with each of `features` on, while the witness watches.
pub fn watch(lab: &Lab, features: &[&str], loads: &[u32]) -> Outcome {
    let lab = lab
        .clone()
        .topology(1, 8, 2)
        .timeout(Duration::from_secs(550));
    let loads: Vec<String> = loads.iter().map(ToString::to_string).collect();
    let command = format!(
        "for FEATURE in {}; do LOADS='{}'; . /with/model.sh; done",
        features.join(" "),
        loads.join(" ")
    );
    guest::run(&lab, &command)
}

/// What bpftrace saw as one load balance was over.
struct Sample {
    /// When the load balance began and when it was over, in ns.
    began: u64,
    ended: u64,
    /// Sums of `cpu_util_cfs`: just after the kernel summed it, and of the lesser and the greater
    /// of each CPU's values just before and just after.
    after: u64,
    low: u64,
    high: u64,
    capacity: u64,
    imbalance_pct: u32,
    nr_idle_scan: u32,
}

/// The load balances that began and ended in `text`, in the order in which they ended.
fn samples(text: &str) -> Vec<Sample> {
    let mut under_way = BTreeMap::new();
    let mut samples = Vec::new();
    for line in text.lines() {
        let (kind, numbers) = line.split_once(' ').expect("more than a word");
        let numbers: Vec<u64> = numbers
            .split(' ')
            .map(|word| word.parse().unwrap_or_else(|_| panic!("{line:?}")))
            .collect();
        match (kind, &numbers[..]) {
            ("in", &[cpu, began, capacity]) => {
                under_way.insert(cpu, (began, capacity));
            }
            ("out", &[cpu, ended, after, low, high, pct, nr]) => {
                if let Some((began, capacity)) = under_way.remove(&cpu) {
                    samples.push(Sample {
                        began,
                        ended,
                        after,
                        low,
                        high,
                        capacity,
                        imbalance_pct: u32::try_from(pct).expect("a percentage"),
                        nr_idle_scan: u32::try_from(nr).expect("a number of CPUs"),
                    });
                }
            }
            _ => panic!("{line:?}"),
        }
    }
    samples
}

impl Sample {
    /// What the kernel should have stored for `policy`, with the sum that it may have seen.
    fn model(&self, policy: Policy, sum_util: u64) -> u32 {
        let llc = LlcState {
            sum_util,
            total_capacity: self.capacity,
            imbalance_pct: self.imbalance_pct,
            ..LlcState::unused(LLC_SIZE)
        };
        match policy.depth(&llc) {
            Depth::NoSearch => 0,
            // What is stored is the budget, of which one is not used.
            Depth::AtMost(cpus) if policy == Policy::SisUtilLinear => cpus + 1,
            Depth::AtMost(cpus) => cpus,
            Depth::Unavailable { needs } => panic!("{policy} needs {needs}"),
        }
    }

    /// Whether `nr_idle_scan` lies between what the model says of the utilisation before and
    /// after: then it changed while the kernel summed it.
    fn has_between(&self, policy: Policy, nr_idle_scan: u32) -> bool {
        let (least, most) = (self.model(policy, self.high), self.model(policy, self.low));
        (least..=most).contains(&nr_idle_scan)
    }

    /// Whether another CPU's load balance was under way at the same time.
    fn overlaps(&self, other: &Self) -> bool {
        self.began <= other.ended && other.began <= self.ended
    }
}

/// Holds that the kernel stored, with `feature` on, what the model of `policy` says.
pub fn agree(outcome: &Outcome, feature: &str, load: u32, policy: Policy) {
    let text = guest::left(outcome, &format!("{feature}-{load}.bt"));
    let samples = samples(&text);
    assert!(samples.len() >= 10, "{} samples only", samples.len());
    let equal = |sample: &&Sample| sample.nr_idle_scan == sample.model(policy, sample.after);
    let share = samples.iter().filter(equal).count() as f64 / samples.len() as f64;
    assert!(
        share >= SHARE,
        "{policy}, {load} busy CPUs: equal in {share} of {} samples:\n{text}",
        samples.len()
    );
    for sample in samples.iter().filter(|sample| !equal(sample)) {
        // It changed meanwhile, or another CPU stored what it had summed a moment before.
        let explains = |other: &Sample| {
            other.overlaps(sample) && other.has_between(policy, sample.nr_idle_scan)
        };
        assert!(
            samples.iter().any(explains),
            "{policy}: {} stored with a sum of {} to {}, after it {}, for which the model has {}, \
             and no other load balance at that time explains it:\n{text}",
            sample.nr_idle_scan,
            sample.low,
            sample.high,
            sample.after,
            sample.model(policy, sample.after)
        );
    }
}

/// Holds that sisprobe, by its own means, tells about the utilisation that the witness saw.
fn looks_alike(outcome: &Outcome, load: u32) {
    let text = guest::left(outcome, &format!("{STOCK}-{load}.bt"));
    let capacity = f64::from(LLC_SIZE * 1024);
    let witness = mean(
        samples(&text)
            .iter()
            .map(|sample| sample.after as f64 / capacity),
    );
    let reports = guest::reports(outcome, &format!("{STOCK}-{load}.json"));
    let told = mean(reports.iter().map(|report| {
        let state = &guest::group(report, 0)["state"];
        assert_eq!(state["cpus"], LLC_SIZE);
        assert_eq!(state["capacity"], LLC_SIZE * 1024);
        assert_eq!(state["llc"]["weight"], LLC_SIZE);
        state["sum_util"].as_f64().expect("a sum") / capacity
    }));
    assert!(
        (told - witness).abs() < NEAR,
        "{load} busy CPUs: sisprobe tells {told}, bpftrace {witness}"
    );
    // Those that are kept busy are not idle, and of the others some have work now and then: what
    // sisprobe and the witness themselves run on among them.
    let idle = mean(reports.iter().map(|report| {
        let idle = &guest::group(report, 0)["state"]["idle_cpus"];
        idle.as_f64().expect("a count")
    }));
    let most = f64::from(LLC_SIZE - load);
    assert!(
        (most - 4.0..=most + 0.5).contains(&idle),
        "{load} busy CPUs: {idle} idle, where at most {most} can be"
    );
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    assert!(count > 0, "nothing to take the mean of");
    sum / f64::from(count)
}
