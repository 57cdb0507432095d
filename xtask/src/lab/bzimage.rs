//! Reads a kernel's release out of its bzImage.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Offset of the boot header's magic (Documentation/arch/x86/boot.rst, `header`).
const MAGIC: usize = 0x202;
/// Offset of the pointer to the version string, less 0x200 (the same, `kernel_version`).
const VERSION: usize = 0x20e;

/// What `uname -r` will say.
///
/// # Errors
///
/// The file cannot be read or is no bzImage.
pub(super) fn release(path: &Path) -> Result<String> {
    let image = fs::read(path).with_context(|| format!("read {}", path.display()))?;
    ensure!(
        image.get(MAGIC..MAGIC + 4) == Some(b"HdrS"),
        "{} is no x86 kernel image (bzImage or vmlinuz)",
        path.display()
    );
    parse(&image).with_context(|| format!("{} does not tell its version", path.display()))
}

fn parse(image: &[u8]) -> Option<String> {
    let pointer: [u8; 2] = image.get(VERSION..VERSION + 2)?.try_into().ok()?;
    let start = usize::from(u16::from_le_bytes(pointer)) + 0x200;
    let text = image.get(start..)?;
    let text = &text[..text.iter().position(|&byte| byte == 0)?];
    let release = std::str::from_utf8(text).ok()?.split_whitespace().next()?;
    Some(release.to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_release_is_the_first_word_of_the_version_string() {
        let mut image = vec![0; 0x400];
        image[0x20e..0x210].copy_from_slice(&0x0100_u16.to_le_bytes());
        let text = b"6.12.117+deb12-cloud-amd64 (builder) #1 SMP\0";
        image[0x300..0x300 + text.len()].copy_from_slice(text);
        assert_eq!(parse(&image).as_deref(), Some("6.12.117+deb12-cloud-amd64"));
        assert_eq!(parse(&image[..0x100]), None);
    }
}
