//! `perf bench sched messaging` and `perf bench sched pipe`: `Total time: 0.033 [sec]` and for
//! the pipe also `usecs/op` and `ops/sec`. With `--format=simple` a bare number of seconds.

use super::{
    Metric,
    number::{after, number},
    put,
    reader::Reader,
};

pub(super) const MESSAGING: Reader = Reader {
    commands: &[&["perf", "bench", "sched", "messaging"]],
    sign: "sched/messaging",
    looked_for: "\"Total time: SECONDS [sec]\" of sched/messaging",
    read: |output| read(output, "sched/messaging"),
};

pub(super) const PIPE: Reader = Reader {
    commands: &[&["perf", "bench", "sched", "pipe"]],
    sign: "sched/pipe",
    looked_for: "\"Total time: SECONDS [sec]\" of sched/pipe",
    read: |output| read(output, "sched/pipe"),
};

fn read(output: &str, name: &str) -> Vec<Metric> {
    let mut metrics = Vec::new();
    // `perf bench sched all` prints one after the other.
    let mut ours = true;
    for line in output.lines().map(str::trim) {
        if line.starts_with("# Running ") {
            ours = line.contains(name);
        }
        if !ours {
            continue;
        }
        if let Some(time) = after(line, "Total time:") {
            put(&mut metrics, Metric::lower("total_time", "s", time));
        } else if let Some((figure, unit)) = line.split_once(' ')
            && let Some(figure) = number(figure)
        {
            match unit {
                "usecs/op" => put(&mut metrics, Metric::lower("usecs_per_op", "us", figure)),
                "ops/sec" => put(
                    &mut metrics,
                    Metric::higher("ops_per_second", "ops/s", figure),
                ),
                _ => {}
            }
        }
    }
    if metrics.is_empty() && ours {
        let last = output.lines().map(str::trim).rfind(|line| !line.is_empty());
        let time = last.and_then(number);
        metrics.extend(time.map(|time| Metric::lower("total_time", "s", time)));
    }
    metrics
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{check, fixture},
        *,
    };

    #[test]
    fn real_output() {
        let pipe = "total_time=0.033s- usecs_per_op=6.6972us- ops_per_second=149316ops/s+";
        let all = fixture!("perf-6.1-all");
        let pipe_of_all = "total_time=9.088s- usecs_per_op=9.088944us- ops_per_second=110023ops/s+";
        for (reader, output, wanted) in [
            (
                &MESSAGING,
                fixture!("perf-6.1-messaging"),
                "total_time=0.125s-",
            ),
            (
                &MESSAGING,
                fixture!("perf-6.1-messaging-simple"),
                "total_time=0.139s-",
            ),
            (&MESSAGING, all, "total_time=0.966s-"),
            (&MESSAGING, fixture!("perf-6.1-pipe"), ""),
            (&PIPE, fixture!("perf-6.1-pipe"), pipe),
            (&PIPE, all, pipe_of_all),
            (&PIPE, "no figures\n", ""),
        ] {
            check(reader, output, wanted);
        }
    }
}
