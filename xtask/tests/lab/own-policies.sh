# hackbench under each of $FEATURES with each number of groups in $GROUPS_OF_20.
. /with/guest.sh
for feature in $FEATURES; do
    policy "$feature"
    for groups in $GROUPS_OF_20; do
        out=/out/$feature-$groups
        sisprobe --json --interval 500ms >"$out.json" &
        sisprobe=$!
        await "$out.json" schema_version
        hackbench -g "$groups" -f 10 -l 300 -s 100 | awk '/^Time/ { print $2 }' >"$out.time"
        kill -TERM $sisprobe
        ended $sisprobe || exit
    done
done
