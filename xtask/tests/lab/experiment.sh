# An overloaded machine under each of the three ways in which 6.1 can bound the search. It ends
# before the load does, since an LLC that runs out of work is no longer overloaded.
features=/sys/kernel/debug/sched/features
for setting in "SIS_UTIL NO_SIS_PROP" "NO_SIS_UTIL SIS_PROP" "NO_SIS_UTIL NO_SIS_PROP"; do
    for feature in $setting; do
        echo "$feature" >$features
    done
    out=/out/$(echo "$setting" | tr ' ' -).json
    sisprobe --json --interval 200ms >"$out" &
    sisprobe=$!
    await "$out" schema_version
    setsid hackbench -g 4 -l 1000000 -s 100 &
    load=$!
    sleep 12
    kill -TERM $sisprobe
    ended $sisprobe || exit
    kill -- -$load
    ended $load
done
true
