//! A histogram of [`sisprobe_common::bucket`] on the user side.

use serde::{Deserialize, Serialize};

/// Bucket counts and the exact sum of what they count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// The scheme's top: finite buckets for values below `2^top`.
    pub top: u32,
    /// The exact sum of all values.
    pub sum: u64,
    /// Values by bucket; the last is the overflow bucket.
    pub counts: Vec<u64>,
}
