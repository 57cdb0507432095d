//! sysbench 1.0 and 1.1: events of a second and the latency of one, for `memory` also the
//! throughput.

use super::{
    Metric,
    number::{after, number, percentile_name},
    put,
    reader::Reader,
};

pub(super) const READER: Reader = Reader {
    commands: &[&["sysbench"]],
    sign: "Threads fairness:",
    looked_for: "\"total number of events:\" and the block \"Latency (ms):\"",
    read,
};

fn read(output: &str) -> Vec<Metric> {
    let mut metrics = Vec::new();
    let (mut total_time, mut in_latency, mut has_rate) = (None, false, false);
    for line in output.lines().map(str::trim) {
        if line.is_empty() || line == "Latency (ms):" {
            in_latency = !line.is_empty();
        } else if let Some(metric) = in_latency.then(|| latency(line)).flatten() {
            put(&mut metrics, metric);
        } else if let Some(time) = seconds(line) {
            total_time = Some(time);
        } else if let Some(rate) = after(line, "events per second:")
            .or_else(|| after(line, "events/s (eps):"))
            .or_else(|| operations(line))
        {
            put(&mut metrics, events_per_second(rate));
            has_rate = true;
        } else if let Some(events) = after(line, "total number of events:") {
            // 1.0 does not print the rate for every test; where it does, it stands above.
            let rate = total_time.map(|time: f64| events / time);
            if let Some(rate) = rate.filter(|rate| rate.is_finite() && !has_rate) {
                put(&mut metrics, events_per_second(rate));
            }
            has_rate = false;
        } else if let Some(rate) = transferred(line) {
            put(&mut metrics, Metric::higher("throughput", "MiB/s", rate));
        }
    }
    metrics
}

fn events_per_second(rate: f64) -> Metric {
    Metric::higher("events_per_second", "events/s", rate)
}

/// `total time: 1.0003s`
fn seconds(line: &str) -> Option<f64> {
    number(line.strip_prefix("total time:")?.trim().strip_suffix('s')?)
}

/// `avg: 0.28`, `max: 2.83`, `95th percentile: 0.30`. With `--percentile=0` the last is missing.
fn latency(line: &str) -> Option<Metric> {
    let (label, value) = line.split_once(':')?;
    let name = match label {
        "avg" | "max" => label.to_owned(),
        _ => percentile_name(label.strip_suffix("th percentile")?)?,
    };
    Some(Metric::lower(
        format!("latency_{name}"),
        "ms",
        number(value.trim())?,
    ))
}

/// `Total operations: 6115546 (6110756.85 per second)`
fn operations(line: &str) -> Option<f64> {
    let (_, rate) = line.strip_prefix("Total operations:")?.split_once('(')?;
    number(rate.strip_suffix(" per second)")?)
}

/// `5972.21 MiB transferred (5967.54 MiB/sec)`
fn transferred(line: &str) -> Option<f64> {
    let (_, rate) = line.split_once(" MiB transferred (")?;
    number(rate.strip_suffix(" MiB/sec)")?)
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{check, fixture},
        *,
    };

    const TWO_RUNS: &str = "total time: 2.0s\ntotal number of events: 10\n\
                            total time: 1.0s\ntotal number of events: 100\n";

    #[test]
    fn real_output() {
        for (output, wanted) in [
            (
                fixture!("sysbench-1.0.20-cpu"),
                "events_per_second=3607.43events/s+ latency_avg=0.28ms- \
                 latency_max=2.83ms- latency_p95=0.3ms-",
            ),
            (
                fixture!("sysbench-1.0.20-cpu-p99"),
                "events_per_second=2353.39events/s+ latency_avg=0.85ms- \
                 latency_max=65.73ms- latency_p99=8.28ms-",
            ),
            (
                fixture!("sysbench-1.0.20-memory"),
                "events_per_second=6110756.85events/s+ throughput=5967.54MiB/s+ \
                 latency_avg=0ms- latency_max=0.26ms- latency_p95=0ms-",
            ),
            (
                fixture!("sysbench-1.0.20-mutex"),
                "events_per_second=6.038647342995169events/s+ latency_avg=165.47ms- \
                 latency_max=165.47ms- latency_p95=164.45ms-",
            ),
            (
                fixture!("sysbench-1.0.20-threads"),
                "events_per_second=573.4838645219303events/s+ latency_avg=3.48ms- \
                 latency_max=8.44ms- latency_p95=4.41ms-",
            ),
            (
                fixture!("sysbench-1.1.0-3ceba0b-cpu"),
                "events_per_second=3674.0833events/s+ latency_avg=0.27ms- \
                 latency_max=0.37ms- latency_p95=0.29ms-",
            ),
            (
                fixture!("sysbench-1.1.0-3ceba0b-memory"),
                "events_per_second=6365426.5418events/s+ throughput=6216.24MiB/s+ \
                 latency_avg=0ms- latency_max=0.07ms- latency_p95=0ms-",
            ),
            (
                fixture!("sysbench-1.1.0-3ceba0b-threads"),
                "events_per_second=1735.5248events/s+ latency_avg=0.58ms- \
                 latency_max=0.82ms- latency_p95=0.61ms-",
            ),
            (TWO_RUNS, "events_per_second=100events/s+"),
            ("total time: 0.0s\ntotal number of events: 5\n", ""),
            ("avg: 3\nmax: 4\n", ""),
        ] {
            check(&READER, output, wanted);
        }
    }
}
