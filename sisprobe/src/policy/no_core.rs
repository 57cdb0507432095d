//! Four CPUs, and no search for an idle core.

use sisprobe_common::budget::NO_CORE;

use super::{Depth, LlcState};

/// At most 4 CPUs, from where the last search ended; idle cores or not, since `select_idle_core`
/// is removed.
///
/// - Source: a series of 2018.
/// - Kernels: never merged.
/// - Default: none.
pub fn depth(state: &LlcState) -> Depth {
    Depth::AtMost(NO_CORE.min(state.scannable()))
}
