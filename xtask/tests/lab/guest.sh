# Helpers of the scripts that run in guests.

# Keeps everything that runs off the CPUs that are not in $1 (a CPU list), so that what is pinned
# elsewhere is alone there. Per-CPU kernel threads stay, and are not seen: the scheduler does not
# ask select_task_rq_fair where a task goes that has one CPU only.
quiet() {
    # The workqueues' mask is in hex; the lists used here begin at 0 or 8 and have 8 CPUs.
    case $1 in
    0-7) echo ff ;;
    8-15) echo ff00 ;;
    esac >/sys/devices/virtual/workqueue/cpumask
    for irq in /proc/irq/*/smp_affinity_list; do
        echo "$1" >"$irq"
    done 2>/dev/null
    for task in /proc/[0-9]*; do
        taskset -pc "$1" "${task#/proc/}"
    done >/dev/null 2>&1
}

# Waits until a line of file $1 matches $2; gives up after five minutes, and shows the file.
await() {
    tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 3000 ]; then
            echo "no $2 in $1:"
            cat "$1"
            exit 1
        fi
        sleep 0.1
    done
}

# Waits until child $1 has ended and gives its status; gives up after five minutes, and shows where the
# child hangs, which a bare wait would not.
ended() {
    tries=0
    while [ -e "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status"; do
        tries=$((tries + 1))
        if [ $tries -gt 3000 ]; then
            echo "process $1 does not end:"
            cat "/proc/$1/comm" "/proc/$1/task"/*/status "/proc/$1/task"/*/stack
            exit 1
        fi
        sleep 0.1
    done
    wait "$1"
}

# Ends the bpftrace with process number $1. Version 0.17 overlooks a signal that does not come while
# it waits for events, so another one is sent to it every three seconds.
end_bpftrace() {
    (
        while kill -INT "$1" 2>/dev/null; do
            sleep 3
        done
    ) &
    ended "$1"
}

# Lets the scheduler feature $1 bound the search, and no other.
policy() {
    features=/sys/kernel/debug/sched/features
    for other in $(grep -o 'SIS_[A-Z0-9_]*' $features); do
        echo "NO_$other" >$features
    done
    echo "$1" >$features
}

# Makes the script /tmp/$1.bt out of /with/$1.bt, for bpftrace.
witness() {
    # Where bpftrace finds a vmlinux it wants to look into it, and was built without the means to.
    export BPFTRACE_VMLINUX=/nowhere
    # The place, and nothing else, is sisprobe's word: where the inlined search begins.
    entry=select_task_rq_fair+$(sisprobe doctor --json | awk '
        /"search_began_kprobe"/ { here = 1 }
        here && /"offset"/ { gsub(/[^0-9]/, ""); print; exit }')
    sed "s/ENTRY/$entry/" "/with/$1.bt" >"/tmp/$1.bt"
}
