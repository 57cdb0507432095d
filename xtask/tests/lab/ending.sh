# However sisprobe ends, what is left of it in the kernel. Each line of output is `WHAT: FIGURE NAME`.
. /with/guest.sh
kernel=/sys/kernel
kprobes() { wc -l <$kernel/debug/kprobes/list; }
# What the kernel itself has is there before, and is not counted.
bpftool prog list >/tmp/programs
bpftool link list >/tmp/links
functions=$(wc -l <$kernel/tracing/enabled_functions)
own() { bpftool "$1" list | diff "$2" - | grep -c '^+[0-9]'; }
tell() {
    echo "$1: $(kprobes) kprobes"
    echo "$1: $(own prog /tmp/programs) programs"
    echo "$1: $(own link /tmp/links) links"
    echo "$1: $(($(wc -l <$kernel/tracing/enabled_functions) - functions)) functions"
}
# In hundredths of a second.
now() { cut -d' ' -f1 /proc/uptime | tr -d .; }
# Ends process $2 by signal $1 and tells how that went, as $3.
finish() {
    began=$(now)
    kill "-$1" "$2"
    wait "$2"
    echo "$3: $? status"
    echo "$3: $(($(now) - began))0 ms"
    tell "$3"
}
scrape() { wget -q -O "/out/$1" http://127.0.0.1:19747/metrics; }

for signal in INT TERM KILL; do
    sisprobe --plain --interval 200ms >/tmp/$signal &
    pid=$!
    await /tmp/$signal '^---'
    tell running
    finish $signal $pid $signal
    grep -c '=== everything since the start' /tmp/$signal | sed "s/^/$signal: /; s/$/ summaries/"
done
# A reader that goes away ends it too.
sisprobe --plain --interval 100ms --attach kprobe | head -n 1
tell pipe

# The daemon, which has figures before each end, and is begun again after it.
for attach in fentry kprobe; do
    for signal in TERM TERM KILL; do
        name=$attach-$signal
        sisprobe serve --listen 127.0.0.1:19747 --policy all --attach $attach 2>/tmp/$name.log &
        pid=$!
        until scrape $name.first; do sleep 0.1; done 2>/dev/null
        hackbench -g 1 -f 6 -l 500 -s 100 >/dev/null
        # Of the interval after that.
        sleep 1.5
        scrape $name.last
        tell "running by $attach"
        finish $signal $pid $name
    done
done
