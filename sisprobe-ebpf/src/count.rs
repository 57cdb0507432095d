//! Additions to slots: plain where one CPU is the only writer, atomic where it is not.

use core::arch::asm;

use sisprobe_common::{bucket::Scheme, slot::Buckets};

/// A way to add to a counter.
pub trait Add {
    /// Adds `n` to `counter`.
    fn add(counter: &mut u64, n: u64);
}

/// For a home slot: only this CPU writes it, with interrupts off.
pub struct Local;

/// For an away slot, which any CPU may write.
pub struct Atomic;

impl Add for Local {
    #[inline(always)]
    fn add(counter: &mut u64, n: u64) {
        *counter += n;
    }
}

impl Add for Atomic {
    #[inline(always)]
    fn add(counter: &mut u64, n: u64) {
        // An instruction of its own, since core offers no fetch_add where the target has no
        // compare-and-swap, as BPF's first instruction sets have not.
        // SAFETY: the reference is valid and aligned, and all writers are atomic.
        unsafe {
            asm!("lock *(u64 *)({counter} + 0) += {n}",
                counter = in(reg) core::ptr::from_mut(counter), n = in(reg) n, options(nostack));
        }
    }
}

/// `index`, of which the compiler no longer knows the range.
///
/// It would else leave out the bounds check of an index that it can prove to be in range, by a
/// proof that the kernel's verifier does not find.
#[inline(always)]
pub fn unknown(index: usize) -> usize {
    let mut index = index;
    // A move to itself: with no instruction at all, two line records would share one place,
    // which the kernel refuses.
    // SAFETY: nothing is changed.
    unsafe { asm!("{index} = {index}", index = inout(reg) index, options(nomem, nostack)) };
    index
}

/// Counts `value` in `buckets`.
#[inline(always)]
pub fn record<A: Add, const N: usize>(buckets: &mut Buckets<N>, scheme: Scheme, value: u64) {
    A::add(&mut buckets.sum, value);
    if let Some(count) = buckets.counts.get_mut(unknown(scheme.index(value))) {
        A::add(count, 1);
    }
}
