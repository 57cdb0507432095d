#!/lab/busybox sh
# The guest's first process: mounts what a system has, runs the command, tells its status.
#
# ttyS0 is the kernel's console, ttyS1 the command's standard output or terminal, ttyS2 speaks
# with the lab: "ready", "status N" and "trouble WORDS" go out, "size ROWS COLS" comes in.
# The disk lab has three namespaces: 1 takes /out home as a tar archive, 2 is /usr, 3 carries the
# kernel's debug info.

b=/lab/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev

$b stty -F /dev/ttyS2 raw -echo
exec 9<>/dev/ttyS2
. /lab/settings

# Sets $disk to the device of a namespace. Disks are found while the first process already runs,
# and are named in the order in which they answer, so their number says nothing.
find_disk() {
    tries=0
    while [ $tries -lt 400 ]; do
        for place in /sys/block/nvme*; do
            if read -r nsid 2>/dev/null <"$place/nsid" && [ "$nsid" = "$1" ]; then
                disk=/dev/${place##*/}
                [ -b "$disk" ] && return
            fi
        done
        tries=$((tries + 1))
        $b usleep 50000
    done
    echo "trouble the lab's disk $1 is not there: the kernel needs NVMe built in" >&9
    $b poweroff -f
}

mount_disk() {
    find_disk "$1"
    if ! words=$($b mount -t ext4 -o ro "$disk" "$2" 2>&1); then
        echo "trouble no $2 (the kernel needs ext4 built in): $words" >&9
        $b dmesg | $b tail -n 40 >/dev/console
        $b poweroff -f
    fi
}

mount_disk 2 /usr
export PATH=/with:/lab/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root

mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /out
# Not every kernel has each of these.
{
    mount -t debugfs debugfs /sys/kernel/debug
    mount -t tracefs tracefs /sys/kernel/tracing
    mount -t bpf bpf /sys/fs/bpf
    mount -t securityfs securityfs /sys/kernel/security
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
} 2>/dev/null
if [ -n "$lab_debuginfo" ]; then
    mount_disk 3 /usr/lib/debug/boot
fi
hostname lab
ip link set lo up 2>/dev/null || ifconfig lo 127.0.0.1 up
if [ -f /lab/network.ko ]; then
    # QEMU's own network, see netdev() in qemu.rs.
    insmod /lab/network.ko && ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up ||
        echo "trouble no network card came up" >&9
fi
cd /root || cd /

echo ready >&9
if [ -n "$lab_tty" ]; then
    export TERM="$lab_term" PS1="$lab_release:\\w \\\$ "
    # A terminal that nobody holds forgets its size.
    exec 8<>/dev/ttyS1
    # shellcheck disable=SC2086 # several words
    stty -F /dev/ttyS1 sane $lab_size
    while read -r word rows cols <&9; do
        [ "$word" = size ] && stty -F /dev/ttyS1 rows "$rows" cols "$cols"
    done &
    setsid -c sh -c "$(cat /lab/command)" </dev/ttyS1 >/dev/ttyS1 2>&1 8>&- 9>&-
    status=$?
else
    stty -F /dev/ttyS1 raw -echo
    sh -c "$(cat /lab/command)" </dev/null >/dev/ttyS1 2>&1 9>&-
    status=$?
    # Waits until all is sent.
    stty -F /dev/ttyS1 raw -echo
fi

if [ -n "$(ls -A /out)" ]; then
    find_disk 1
    if ! tar -cf "$disk" -C /out .; then
        echo "trouble /out was not brought back whole: it has room for 4 GiB" >&9
    fi
    sync
fi
echo "status $status" >&9
poweroff -f
