//! Scheduler features that an `ab` which was killed has left switched.

use std::io::{Write as _, stderr};

use crate::{ab, kernel::Root};

/// Puts them back, and says so on standard error. What is measured would else be another
/// machine's; if it fails, that is said too.
pub(super) fn put_back_left_over(root: &Root) {
    let said = match ab::left_over(root) {
        Ok(None) => return,
        Ok(Some(left)) => match left.put_back() {
            Ok(features) => put_back(&features),
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    };
    // Where standard error cannot be written there is nobody to be told.
    let _ = writeln!(stderr(), "sisprobe: {said}");
}

/// What was done, in words.
pub(super) fn put_back(features: &[String]) -> String {
    format!(
        "put back scheduler features that a 'sisprobe ab' left switched when it was killed: {}",
        features.join(" ")
    )
}

fn failed(error: &ab::SwitchError) -> String {
    format!(
        "a 'sisprobe ab' was killed and left scheduler features switched; putting them back \
         failed: {error}. 'sisprobe ab --restore', as root, does it"
    )
}
