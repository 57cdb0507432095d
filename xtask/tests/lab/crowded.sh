# Leaves no room on the trampoline of select_task_rq_fair: it takes 38 programs
# (BPF_MAX_TRAMP_LINKS in include/linux/bpf.h).
{
    echo 'BEGIN { printf("ready\n"); }'
    for _ in $(seq 38); do
        echo 'kfunc:select_task_rq_fair { @ = 1; }'
    done
} >/tmp/crowd.bt
bpftrace -B line /tmp/crowd.bt >/tmp/crowd 2>&1 &
bpftrace=$!
await /tmp/crowd ^ready
sisprobe --attach fentry --plain
echo "fentry: status $?"
sisprobe --json --duration 100ms >/out/report.json
echo "best: status $?"
end_bpftrace $bpftrace
true
