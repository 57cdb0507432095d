//! Which shared libraries a program needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::command;

/// The libraries and the loader of a dynamic program, by the paths at which the loader looks.
/// Nothing for a static program or a script.
pub(super) fn libraries(program: &Path) -> Result<Vec<PathBuf>> {
    let answer = command::capture(Command::new("ldd").arg(program))?;
    Ok(parse(&String::from_utf8_lossy(&answer.stdout)))
}

fn parse(listing: &str) -> Vec<PathBuf> {
    listing
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')))
        .filter(|path| !path.ends_with(':'))
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::parse;

    #[test]
    fn libraries_and_loader_are_read_from_ldd() {
        let listing = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                       \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n\
                       \t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n";
        let expected: [PathBuf; 2] = [
            "/lib/x86_64-linux-gnu/libc.so.6".into(),
            "/lib64/ld-linux-x86-64.so.2".into(),
        ];
        assert_eq!(parse(listing), expected);
        assert!(parse("\tnot a dynamic executable\n").is_empty());
        assert!(parse("\tlibx.so => not found\n").is_empty());
    }
}
