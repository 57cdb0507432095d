# Ends sisprobe and what it runs at moments that are no better than others, and looks at what is
# left.
. /with/guest.sh
features=/sys/kernel/debug/sched/features
before=$(cat $features)
cd /tmp || exit

# The hackbench that process $1 has started, if there is one.
run_by() {
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v parent="$1" '$2 == "(hackbench)" && $4 == parent { print $1 }'
}

# Fails if anything is left of what was run.
nothing_is_left() {
    tries=0
    while grep -q '^hackbench$' /proc/[0-9]*/comm 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 50 ]; then
            echo "hackbench still runs"
            return 1
        fi
        sleep 0.1
    done
    for file in cells/* one.json*; do
        case $file in
        *.tmp)
            echo "half a file: $file"
            return 1
            ;;
        cells/\*) ;;
        *) sisprobe show "$file" >/dev/null || return 1 ;;
        esac
    done
}

sisprobe capture -o one.json -- true 2>/dev/null || exit
cp one.json earlier.json
for moment in $(seq 20); do
    rm -rf cells
    if [ $((moment % 2)) = 0 ]; then
        sisprobe ab -o cells --runs 1000 --loads 50,100 --set a:NO_SIS_UTIL --set b:SIS_UTIL,NO_SIS_PROP \
            -- hackbench -g {groups} -f 1 -l 5000 -s 100 >out.txt 2>err.txt &
    else
        sisprobe capture -o one.json --runs 1000 -- hackbench -g 4 -f 1 -l 5000 -s 100 \
            >out.txt 2>err.txt &
    fi
    sisprobe=$!
    # Half of the moments lie before the first run.
    sleep $((moment % 7)).$((moment * 37 % 10))
    how=$((moment % 3))
    case $how in
    0) kill -KILL $sisprobe ;;
    1) kill -TERM $sisprobe ;;
    2)
        # A run may be over just when it is to be killed.
        tries=0
        while [ -e /proc/$sisprobe ] && ! grep -q '^State:.Z' /proc/$sisprobe/status; do
            leader=$(run_by $sisprobe)
            [ -z "$leader" ] || kill -KILL "$leader" 2>/dev/null
            tries=$((tries + 1))
            [ $tries -lt 600 ] || exit
            sleep 0.3
        done
        ;;
    esac
    ended $sisprobe
    status=$?
    echo "moment $moment, $how: status $status"
    nothing_is_left || exit
    case $how in
    0)
        [ $status = 137 ] || exit
        sisprobe ab --restore || exit
        ;;
    1) [ $status = 143 ] || exit ;;
    2) [ $status = 137 ] || exit ;;
    esac
    if [ "$(cat $features)" != "$before" ]; then
        echo "features are not as before: $(cat $features)"
        exit 1
    fi
    [ $how != 0 ] || cmp one.json earlier.json || exit
    cp one.json earlier.json
done

# A file system of four pages, one of which an earlier file has.
mkdir small
mount -t tmpfs -o size=16k small small || exit
echo earlier >small/one.json
sisprobe capture -o small/one.json -- hackbench -g 2 -l 50 2>/out/full.txt
[ $? = 1 ] || exit
[ "$(cat small/one.json)" = earlier ] || exit
[ "$(ls small)" = one.json ] || exit
sisprobe show sisprobe-rescued-*.json.zst >/out/rescued.txt || exit
# Nothing at all is left for it.
sisprobe capture -o /none/one.json -- touch ran 2>/out/nowhere.txt
[ $? = 1 ] && [ ! -e ran ] || exit
sisprobe capture -o two.json -- no-such-program 2>/out/absent.txt
[ $? = 127 ] && [ ! -e two.json ] || exit
sisprobe capture -o two.json -- sh -c 'exit 9' 2>/dev/null
[ $? = 9 ]
