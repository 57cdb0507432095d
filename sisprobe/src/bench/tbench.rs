//! tbench and dbench: `Throughput 274.283 MB/sec  2 clients  2 procs  max_latency=4.915 ms`. The
//! lines before it are of intervals.

use super::{
    Metric,
    number::{after, number},
    reader::Reader,
};

pub(super) const READER: Reader = Reader {
    commands: &[&["tbench"], &["dbench"]],
    sign: "Throughput ",
    looked_for: "a line \"Throughput RATE MB/sec\"",
    read,
};

fn read(output: &str) -> Vec<Metric> {
    let is_result = |line: &&str| line.starts_with("Throughput ") && line.contains(" MB/sec");
    let Some(line) = output.lines().rfind(is_result) else {
        return Vec::new();
    };
    let throughput = after(line, "Throughput ");
    let latency = line
        .split_once("max_latency=")
        .and_then(|(_, rest)| number(rest.strip_suffix(" ms")?));
    throughput
        .map(|rate| Metric::higher("throughput", "MB/s", rate))
        .into_iter()
        .chain(latency.map(|latency| Metric::lower("max_latency", "ms", latency)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{check, fixture},
        *,
    };

    #[test]
    fn real_output() {
        for (output, wanted) in [
            (
                fixture!("tbench-4.0"),
                "throughput=274.283MB/s+ max_latency=4.915ms-",
            ),
            (
                fixture!("dbench-4.0"),
                "throughput=169.305MB/s+ max_latency=135.032ms-",
            ),
            // Version 3 has no latency.
            ("Throughput 99.5 MB/sec 4 procs\n", "throughput=99.5MB/s+"),
            ("   2     22377   274.28 MB/sec  execute   1 sec\n", ""),
            ("Throughput fair MB/sec\n", ""),
        ] {
            check(&READER, output, wanted);
        }
    }
}
