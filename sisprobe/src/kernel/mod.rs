//! What this kernel offers: the only reader of /proc, /sys and vmlinux.
//!
//! Everything is read under a [`Root`], so a folder captured from another machine can stand in
//! for the running one. "Could not tell" is an answer of its own: see [`Answer`].

pub mod answer;
pub mod root;

pub use answer::Answer;
pub use root::Root;
