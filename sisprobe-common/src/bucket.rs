//! The one bucket scheme, integer only, used for nanoseconds and for CPU counts alike.
//!
//! Each power of two is divided into 8 buckets, so the values below 16 have one each and no
//! bucket is wider than 1/8 of its lower bound. Zero has a bucket of its own, and what lies at
//! or above `2^top` goes into the overflow bucket, which has no upper bound. Joining the 8
//! buckets of a power of two gives exactly the log2 row `[2^k, 2^(k+1))`.

/// Buckets in each power of two.
pub const SUB: u32 = 1 << SUB_BITS;
const SUB_BITS: u32 = 3;

/// Durations, in nanoseconds: finite buckets up to 2^32 ns (4.29 s).
pub const DURATION: Scheme = Scheme::new(32);
/// Counts of CPUs: finite buckets up to 2^13 (8,192, the kernel's greatest `NR_CPUS`).
pub const COUNT: Scheme = Scheme::new(13);

/// A range of values divided into buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    top: u32,
}

/// A row of the log2 view of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// The value 0.
    Zero,
    /// `[2^k, 2^(k+1))`.
    Log2(u32),
    /// Everything at or above the scheme's top.
    Overflow,
}

impl Scheme {
    /// Finite buckets for the values below `2^top`; `top` is 4 to 63.
    pub const fn new(top: u32) -> Self {
        assert!(top >= 4 && top <= 63);
        Self { top }
    }

    /// The exponent of the first value that has no finite bucket.
    pub const fn top(self) -> u32 {
        self.top
    }

    /// How many buckets there are, the overflow bucket included.
    pub const fn len(self) -> usize {
        self.overflow() + 1
    }

    /// Never: a scheme has at least 17 buckets.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The index of the overflow bucket, which is the last.
    pub const fn overflow(self) -> usize {
        (SUB * (self.top - SUB_BITS + 1)) as usize
    }

    /// The bucket that `value` belongs to, in `0..self.len()`.
    ///
    /// No loop and no panic. In BPF, which cannot count leading zeros, it takes some 50
    /// instructions in a straight line, or 3 for the values below 8. The verifier cannot follow
    /// that arithmetic, so the kernel side must still compare the index with the array's length.
    #[inline(always)]
    pub const fn index(self, value: u64) -> usize {
        if value < (SUB as u64) {
            return value as usize;
        }
        if value >> self.top != 0 {
            return self.overflow();
        }
        let k = 63 - value.leading_zeros();
        let sub = (value >> (k - SUB_BITS)) as u32 & (SUB - 1);
        (SUB * (k - SUB_BITS + 1) + sub) as usize
    }

    /// The least value of bucket `index`; of the overflow bucket, for any index beyond it.
    pub const fn low(self, index: usize) -> u64 {
        let index = if index > self.overflow() {
            self.overflow() as u64
        } else {
            index as u64
        };
        let sub = SUB as u64;
        if index < sub {
            return index;
        }
        let k = index / sub - 1 + SUB_BITS as u64;
        (sub + index % sub) << (k - SUB_BITS as u64)
    }

    /// The least value above bucket `index`; none for the overflow bucket.
    pub const fn high(self, index: usize) -> Option<u64> {
        if index >= self.overflow() {
            return None;
        }
        Some(self.low(index + 1))
    }

    /// The row of the log2 view that bucket `index` is part of.
    pub const fn row(self, index: usize) -> Row {
        if index == 0 {
            Row::Zero
        } else if index >= self.overflow() {
            Row::Overflow
        } else {
            Row::Log2(self.low(index).ilog2())
        }
    }
}
