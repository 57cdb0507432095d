//! What both sides of the kernel boundary must agree on: the bucket scheme and the shapes of
//! the maps. Nothing here touches the standard library or the kernel.
#![no_std]

pub mod bucket;
pub mod budget;
pub mod layout;
pub mod load;
pub mod slot;
pub mod state;

/// Marks a `#[repr(C)]` type of plain integers, valid for every bit pattern and free of padding,
/// so that user space may read it straight out of a memory-mapped map.
///
/// # Safety
///
/// The type must be `#[repr(C)]`, consist of integers and arrays of them only, and have no
/// padding.
pub unsafe trait Plain: Copy {}
