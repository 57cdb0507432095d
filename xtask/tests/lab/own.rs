//! Kernels of our own: with the search out of line, so that fidelity is `exact`, and with the
//! policies that were never merged. They take minutes to build, so `cargo xtask test` runs this
//! with --full only.

mod policies;

use xtask::lab::{Kernel, Lab};

use crate::{guest, witness};

#[test]
fn exact_agrees_with_the_witness() {
    let lab = guest::with_scripts(Lab::new(Kernel::own("6.12-exact")));
    let doctor = guest::run(&lab, "sisprobe doctor");
    assert!(
        doctor
            .stdout
            .contains("Plan: fidelity exact, attach fentry")
    );
    witness::agree(&lab, &["exact"]);
}
