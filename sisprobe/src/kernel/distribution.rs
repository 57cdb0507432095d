//! How to get the kernel's debug info from the distribution that built it.

use super::Root;
use super::read;

/// The one command that installs the debug info of kernel `release`; none if the kernel does not
/// look like one of a distribution that sisprobe knows.
///
/// Goes by what the kernel says of its builder in /proc/version, not by the distribution that is
/// installed, which need not be the one that the kernel comes from.
pub fn debuginfo_command(root: &Root, release: &str) -> Option<String> {
    let version = read::text(root, "/proc/version").ok()?;
    if version.contains("debian-kernel@lists.debian.org") {
        return Some(format!("apt install linux-image-{release}-dbg"));
    }
    if version.contains("-Ubuntu ") {
        // In Ubuntu's archive of debug symbols, which has to be enabled first.
        return Some(format!("apt install linux-image-{release}-dbgsym"));
    }
    if has_tag(release, ".fc") || has_tag(release, ".el") {
        return Some(format!(
            "dnf install --enablerepo='*debug*' kernel-debuginfo-{release}"
        ));
    }
    if version.contains("geeko@buildhost") {
        let flavour = release.rsplit('-').next()?;
        return Some(format!("zypper install kernel-{flavour}-debuginfo"));
    }
    None
}

/// Whether `tag` with a digit behind it is in `release`, as in 6.12.1-100.fc41.x86_64.
fn has_tag(release: &str, tag: &str) -> bool {
    release
        .match_indices(tag)
        .any(|(at, _)| release[at + tag.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::{Machine, machine};

    fn of(release: &str, builder: &str) -> Option<String> {
        let version = format!("Linux version {release} ({builder}) (gcc) #1 SMP\n");
        let machine = Machine::from_files(&[("/proc/version", &version)]);
        debuginfo_command(&machine.root, release)
    }

    #[test]
    fn a_real_debian_kernel() {
        let machine = machine("6.1-2llc");
        assert_eq!(
            debuginfo_command(&machine.root, "6.1.0-57-cloud-amd64").unwrap(),
            "apt install linux-image-6.1.0-57-cloud-amd64-dbg"
        );
    }

    #[test]
    fn the_builder_decides() {
        let fedora = of("6.12.1-100.fc41.x86_64", "mockbuild@0").unwrap();
        assert!(fedora.ends_with("kernel-debuginfo-6.12.1-100.fc41.x86_64"));
        assert!(of("5.14.0-503.el9.x86_64", "mockbuild@0").is_some());
        let suse = of("6.4.0-150600.21-default", "geeko@buildhost").unwrap();
        assert_eq!(suse, "zypper install kernel-default-debuginfo");
        let ubuntu = of("6.8.0-50-generic", "buildd@0) (gcc) #51-Ubuntu SMP (").unwrap();
        assert!(ubuntu.ends_with("-dbgsym"));
        for (release, builder) in [("6.12.0", "me@home"), ("6.12.0.felix", "me@home")] {
            assert_eq!(of(release, builder), None);
        }
        assert_eq!(debuginfo_command(&Machine::from_files(&[]).root, "r"), None);
    }
}
