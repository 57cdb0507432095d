# Three ways to bound the search under loads from a quarter of the CPUs to twice as many tasks, as
# sisprobe ab runs them; then the same way twice, under two names.
features=/sys/kernel/debug/sched/features
before=$(cat $features)
loads=25,50,75,100,125,150,175,200
sisprobe ab -o /tmp/three --seed 1 --loads $loads --runs 3 \
    --set util:SIS_UTIL,NO_SIS_PROP --set prop:NO_SIS_UTIL,SIS_PROP \
    --set neither:NO_SIS_UTIL,NO_SIS_PROP \
    -- hackbench -g {groups} -f 1 -l 2000 -s 100 >/out/three.txt || exit
sisprobe compare --format json /tmp/three/util-* /tmp/three/prop-* /tmp/three/neither-* >/out/three.json || exit
[ "$(cat $features)" = "$before" ] || exit
# What is there is not run again.
sisprobe ab -o /tmp/three --loads $loads --runs 3 \
    --set util:SIS_UTIL,NO_SIS_PROP --set prop:NO_SIS_UTIL,SIS_PROP \
    --set neither:NO_SIS_UTIL,NO_SIS_PROP \
    -- hackbench -g {groups} -f 1 -l 2000 -s 100 >/out/again.txt || exit
sisprobe ab -o /tmp/same --seed 2 --loads $loads --runs 3 --set a:SIS_UTIL --set b:SIS_UTIL \
    -- hackbench -g {groups} -f 1 -l 2000 -s 100 >/out/same.txt || exit
sisprobe compare --format json /tmp/same/* >/out/same.json
