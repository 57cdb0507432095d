# Counts the same wake-ups with sisprobe and with bpftrace, for each of $FIDELITIES and each way
# that sisprobe attaches. Everything but the workload runs on LLC 0, so LLC 1 sees the workload
# alone and it does not matter which of the two began or ended first.
. /with/guest.sh
quiet 0-7

for fidelity in $FIDELITIES; do
    witness "$fidelity"
    for attach in fentry kprobe; do
        out=/out/$fidelity-$attach
        sisprobe --json --interval 200ms --fidelity "$fidelity" --attach "$attach" >$out.json &
        sisprobe=$!
        bpftrace -B line "/tmp/$fidelity.bt" >$out.bt 2>&1 &
        bpftrace=$!
        await $out.json schema_version
        await $out.bt ^ready
        taskset -c 8-15 hackbench -g 1 -f 8 -l 300 -s 100
        kill -TERM $sisprobe
        end_bpftrace $bpftrace
        ended $sisprobe || exit
    done
    # The workload's share of one run, which begins after bpftrace and ends before it.
    out=/out/$fidelity-capture
    bpftrace -B line "/tmp/$fidelity.bt" >$out.bt 2>&1 &
    bpftrace=$!
    await $out.bt ^ready
    sisprobe capture -o $out.json --fidelity "$fidelity" -- \
        taskset -c 8-15 hackbench -g 1 -f 8 -l 300 -s 100 || exit
    end_bpftrace $bpftrace
done
