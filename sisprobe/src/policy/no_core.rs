//! Four CPUs, and no search for an idle core.

use super::{Depth, LlcState};

/// The limit.
const CPUS: u32 = 4;

/// At most 4 CPUs, from where the last search ended; idle cores or not, since `select_idle_core`
/// is removed.
///
/// - Source: a series of 2018.
/// - Kernels: never merged.
/// - Default: none.
pub fn depth(state: &LlcState) -> Depth {
    Depth::AtMost(CPUS.min(state.scannable()))
}
