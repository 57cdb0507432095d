# What sisprobe says of all policies under a load that leaves CPUs idle now and then, and of a
# policy that is switched while it looks.
. /with/guest.sh
features=/sys/kernel/debug/sched/features
setsid hackbench -g 2 -f 4 -l 1000000 -s 100 &
load=$!
sisprobe whatif --duration 6s --interval 50ms --json >/out/whatif.json
sisprobe whatif --duration 1s --policy full,sis_util >/out/whatif.txt
sisprobe --json --interval 200ms >/out/switched.json &
sisprobe=$!
await /out/switched.json schema_version
sleep 2
echo NO_SIS_UTIL >$features
sleep 2
echo SIS_UTIL >$features
sleep 1
# The kernel's code is patched some time after a feature's bit is set, under load.
for time in $(seq 25); do
	echo NO_SIS_UTIL >$features
	echo SIS_UTIL >$features
done
kill -TERM $sisprobe
ended $sisprobe || exit
kill -- -$load
ended $load
true
