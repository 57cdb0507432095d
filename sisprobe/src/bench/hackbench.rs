//! hackbench of rt-tests: `Time: 0.237`, in seconds.

use super::{Metric, number::after, reader::Reader};

pub(super) const READER: Reader = Reader {
    commands: &[&["hackbench"]],
    sign: "Time: ",
    looked_for: "a line \"Time: SECONDS\"",
    read,
};

fn read(output: &str) -> Vec<Metric> {
    output
        .lines()
        .rev()
        .find_map(|line| after(line, "Time: "))
        .map(|time| Metric::lower("time", "s", time))
        .into_iter()
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
        for (output, time) in [
            (fixture!("hackbench-2.4"), "time=0.237s-"),
            (fixture!("hackbench-2.4-threads"), "time=0.063s-"),
            ("Time: 0.1\nTime: 0.2\n", "time=0.2s-"),
            ("Time: soon\n", ""),
            ("Downtime: 3\n", ""),
        ] {
            check(&READER, output, time);
        }
    }
}
