//! `cargo xtask`.

fn main() {}
