//! No limit.

use super::{Depth, LlcState};

/// Every CPU of `sched_domain_span(sd_llc) & p->cpus_ptr`, from the one after the target and
/// around.
///
/// - Source: kernel/sched/fair.c, `select_idle_cpu`, with no `SIS_*` feature on.
/// - Kernels: all; before 4.9 there was nothing else.
/// - Default: only where no other policy is on.
pub fn depth(state: &LlcState) -> Depth {
    Depth::weight(state)
}
