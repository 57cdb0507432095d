//! (facts, request) → plan: which probes, at which fidelity, and why not better ones. Pure.

mod fidelity;

pub use fidelity::{AttachMethod, Fidelity};
