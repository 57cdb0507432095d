# The daemon under a load that leaves CPUs idle now and then, until somebody connects to port 7000.
. /with/guest.sh
sisprobe serve --listen 0.0.0.0:19747 --policy all --bpf-stats >/out/serve.log 2>&1 &
sisprobe=$!
setsid sh -c 'while :; do hackbench -g 1 -f 6 -l 2000 -s 100; sleep 1; done' >/dev/null &
load=$!
echo ended | nc -l -p 7000
kill -- -$load
kill -TERM $sisprobe
ended $sisprobe
