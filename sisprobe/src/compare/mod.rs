//! Captures → rows of a table, each with a verdict. Pure.

pub mod statistics;
