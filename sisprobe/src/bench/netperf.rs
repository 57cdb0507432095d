//! netperf: transactions of a second (`*_RR`, `*_CRR`) and throughput (`*_STREAM` and the like),
//! from the classic tables, with titles or without (`-P 0`), and from omni output.
//!
//! A load is made of many netperf side by side, so the results in one output are added.

use super::{Metric, number::number, reader::Reader};

pub(super) const READER: Reader = Reader {
    commands: &[&["netperf"]],
    sign: " TEST from ",
    looked_for: "a row of results of an RR or STREAM test, or a number with its unit (Trans/s, \
                 10^6bits/s)",
    read,
};

fn read(output: &str) -> Vec<Metric> {
    let (mut transactions, mut bits) = (None, None);
    // The unit of a classic STREAM table stands in its titles.
    let mut titled = 1e6;
    let mut keyed = Keyed::default();
    for line in output.lines() {
        if line.starts_with("Interim result:") {
            continue;
        }
        let fields: Vec<&str> = line
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|field| !field.is_empty())
            .take(MAX_FIELDS)
            .collect();
        let result = keyed
            .read(line)
            .or_else(|| with_unit(&fields))
            .or_else(|| row(&fields, titled));
        match result {
            Some((value, Unit::Transactions)) => add(&mut transactions, value),
            Some((value, Unit::Bits(each))) => add(&mut bits, value * each),
            None => {
                let unit = fields.iter().find_map(|field| Unit::parse(field));
                if let Some(Unit::Bits(each)) = unit {
                    titled = each;
                }
            }
        }
    }
    let transactions =
        transactions.map(|sum| Metric::higher("transactions_per_second", "transactions/s", sum));
    let throughput = bits.map(|sum| Metric::higher("throughput", "Mbit/s", sum / 1e6));
    transactions
        .into_iter()
        .chain(throughput)
        .filter(|metric| metric.value.is_finite())
        .collect()
}

/// What `-k` prints, one a line and in the order asked for: `THROUGHPUT=12050.73` and
/// `THROUGHPUT_UNITS=Trans/s`.
#[derive(Default)]
struct Keyed {
    value: Option<f64>,
    unit: Option<Unit>,
}

impl Keyed {
    /// The result, once both lines have been seen.
    fn read(&mut self, line: &str) -> Option<(f64, Unit)> {
        let (key, value) = line.trim_end().split_once('=')?;
        match key {
            "THROUGHPUT" => self.value = number(value),
            "THROUGHPUT_UNITS" => self.unit = Unit::parse(value),
            _ => return None,
        }
        let result = self.value.zip(self.unit)?;
        *self = Self::default();
        Some(result)
    }
}

/// More than the widest output (`-o all`) has.
const MAX_FIELDS: usize = 400;

fn add(sum: &mut Option<f64>, value: f64) {
    *sum = Some(sum.unwrap_or(0.0) + value);
}

#[derive(Clone, Copy)]
enum Unit {
    Transactions,
    /// So many bits a second.
    Bits(f64),
}

impl Unit {
    /// As netperf writes them, `/s` in results and `/sec` in titles. Its bytes come by 2^10.
    fn parse(text: &str) -> Option<Self> {
        let unit = text
            .strip_suffix("/sec")
            .or_else(|| text.strip_suffix("/s"))?;
        Some(match unit {
            "Trans" => Self::Transactions,
            "10^3bits" => Self::Bits(1e3),
            "10^6bits" => Self::Bits(1e6),
            "10^9bits" => Self::Bits(1e9),
            "KBytes" => Self::Bits(8.0 * 1024.0),
            "MBytes" => Self::Bits(8.0 * 1024.0 * 1024.0),
            "GBytes" => Self::Bits(8.0 * 1024.0 * 1024.0 * 1024.0),
            _ => return None,
        })
    }
}

/// omni output: somewhere in the row, `11795.11 Trans/s`.
fn with_unit(fields: &[&str]) -> Option<(f64, Unit)> {
    fields
        .windows(2)
        .find_map(|pair| number(pair[0]).zip(Unit::parse(pair[1])))
}

/// A classic row. Which test it is of is told by where the elapsed time stands, the first number
/// with a decimal point. `-c -C` adds columns for CPU use behind the result. Of UDP_STREAM's two
/// rows the second tells what was received.
fn row(fields: &[&str], titled: f64) -> Option<(f64, Unit)> {
    let numbers: Vec<f64> = fields
        .iter()
        .map(|field| number(field))
        .collect::<Option<_>>()?;
    let elapsed = fields.iter().position(|field| field.contains('.'))?;
    match (elapsed, numbers.len()) {
        (4, 6 | 10) => Some((numbers[5], Unit::Transactions)),
        (3, 5 | 9) => Some((numbers[4], Unit::Bits(titled))),
        (1, 4 | 6) => Some((numbers[3], Unit::Bits(titled))),
        _ => None,
    }
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
                fixture!("netperf-2.7.0-tcp_rr"),
                "transactions_per_second=56410.82transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-cpu"),
                "transactions_per_second=61863.27transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-csv"),
                "transactions_per_second=11261.76transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-interim"),
                "transactions_per_second=13192.23transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-keyval"),
                "transactions_per_second=11387.84transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-selected"),
                "transactions_per_second=11982.72transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-verbose"),
                "transactions_per_second=12139.34transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-three"),
                "transactions_per_second=92845.07transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_rr-three-bare"),
                "transactions_per_second=102298.85transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_crr"),
                "transactions_per_second=12292.09transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-udp_rr"),
                "transactions_per_second=72961.35transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-omni-rr"),
                "transactions_per_second=13373.62transactions/s+",
            ),
            (
                fixture!("netperf-2.7.0-omni-stream"),
                "throughput=15227.95Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_stream"),
                "throughput=13429.26Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_stream-cpu"),
                "throughput=12444.49Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-tcp_stream-mbytes"),
                "throughput=13383.85629184Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-udp_stream"),
                "throughput=7905.79Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-udp_stream-cpu"),
                "throughput=20018.2Mbit/s+",
            ),
            (
                fixture!("netperf-2.7.0-udp_stream-bare"),
                "throughput=20314.58Mbit/s+",
            ),
            (fixture!("netperf-2.7.0-refused"), ""),
        ] {
            check(&READER, output, wanted);
        }
    }

    #[test]
    fn keys_in_any_order() {
        let one = "THROUGHPUT_UNITS=10^9bits/s\nTHROUGHPUT=2.5\n";
        check(&READER, &one.repeat(2), "throughput=5000Mbit/s+");
    }

    #[test]
    fn sums_that_overflow_are_none() {
        let row = "1 1 1 1 1.00 1e308\n";
        check(&READER, &row.repeat(2), "");
    }
}
