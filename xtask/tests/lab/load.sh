# The daemon, and bpftrace as its witness, on LLC 0, so that LLC 1 sees what is pinned there alone.
# Until /tmp/end is there, whoever connects to port 7000 has a shell. A second daemon, on port 19748,
# lets in who has the password and speaks TLS.
. /with/guest.sh
nc -ll -p 7000 -e sh &
quiet 0-7
witness inlined
sisprobe serve --listen 0.0.0.0:19747 --log-level debug 2>/out/serve.log &
sisprobe=$!
sisprobe serve --listen 0.0.0.0:19748 --web.config.file /with/web/web.yml 2>/out/guarded.log &
guarded=$!
bpftrace -B line /tmp/inlined.bt >/out/witness.bt 2>&1 &
bpftrace=$!
until [ -e /tmp/end ]; do sleep 0.2; done
end_bpftrace $bpftrace
kill -TERM $sisprobe $guarded
ended $guarded && ended $sisprobe
