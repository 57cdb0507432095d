# $CHANGE is done while sisprobe counts, between two runs of hackbench.
sisprobe --json --interval 200ms >/out/report.json &
sisprobe=$!
await /out/report.json schema_version
hackbench -g 1 -f 8 -l 100 -s 100
eval "$CHANGE"
hackbench -g 1 -f 8 -l 100 -s 100
sleep 0.5
kill -TERM $sisprobe
ended $sisprobe
