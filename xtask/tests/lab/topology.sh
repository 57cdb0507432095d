# $CHANGE is done while sisprobe counts with $OPTIONS, between two runs of hackbench.
# shellcheck disable=SC2086 # they are words
sisprobe --json --interval 200ms $OPTIONS >/out/report.json &
sisprobe=$!
await /out/report.json schema_version
hackbench -g 1 -f 8 -l 100 -s 100
eval "$CHANGE"
hackbench -g 1 -f 8 -l 100 -s 100
sleep 0.5
kill -TERM $sisprobe
ended $sisprobe
