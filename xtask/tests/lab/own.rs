//! Fidelity `exact`, on a kernel of our own that has the search out of line. It takes minutes to
//! build, so `cargo xtask test` runs this with --full only.

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
