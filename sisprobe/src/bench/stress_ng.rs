//! stress-ng with `--metrics` or `--metrics-brief`: a row a stressor, of which the bogo
//! operations of a second of real time are taken.

use super::{Metric, metric::is_name, number::number, put, reader::Reader};

pub(super) const READER: Reader = Reader {
    commands: &[&["stress-ng"]],
    sign: "bogo ops",
    looked_for: "the table of stressors and their bogo ops/s (does the command have \
                 --metrics-brief?)",
    read,
};

fn read(output: &str) -> Vec<Metric> {
    let mut metrics = Vec::new();
    let mut in_table = false;
    for line in output.lines() {
        // `stress-ng: metrc: [953] cpu …`, or with --log-brief only what follows.
        let text = match line.split_once("] ") {
            Some((head, rest)) if head.starts_with("stress-ng: ") => rest,
            _ => line,
        };
        in_table |= text.trim_start().starts_with("stressor ") && text.contains("bogo ops/s");
        if in_table && let Some(metric) = stressor(text) {
            put(&mut metrics, metric);
        }
    }
    metrics
}

/// `switch 106092 1.00 0.03 0.61 106021.27 166400.03`: operations, real, user and system time,
/// operations a second of real time and of user and system time; then what `--metrics` adds.
fn stressor(text: &str) -> Option<Metric> {
    let mut fields = text.split_whitespace();
    let name = format!("{}_ops_per_second", fields.next()?.replace('-', "_"));
    let mut numbers = [0.0; 6];
    for slot in &mut numbers {
        *slot = number(fields.next()?)?;
    }
    is_name(&name).then(|| Metric::higher(name, "ops/s", numbers[4]))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            MAX_METRICS,
            tests::{check, fixture},
        },
        *,
    };

    #[test]
    fn real_output() {
        for (output, wanted) in [
            (
                fixture!("stress-ng-0.15.06-metrics"),
                "cpu_ops_per_second=788.82ops/s+ switch_ops_per_second=106021.27ops/s+ \
                 pipe_ops_per_second=201311.98ops/s+",
            ),
            (
                fixture!("stress-ng-0.15.06-metrics-brief"),
                "cpu_ops_per_second=534.31ops/s+ futex_ops_per_second=23117.85ops/s+",
            ),
            (
                fixture!("stress-ng-0.15.06-log-brief"),
                "cpu_ops_per_second=586.26ops/s+ switch_ops_per_second=111846.41ops/s+",
            ),
            (
                fixture!("stress-ng-0.15.06-times"),
                "vm_rw_ops_per_second=14.66ops/s+ mutex_ops_per_second=154530.94ops/s+ \
                 sem_sysv_ops_per_second=15087.22ops/s+",
            ),
            // No titles: some other program's table.
            ("cpu 1 2 3 4 5 6\n", ""),
        ] {
            check(&READER, output, wanted);
        }
    }

    #[test]
    fn endless_stressors() {
        let rows: String = (0..5000).map(|i| format!("s{i} 1 1 1 1 {i} 1\n")).collect();
        let metrics = read(&format!("stressor bogo ops/s\n{rows}"));
        assert_eq!(metrics.len(), MAX_METRICS);
    }
}
