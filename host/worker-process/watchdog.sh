# watchdog.sh LOCK HOLDER LOG COMMAND [ARGUMENT...]
#
# Whenever nobody holds LOCK, runs COMMAND, which takes it (hold-lock.sh), with its output in LOG: a worker that is killed
# at night comes back within seconds. The kernel says when LOCK is free; nothing is polled meanwhile. A COMMAND that does
# not last is started again after up to a minute. Ends by SIGTERM, or when LOCK was deleted. COMMAND lives on then, and is
# in HOLDER already, where whoever ends it next looks for it.

lock=$1 holder=$2 log=$3
shift 3

LASTS=60
LONGEST_PAUSE=60
HELD_BY_ANOTHER=75
TAKEN_WITHIN=10

# What this waits by ends with it, however it ends. Only Linux has that.
tied=()
if setpriv --pdeathsig KILL true 2>/dev/null; then tied=(setpriv --pdeathsig KILL); fi
apart=()
if command -v setsid >/dev/null; then apart=(setsid); fi

# While COMMAND is on its way, whoever ends this would find neither of them in HOLDER: it ends after that.
on_its_way=''
waits_by=''
asked_to_end=''
at_sigterm() {
    asked_to_end=yes
    if [ -n "$on_its_way" ]; then return; fi
    if [ -n "$waits_by" ]; then kill -KILL "$waits_by" 2>/dev/null; fi
    exit 0
}
trap at_sigterm TERM

# A signal interrupts `wait`, and not a command in the foreground. The lock of this watchdog itself (3) stays here.
wait_by() {
    "${tied[@]}" "$@" 3>&- &
    waits_by=$!
    wait "$waits_by"
    waits_by=''
}

wait_until_free() {
    exec 9<"$lock" || exit 0
    if command -v flock >/dev/null; then
        wait_by flock -s 9
    else
        wait_by perl -e 'use Fcntl ":flock"; open(LOCK, "<&=", 9) && flock(LOCK, LOCK_SH)'
    fi
    # Another file, or none: the folder that this watched is gone.
    if ! [ "$lock" -ef /dev/fd/9 ]; then exit 0; fi
    exec 9<&-
}

# Its exit code in `code`.
run() {
    on_its_way=yes
    "${apart[@]}" "$@" >>"$log" 2>&1 3>&- &
    local command=$! deadline=$((SECONDS + TAKEN_WITHIN))
    until holds "$command" || ! kill -0 "$command" 2>/dev/null || [ "$SECONDS" -ge "$deadline" ]; do sleep 0.02; done
    on_its_way=''
    if [ -n "$asked_to_end" ]; then exit 0; fi
    wait "$command"
    code=$?
}

holds() {
    local line=''
    read -r line 2>/dev/null <"$holder"
    [[ $line == *"\"pid\":$1,"* ]]
}

# A line as the worker's own are.
say_in_log() {
    echo "{\"level\":40,\"time\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\",\"pid\":$$,\"msg\":\"$1\"}" >>"$log"
}

pause=1
while true; do
    wait_until_free
    say_in_log 'The worker is gone; the watchdog starts it again.'
    began=$SECONDS
    run "$@"
    if [ "$code" -eq "$HELD_BY_ANOTHER" ]; then continue; fi
    if [ $((SECONDS - began)) -lt "$LASTS" ]; then
        pause=$((pause * 2 < LONGEST_PAUSE ? pause * 2 : LONGEST_PAUSE))
    else
        pause=1
    fi
    wait_by sleep "$pause"
done
