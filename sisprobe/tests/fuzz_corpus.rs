//! Every stored input of the fuzz targets, through what the targets do with it.

use std::{fs, path::Path};

#[path = "../../fuzz/bench.rs"]
mod bench;
#[path = "../../fuzz/capture.rs"]
mod capture;

/// How many inputs there were.
fn each(target: &str, run: fn(&[u8])) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a corpus") {
        let path = entry.expect("an entry").path();
        // Told where one of them makes it panic.
        println!("{}", path.display());
        run(&fs::read(path).expect("a file"));
        count += 1;
    }
    count
}

#[test]
fn captures() {
    assert!(each("capture", capture::run) >= 10);
}

#[test]
fn outputs_of_benchmarks() {
    assert!(each("bench", bench::run) >= 10);
}
