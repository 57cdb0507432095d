//! Outputs of benchmarks: `cargo fuzz run bench`.

#![no_main]

#[path = "../bench.rs"]
mod bench;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bench::run(bytes));
