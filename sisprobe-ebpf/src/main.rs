//! The programs that run inside the kernel: entry points only, see [`wakeup`].
//!
//! Each event has a program for every way to attach to it; the plan loads one of them.
#![no_std]
#![no_main]
#![feature(asm_experimental_arch)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "aya's macros hand contexts over by value"
)]

mod count;
mod kernel;
mod limit;
mod load;
mod maps;
mod wakeup;

use aya_ebpf::{
    macros::{fentry, fexit, kprobe, kretprobe, raw_tracepoint},
    programs::{FEntryContext, FExitContext, ProbeContext, RawTracePointContext, RetProbeContext},
};

/// int select_task_rq_fair(struct task_struct *p, int prev_cpu, int wake_flags)
#[fentry]
fn entered_fentry(ctx: FEntryContext) -> i32 {
    wakeup::entered(ctx.arg(0), ctx.arg(1), ctx.arg(2));
    0
}

/// The entry of select_task_rq_fair.
#[kprobe]
fn entered_kprobe(ctx: ProbeContext) -> u32 {
    if let (Some(task), Some(prev_cpu), Some(flags)) = (ctx.arg(0), ctx.arg(1), ctx.arg(2)) {
        wakeup::entered(task, prev_cpu, flags);
    }
    0
}

/// The return of select_task_rq_fair.
#[fexit]
fn left_fexit(ctx: FExitContext) -> i32 {
    wakeup::left(ctx.arg(3));
    0
}

/// The return of select_task_rq_fair.
#[kretprobe]
fn left_kretprobe(ctx: RetProbeContext) -> u32 {
    wakeup::left(ctx.ret());
    0
}

/// int available_idle_cpu(int cpu)
#[fexit]
fn looked_fexit(ctx: FExitContext) -> i32 {
    wakeup::looked(ctx.arg::<i32>(1) != 0);
    0
}

/// The return of available_idle_cpu.
#[kretprobe]
fn looked_kretprobe(ctx: RetProbeContext) -> u32 {
    wakeup::looked(ctx.ret::<i32>() != 0);
    0
}

/// The entry of select_idle_cpu, of its own or inlined.
#[kprobe]
fn search_began_kprobe(_ctx: ProbeContext) -> u32 {
    wakeup::search_began();
    0
}

/// The entry of select_idle_cpu.
#[fentry]
fn search_began_fentry(_ctx: FEntryContext) -> i32 {
    wakeup::search_began();
    0
}

/// int select_idle_cpu(struct task_struct *p, struct sched_domain *sd, bool has_idle_core, int target)
#[fexit]
fn search_ended_fexit(ctx: FExitContext) -> i32 {
    wakeup::search_ended(ctx.arg(4));
    0
}

/// The return of select_idle_cpu.
#[kretprobe]
fn search_ended_kretprobe(ctx: RetProbeContext) -> u32 {
    wakeup::search_ended(ctx.ret());
    0
}

/// The entry of select_idle_core.
#[kprobe]
fn core_began_kprobe(_ctx: ProbeContext) -> u32 {
    wakeup::core_began();
    0
}

/// The return of select_idle_core.
#[kretprobe]
fn core_ended_kretprobe(_ctx: RetProbeContext) -> u32 {
    wakeup::core_ended();
    0
}

/// The place where an inlined body of select_idle_core begins.
#[kprobe]
fn core_stepped_kprobe(_ctx: ProbeContext) -> u32 {
    wakeup::core_stepped();
    0
}

/// Attached nowhere: user space runs it, with the first CPU and how many.
#[raw_tracepoint]
fn sampled(ctx: RawTracePointContext) -> i32 {
    load::sample(ctx.arg::<u64>(0) as u32, ctx.arg::<u64>(1) as u32);
    0
}

#[cfg(not(test))]
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// The licence that the kernel asks for: some helpers are for GPL-compatible programs only.
#[unsafe(link_section = "license")]
#[unsafe(no_mangle)]
static LICENSE: [u8; 13] = *b"Dual MIT/GPL\0";
