# The daemon under a load that leaves CPUs idle now and then, until /tmp/end is there. Whoever
# connects to port 7000 has a shell.
. /with/guest.sh
nc -ll -p 7000 -e sh &
sisprobe serve --listen 0.0.0.0:19747 --policy all --bpf-stats >/out/serve.log 2>&1 &
sisprobe=$!
setsid sh -c 'while :; do hackbench -g 1 -f 6 -l 2000 -s 100; sleep 1; done' >/dev/null &
load=$!
until [ -e /tmp/end ]; do sleep 0.2; done
kill -- -$load
kill -TERM $sisprobe
ended $sisprobe
