//! What the kernel knows about events that a probe did not see.

use std::{
    fs, io,
    mem::size_of,
    os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd},
};

/// Commands of bpf(2), include/uapi/linux/bpf.h.
const BPF_OBJ_GET_INFO_BY_FD: libc::c_int = 15;
const BPF_LINK_GET_FD_BY_ID: libc::c_int = 30;

/// `struct bpf_link_info` of a kprobe made through perf, up to the field that is read.
#[repr(C)]
#[derive(Default)]
struct LinkInfo {
    kind: u32,
    id: u32,
    prog_id: u32,
    _pad: u32,
    perf_event_kind: u32,
    _pad2: u32,
    func_name: u64,
    name_len: u32,
    offset: u32,
    addr: u64,
    /// Since 6.7.
    missed: u64,
}

#[repr(C)]
struct ObjGetInfo {
    fd: u32,
    len: u32,
    info: u64,
}

#[repr(C)]
struct GetById {
    id: u32,
    next: u32,
    flags: u32,
}

/// bpf(2) with `attr` as its argument.
fn bpf<T>(command: libc::c_int, attr: &mut T) -> io::Result<libc::c_long> {
    // SAFETY: `attr` is valid for reads and writes of its size, and the kernel takes shorter
    // attributes than its own.
    let answer = unsafe { libc::syscall(libc::SYS_bpf, command, &raw mut *attr, size_of::<T>()) };
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(answer)
}

/// A descriptor of the link with this id.
pub(super) fn open_link(id: u32) -> Option<OwnedFd> {
    let mut attr = GetById {
        id,
        next: 0,
        flags: 0,
    };
    let fd = bpf(BPF_LINK_GET_FD_BY_ID, &mut attr).ok()?;
    // SAFETY: the kernel has just made this descriptor for us.
    Some(unsafe { OwnedFd::from_raw_fd(i32::try_from(fd).ok()?) })
}

/// Times that a kprobe was missed (`nmissed`); none where this kernel does not tell.
pub(super) fn of_kprobe(link: &OwnedFd) -> Option<u64> {
    let mut info = LinkInfo::default();
    let mut attr = ObjGetInfo {
        fd: link.as_raw_fd().cast_unsigned(),
        len: u32::try_from(size_of::<LinkInfo>()).ok()?,
        info: (&raw mut info) as u64,
    };
    bpf(BPF_OBJ_GET_INFO_BY_FD, &mut attr).ok()?;
    // The kernel answers with the size of its own structure where that is smaller.
    (attr.len as usize == size_of::<LinkInfo>()).then_some(info.missed)
}

/// Times that a program was not run because it, or any BPF program, already ran on that CPU
/// (`recursion_misses`).
pub(super) fn of_program(program: &OwnedFd) -> Option<u64> {
    let path = format!("/proc/self/fdinfo/{}", program.as_raw_fd());
    recursion_misses(&fs::read_to_string(path).ok()?)
}

/// The figure from a program's fdinfo (bpf_prog_show_fdinfo in kernel/bpf/syscall.c).
fn recursion_misses(fdinfo: &str) -> Option<u64> {
    fdinfo
        .lines()
        .find_map(|line| line.strip_prefix("recursion_misses:"))?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::recursion_misses;

    #[test]
    fn the_figure_is_found_among_the_others() {
        let fdinfo = "pos:\t0\nprog_type:\t26\nrun_cnt:\t9\nrecursion_misses:\t17\n";
        assert_eq!(recursion_misses(fdinfo), Some(17));
        assert_eq!(recursion_misses("pos:\t0\n"), None);
    }
}
