# Sets loads of $LOADS CPUs out of 16, with the scheduler feature $FEATURE on, and
# lets bpftrace watch what the kernel makes of each (model.bt), beside sisprobe, which looks at the
# load by its own means. Both begin before the first load, since that takes its time on busy CPUs.
. /with/guest.sh
# 6.1's name and form, and later ones'.
if grep -q ' find_busiest_group$' /proc/kallsyms; then
    names='s/BALANCE/find_busiest_group/; s/ESTIMATE/util_est.enqueued/'
else
    names='s/BALANCE/sched_balance_find_src_group/; s/ESTIMATE/util_est/'
fi
sed "$names" /with/model.bt >/tmp/model.bt
policy "$FEATURE"
offset() {
    echo $((0x$(awk -v name="$1" '$3 == name { print $1; exit }' /proc/kallsyms)))
}
sisprobe --json --fidelity bracketed --interval 200ms >/tmp/all.json &
sisprobe=$!
bpftrace -B line /tmp/model.bt "$(offset runqueues)" "$(offset sd_llc_shared)" >/tmp/all.bt 2>&1 &
bpftrace=$!
await /tmp/all.json schema_version
await /tmp/all.bt ^ready

# How many lines all.$1 has.
lines() {
    wc -l </tmp/all.$1
}
for busy in $LOADS; do
    n=0
    loops=
    while [ $n -lt "$busy" ]; do
        sh -c 'while :; do :; done' &
        loops="$loops $!"
        n=$((n + 1))
    done
    # Until the averages have followed: they halve in 32 ms.
    sleep 2
    bt=$(lines bt)
    json=$(lines json)
    # The slower the machine that emulates, the fewer balances there are in a second.
    tries=0
    while sleep 1; do
        tries=$((tries + 1))
        [ $(($(lines bt) - bt)) -gt 60 ] && [ $(($(lines json) - json)) -gt 4 ] && [ $tries -ge 3 ] && break
        [ $tries -gt 60 ] && break
    done
    tail -n +$((bt + 1)) /tmp/all.bt | grep -E '^(in|out) .* [0-9]+$' >/out/$FEATURE-$busy.bt
    tail -n +$((json + 1)) /tmp/all.json | grep '}$' >/out/$FEATURE-$busy.json
    kill $loops
done
kill -TERM $sisprobe
end_bpftrace $bpftrace
ended $sisprobe
