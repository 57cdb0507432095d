//! How to get the kernel's debug info on this distribution.

use super::Root;
use super::read;

/// The one command that installs the debug info of kernel `release`, by /etc/os-release; none
/// for a distribution that sisprobe does not know.
pub fn debuginfo_command(root: &Root, release: &str) -> Option<String> {
    let file = read::text(root, "/etc/os-release")
        .or_else(|_| read::text(root, "/usr/lib/os-release"))
        .ok()?;
    let value = |key: &str| {
        file.lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .map(|value| value.trim_matches(['"', '\'']).to_owned())
            .unwrap_or_default()
    };
    let like = value("ID_LIKE");
    let id = value("ID");
    std::iter::once(id.as_str())
        .chain(like.split_ascii_whitespace())
        .find_map(|id| command(id, release))
}

fn command(id: &str, release: &str) -> Option<String> {
    Some(match id {
        "debian" => format!("apt install linux-image-{release}-dbg"),
        // From the ddebs archive, which has to be enabled first.
        "ubuntu" => format!("apt install linux-image-{release}-dbgsym"),
        "fedora" | "rhel" | "centos" => format!("dnf debuginfo-install kernel-{release}"),
        "opensuse" | "suse" | "sles" => {
            let flavour = release.rsplit('-').next().unwrap_or("default");
            format!("zypper install kernel-{flavour}-debuginfo")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::fixture::Machine;

    fn on(os_release: &str) -> Option<String> {
        let machine = Machine::from_files(&[("/etc/os-release", os_release)]);
        debuginfo_command(&machine.root, "6.12.1-default")
    }

    #[test]
    fn known_distributions_and_their_children() {
        let debian = Some("apt install linux-image-6.12.1-default-dbg".to_owned());
        assert_eq!(on("NAME=x\nID=debian\n"), debian);
        assert_eq!(on("ID=other\nID_LIKE=\"foo debian\"\n"), debian);
        assert!(
            on("ID=mint\nID_LIKE=\"ubuntu debian\"\n")
                .unwrap()
                .ends_with("-dbgsym")
        );
        assert!(on("ID=\"fedora\"\n").unwrap().starts_with("dnf"));
        assert!(
            on("ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n")
                .unwrap()
                .contains("kernel-default-")
        );
        assert_eq!(on("ID=else\n"), None);
        assert_eq!(debuginfo_command(&Machine::from_files(&[]).root, "r"), None);
    }
}
