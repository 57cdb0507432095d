# Counts the same wake-ups with sisprobe and with bpftrace, for each way that sisprobe attaches.
# Everything but the workload runs on LLC 0, so LLC 1 sees the workload alone and it does not
# matter which of the two began or ended first.
quiet 0-7
for fidelity in $FIDELITIES; do
    for attach in fentry kprobe; do
        name=$fidelity-$attach
        sisprobe --json --interval 200ms --fidelity "$fidelity" --attach "$attach" >"/out/$name.json" &
        sisprobe=$!
        bpftrace -B line "/with/$fidelity.bt" >"/out/$name.bt" 2>&1 &
        bpftrace=$!
        await "/out/$name.json" schema_version
        await "/out/$name.bt" ^ready
        taskset -c 8-15 hackbench -g 1 -f 4 -l 200 -s 100
        kill -INT $bpftrace
        kill -TERM $sisprobe
        wait $bpftrace
        wait $sisprobe || exit
    done
done
