//! The options with which the kernel was built.

use std::io::Read;

use flate2::read::GzDecoder;

use super::read::{self, Missing};
use super::{Answer, Root};

const GZ: &str = "/proc/config.gz";
const MOST_CONFIG: u64 = 4 << 20;

/// The kernel's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelConfig(String);

impl KernelConfig {
    /// Reads /proc/config.gz, /boot/config-RELEASE, /lib/modules/RELEASE/config or
    /// /lib/modules/RELEASE/build/.config, whichever is there first.
    pub fn read(root: &Root, release: Option<&str>) -> Answer<Self> {
        try_read(root, release).into()
    }

    /// The value of `CONFIG_…`: `y`, `m`, a number, a quoted text; none if it is not set.
    pub fn get(&self, option: &str) -> Option<&str> {
        self.0
            .lines()
            .find_map(|line| line.strip_prefix(option)?.strip_prefix('='))
    }

    /// Whether `option` is built in.
    pub fn is_built_in(&self, option: &str) -> bool {
        self.get(option) == Some("y")
    }
}

fn try_read(root: &Root, release: Option<&str>) -> Result<KernelConfig, Missing> {
    match read::bytes(root, GZ, MOST_CONFIG) {
        Ok(packed) => {
            let mut text = String::new();
            GzDecoder::new(packed.as_slice())
                .take(MOST_CONFIG)
                .read_to_string(&mut text)
                .map_err(|error| Missing::Unknown(format!("{GZ} cannot be unpacked: {error}")))?;
            return Ok(KernelConfig(text));
        }
        Err(Missing::Absent(_)) => {}
        Err(unknown) => return Err(unknown),
    }
    let release = release.filter(|release| !release.contains('/'));
    for path in release.into_iter().flat_map(|release| {
        [
            format!("/boot/config-{release}"),
            format!("/lib/modules/{release}/config"),
            format!("/lib/modules/{release}/build/.config"),
        ]
    }) {
        match read::text(root, &path) {
            Ok(text) => return Ok(KernelConfig(text)),
            Err(Missing::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
    }
    Err(Missing::Unknown(format!(
        "the kernel's configuration is neither in {GZ} nor in /boot"
    )))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::kernel::fixture::Machine;

    const TEXT: &str = "# CONFIG_A is not set\nCONFIG_B=y\nCONFIG_BC=m\nCONFIG_D=\"x\"\n";

    fn assert_read(config: &KernelConfig) {
        assert_eq!(config.get("CONFIG_A"), None);
        assert!(config.is_built_in("CONFIG_B"));
        assert_eq!(config.get("CONFIG_BC"), Some("m"));
        assert_eq!(config.get("CONFIG_D"), Some("\"x\""));
    }

    #[test]
    fn plain_and_packed() {
        let plain = Machine::from_files(&[("/boot/config-6.1", TEXT)]);
        assert_read(
            KernelConfig::read(&plain.root, Some("6.1"))
                .found()
                .unwrap(),
        );

        let packed = Machine::from_files(&[]);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(TEXT.as_bytes()).unwrap();
        packed.write(GZ, &encoder.finish().unwrap());
        assert_read(KernelConfig::read(&packed.root, None).found().unwrap());
    }

    #[test]
    fn damaged_and_none() {
        let damaged = Machine::from_files(&[(GZ, "not gzip")]);
        let config = KernelConfig::read(&damaged.root, None);
        assert!(matches!(config, Answer::Unknown(why) if why.contains("unpacked")));
        let none = KernelConfig::read(&Machine::from_files(&[]).root, Some("../x"));
        assert!(matches!(none, Answer::Unknown(_)));
    }
}
