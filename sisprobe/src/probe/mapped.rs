//! A BPF array in this process's memory: reading it costs no system call.

use std::{
    marker::PhantomData,
    mem::size_of,
    os::fd::{AsFd as _, AsRawFd as _},
    ptr, slice,
};

use aya::{Ebpf, maps::Map};
use memmap2::{MmapOptions, MmapRaw};
use sisprobe_common::Plain;

use super::ProbeError;

/// A memory-mapped BPF array of `T`, whose size is a multiple of 8 bytes.
///
/// The kernel writes it meanwhile, so entries are copied by volatile reads of 8 bytes, each of
/// which is whole.
pub(super) struct Mapped<T> {
    memory: MmapRaw,
    len: usize,
    entry: PhantomData<T>,
}

impl<T: Plain> Mapped<T> {
    const WORDS: usize = {
        assert!(
            size_of::<T>().is_multiple_of(8),
            "BPF arrays round entries up to 8 bytes"
        );
        size_of::<T>() / 8
    };

    pub(super) fn new(ebpf: &mut Ebpf, name: &'static str, len: u32) -> Result<Self, ProbeError> {
        let Some(Map::Array(map)) = ebpf.map(name) else {
            return Err(ProbeError::Object(name));
        };
        let len = len as usize;
        let memory = MmapOptions::new()
            .len(len * size_of::<T>())
            .map_raw(map.fd().as_fd().as_raw_fd())
            .map_err(|error| ProbeError::Mmap { map: name, error })?;
        Ok(Self {
            memory,
            len,
            entry: PhantomData,
        })
    }

    fn entry(&self, index: usize) -> *mut u64 {
        assert!(index < self.len);
        // Maps are page-aligned, so entries are aligned to 8 bytes.
        self.memory
            .as_mut_ptr()
            .cast::<u64>()
            .wrapping_add(index * Self::WORDS)
    }

    pub(super) fn read(&self, index: usize) -> T {
        let from = self.entry(index);
        let mut value = std::mem::MaybeUninit::<T>::uninit();
        let to = value.as_mut_ptr().cast::<u64>();
        for word in 0..Self::WORDS {
            // SAFETY: both are in bounds; `to` may be aligned to less than 8.
            unsafe {
                to.add(word)
                    .write_unaligned(ptr::read_volatile(from.add(word)));
            };
        }
        // SAFETY: all bytes are written, and T is valid for any.
        unsafe { value.assume_init() }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = T> {
        (0..self.len).map(|index| self.read(index))
    }

    pub(super) fn read_all(&self) -> Vec<T> {
        self.iter().collect()
    }

    /// Writes entry `index`; none beyond the end.
    pub(super) fn write(&mut self, index: usize, value: T) {
        if index >= self.len {
            return;
        }
        let to = self.entry(index);
        let from = (&raw const value).cast::<u64>();
        for word in 0..Self::WORDS {
            // SAFETY: both are in bounds; `from` may be aligned to less than 8.
            unsafe { ptr::write_volatile(to.add(word), from.add(word).read_unaligned()) };
        }
    }
}

/// The bytes of `value`.
pub(super) fn bytes<T: Plain>(value: &T) -> &[u8] {
    // SAFETY: T has no padding, so all its bytes are initialised.
    unsafe { slice::from_raw_parts(ptr::from_ref(value).cast(), size_of::<T>()) }
}
