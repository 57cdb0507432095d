//! What is known of one benchmark.

use super::Metric;

/// How a benchmark is recognised and read.
pub(super) struct Reader {
    /// The commands that run it: the program's name, then words that follow it in this order,
    /// others between them.
    pub commands: &'static [&'static [&'static str]],
    /// A text that its output has and that few others have.
    pub sign: &'static str,
    /// What its figures look like, for the error if there are none.
    pub looked_for: &'static str,
    /// Reads its figures.
    pub read: fn(&str) -> Vec<Metric>,
}
