# hackbench under each of the three ways in which 6.1 can bound the search.
features=/sys/kernel/debug/sched/features
for setting in "SIS_UTIL NO_SIS_PROP" "NO_SIS_UTIL SIS_PROP" "NO_SIS_UTIL NO_SIS_PROP"; do
    for feature in $setting; do
        echo "$feature" >$features
    done
    out=/out/$(echo "$setting" | tr ' ' -).json
    sisprobe --json --interval 200ms >"$out" &
    sisprobe=$!
    await "$out" schema_version
    hackbench -g 2 -l 500 -s 100
    kill -TERM $sisprobe
    wait $sisprobe || exit
done
