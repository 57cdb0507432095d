//! Nothing: here so that sisprobe can depend on this crate and is rebuilt when it changes.
#![no_std]
