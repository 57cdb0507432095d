//! QEMU's command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Forward, Lab, Parts, console};

/// The emulator.
pub(crate) const PROGRAM: &str = "qemu-system-x86_64";

/// Room for /out, in bytes; the file is sparse.
const OUT_SIZE: u64 = 4 << 30;

/// The files of one run, in its own folder.
pub(super) struct Files {
    pub(super) initrd: PathBuf,
    pub(super) out: PathBuf,
    pub(super) sockets: [PathBuf; 3],
    pub(super) log: PathBuf,
}

impl Files {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self {
            initrd: folder.join("initrd"),
            out: folder.join("out"),
            sockets: ["console", "command", "control"].map(|name| folder.join(name)),
            log: folder.join("log"),
        }
    }

    /// What QEMU complains about, without its list of CPU features that it cannot emulate, one
    /// line for each CPU and feature.
    pub(super) fn complaints(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&log)
            .lines()
            .filter(|line| !line.contains("TCG doesn't support requested feature"))
            .filter(|line| !line.contains("terminating on signal"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Makes the disk that takes /out home.
    pub(super) fn make_out(&self) -> std::io::Result<()> {
        fs::File::create(&self.out)?.set_len(OUT_SIZE)
    }
}

/// The whole command. One host thread runs all CPUs: with one thread each, QEMU 7.2 now and then
/// crashes a guest that patches its own code, which is what attaching probes does. setpriv lets
/// QEMU die with us whatever becomes of us.
pub(super) fn command(lab: &Lab, parts: &Parts, files: &Files) -> Command {
    let cpus = lab.cpus();
    let mut qemu = Command::new("setpriv");
    qemu.args(["--pdeathsig", "KILL", "--", PROGRAM])
        .args(["-accel", "tcg,thread=single"])
        .args(["-cpu", "Skylake-Server,-hle,-rtm", "-m", &lab.memory])
        .args(["-smp", &smp(lab.sockets, lab.cores, lab.threads)])
        .args(["-nodefaults", "-display", "none", "-no-reboot"])
        .args(["-monitor", "none"]);
    if cpus > 128 {
        qemu.args(["-M", "q35"]);
    }
    if lab.icount {
        qemu.args(["-icount", "shift=0,sleep=off"]);
    }
    for (index, socket) in files.sockets.iter().enumerate() {
        qemu.arg("-chardev")
            .arg(format!("socket,id=s{index},path={}", escape(socket)))
            .arg("-serial")
            .arg(format!("chardev:s{index}"));
    }
    if !lab.forward.is_empty() {
        qemu.arg("-netdev")
            .arg(netdev(&lab.forward))
            .args(["-device", "vmxnet3,netdev=n0"]);
    }
    // One queue pair: the default of one for each CPU costs boot time and interrupt vectors.
    qemu.args(["-device", "nvme,id=disks,serial=lab,max_ioqpairs=1"]);
    let mut disks = vec![(&files.out, false), (&parts.tools, true)];
    disks.extend(parts.debug_disk.as_ref().map(|disk| (disk, true)));
    for (index, (path, readonly)) in disks.into_iter().enumerate() {
        let number = index + 1;
        let switch = if readonly { "on" } else { "off" };
        qemu.arg("-drive")
            .arg(format!(
                "if=none,id=d{number},format=raw,cache=unsafe,readonly={switch},file={}",
                escape(path)
            ))
            .arg("-device")
            .arg(format!("nvme-ns,bus=disks,drive=d{number},nsid={number}"));
    }
    qemu.arg("-kernel")
        .arg(&parts.image.vmlinuz)
        .arg("-initrd")
        .arg(&files.initrd)
        .arg("-append")
        .arg(kernel_arguments(lab));
    qemu
}

/// QEMU's own network, closed but for the forwarded ports. The guest takes the address that it
/// gives out first.
fn netdev(forward: &[Forward]) -> String {
    let mut netdev = "user,id=n0,restrict=on".to_owned();
    for Forward { host, guest } in forward {
        netdev += &format!(",hostfwd=tcp:127.0.0.1:{host}-10.0.2.15:{guest}");
    }
    netdev
}

/// The CPUs in QEMU's words.
///
/// Cores or threads that are no power of two leave gaps in the APIC numbers, and QEMU 7.2 loses
/// interrupts behind a gap where the kernel addresses CPUs by a bit mask, as 6.1 does with up to 8
/// possible CPUs. So such a guest gets empty sockets until more than 8 are possible.
fn smp(sockets: u32, cores: u32, threads: u32) -> String {
    let cpus = sockets * cores * threads;
    let gaps = (!threads.is_power_of_two() && cores * sockets > 1)
        || (!cores.is_power_of_two() && sockets > 1);
    let sockets = if gaps && cpus <= 8 {
        8 / (cores * threads) + 1
    } else {
        sockets
    };
    let possible = sockets * cores * threads;
    format!("{cpus},maxcpus={possible},sockets={sockets},cores={cores},threads={threads}")
}

/// `quiet` keeps the console for what matters, `panic=-1` reboots at once, which QEMU turns into
/// its end.
fn kernel_arguments(lab: &Lab) -> String {
    let watchdog = console::watchdog_seconds(lab.cpus());
    let mut arguments = format!(
        "console=ttyS0 quiet panic=-1 nokaslr mitigations=off rdinit=/init \
         watchdog_thresh={watchdog} rcupdate.rcu_cpu_stall_timeout={}",
        (2 * watchdog).max(21)
    );
    for more in &lab.append {
        arguments.push(' ');
        arguments.push_str(more);
    }
    arguments
}

/// QEMU splits options at commas and takes two for one.
fn escape(path: &Path) -> String {
    path.to_string_lossy().replace(',', ",,")
}

#[cfg(test)]
mod tests {
    use super::smp;

    #[test]
    fn gaps_in_apic_numbers_come_with_more_than_eight_possible_cpus() {
        assert_eq!(smp(2, 4, 2), "16,maxcpus=16,sockets=2,cores=4,threads=2");
        assert_eq!(smp(1, 3, 1), "3,maxcpus=3,sockets=1,cores=3,threads=1");
        assert_eq!(smp(2, 3, 1), "6,maxcpus=9,sockets=3,cores=3,threads=1");
        assert_eq!(smp(2, 3, 2), "12,maxcpus=12,sockets=2,cores=3,threads=2");
        assert_eq!(smp(1, 2, 3), "6,maxcpus=12,sockets=2,cores=2,threads=3");
    }
}
