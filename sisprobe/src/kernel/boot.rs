//! What the kernel was booted with.

use super::{Answer, Root, read};

/// The kernel's command line: /proc/cmdline.
pub fn boot_command_line(root: &Root) -> Answer<String> {
    read::text(root, "/proc/cmdline").into()
}
