//! schbench: blocks of percentiles, and the requests or operations of a second. The first
//! versions had one block, of the latency of wake-ups; since 2023 there are more.

use super::{
    Better, Metric,
    number::{after, number, percentile_name},
    put,
    reader::Reader,
};

pub(super) const READER: Reader = Reader {
    commands: &[&["schbench"]],
    sign: "percentiles (usec)",
    looked_for: "\"… percentiles (usec)\" and lines \"99.0th: LATENCY\" below it",
    read,
};

/// What a block of percentiles is about.
struct Block {
    name: &'static str,
    unit: &'static str,
    better: Better,
}

const WAKEUP: Block = Block {
    name: "wakeup_latency",
    unit: "us",
    better: Better::Lower,
};
const REQUEST: Block = Block {
    name: "request_latency",
    ..WAKEUP
};
const RPS: Block = Block {
    name: "rps",
    unit: "requests/s",
    better: Better::Higher,
};

/// How blocks begin.
const BLOCKS: [(&str, Block); 4] = [
    ("Latency percentiles (usec)", WAKEUP),
    ("Wakeup Latencies percentiles (usec)", WAKEUP),
    ("Request Latencies percentiles (usec)", REQUEST),
    ("RPS percentiles (requests)", RPS),
];

fn read(output: &str) -> Vec<Metric> {
    let mut metrics = Vec::new();
    let mut block = None;
    for line in output.lines() {
        if !line.starts_with(char::is_whitespace) {
            let begun = BLOCKS.iter().find(|(head, _)| line.starts_with(head));
            block = begun.map(|(_, block)| block);
        }
        let metric = match block {
            Some(block) => of_block(line.trim(), block),
            None => of_whole_run(line),
        };
        if let Some(metric) = metric {
            put(&mut metrics, metric);
        }
    }
    metrics
}

/// `* 99.0th: 41         (111 samples)` or `min=2, max=3072`.
fn of_block(line: &str, block: &Block) -> Option<Metric> {
    let (name, value) = if let Some((_, max)) = line.split_once(", max=") {
        // The most requests in a second say nothing of interest.
        (block.better == Better::Lower).then_some(())?;
        ("max".to_owned(), number(max)?)
    } else {
        let (percentile, rest) = line.trim_start_matches(['*', ' ']).split_once("th:")?;
        (percentile_name(percentile)?, after(rest, "")?)
    };
    Some(Metric {
        name: format!("{}_{name}", block.name),
        unit: block.unit.to_owned(),
        better: block.better,
        value,
    })
}

/// `average rps: 415.00`; before 2023 `rps: 72.00 p95 (usec) 337408 …`; with `-p`
/// `avg worker transfer: 29346.73 ops/sec 114.63KB/s`.
fn of_whole_run(line: &str) -> Option<Metric> {
    let rate = |name, unit| move |value| Metric::higher(name, unit, value);
    after(line, "average rps:")
        .or_else(|| after(line, "rps:"))
        .map(rate("average_rps", "requests/s"))
        .or_else(|| {
            let transfer = after(line, "avg worker transfer:");
            transfer.map(rate("transfer_ops_per_second", "ops/s"))
        })
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
                fixture!("schbench-36d859a"),
                "wakeup_latency_p50=43us- wakeup_latency_p75=3996us- \
                 wakeup_latency_p90=8592us- wakeup_latency_p95=12144us- \
                 wakeup_latency_p99=14160us- wakeup_latency_p99_5=15408us- \
                 wakeup_latency_p99_9=22880us- wakeup_latency_max=22873us-",
            ),
            (
                fixture!("schbench-3faa8b0-rps"),
                "wakeup_latency_p50=418304us- wakeup_latency_p75=650240us- \
                 wakeup_latency_p90=787456us- wakeup_latency_p95=846848us- \
                 wakeup_latency_p99=926720us- wakeup_latency_p99_5=934912us- \
                 wakeup_latency_p99_9=934912us- wakeup_latency_max=934164us- \
                 average_rps=60.61requests/s+",
            ),
            (
                fixture!("schbench-2eef447"),
                "wakeup_latency_p50=2652us- wakeup_latency_p75=5288us- \
                 wakeup_latency_p90=9264us- wakeup_latency_p95=10928us- \
                 wakeup_latency_p99=17184us- wakeup_latency_p99_5=17184us- \
                 wakeup_latency_p99_9=17184us- wakeup_latency_max=17159us-",
            ),
            (
                fixture!("schbench-2eef447-pipe"),
                "wakeup_latency_p50=3us- wakeup_latency_p75=3us- \
                 wakeup_latency_p90=4us- wakeup_latency_p95=4us- \
                 wakeup_latency_p99=9us- wakeup_latency_p99_5=19us- \
                 wakeup_latency_p99_9=2164us- wakeup_latency_max=175996us- \
                 transfer_ops_per_second=66776.87ops/s+",
            ),
            (
                fixture!("schbench-24e32b8"),
                "wakeup_latency_p50=5us- wakeup_latency_p90=7864us- \
                 wakeup_latency_p99=9136us- wakeup_latency_p99_9=9200us- \
                 wakeup_latency_max=9204us- request_latency_p50=30752us- \
                 request_latency_p90=43968us- request_latency_p99=52288us- \
                 request_latency_p99_9=53952us- request_latency_max=53924us- \
                 rps_p20=0requests/s+ rps_p50=55requests/s+ rps_p90=64requests/s+ \
                 average_rps=61.5requests/s+",
            ),
            (
                fixture!("schbench-24e32b8-intervals"),
                "wakeup_latency_p50=5us- wakeup_latency_p90=4216us- \
                 wakeup_latency_p99=8336us- wakeup_latency_p99_9=8464us- \
                 wakeup_latency_max=8474us- request_latency_p50=26464us- \
                 request_latency_p90=39104us- request_latency_p99=185088us- \
                 request_latency_p99_9=576512us- request_latency_max=576996us- \
                 rps_p20=0requests/s+ rps_p50=61requests/s+ rps_p90=68requests/s+ \
                 average_rps=58.75requests/s+",
            ),
            (
                fixture!("schbench-24e32b8-pipe"),
                "wakeup_latency_p20=2us- wakeup_latency_p50=3us- \
                 wakeup_latency_p90=18us- wakeup_latency_p99=30us- \
                 wakeup_latency_p99_9=437us- wakeup_latency_max=100002us- \
                 transfer_ops_per_second=50956.37ops/s+",
            ),
            ("  99.0th: 4\n", ""),
            ("Latency percentiles (usec)\n done\n  1e9th: 4\n", ""),
        ] {
            check(&READER, output, wanted);
        }
    }
}
