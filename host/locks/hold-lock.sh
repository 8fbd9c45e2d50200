# hold-lock.sh LOCK HOLDER TABLE BOOT-ID FIELDS COMMAND [ARGUMENT...]
#
# Takes LOCK with flock(2), writes to HOLDER who holds it, and becomes COMMAND, which keeps the lock as an open file. The
# kernel releases it when the last process that has it open is gone, however it ended. So there are never two holders, no
# stale lock, and no moment in which a holder is unknown. FIELDS is JSON and is kept as it is. COMMAND has the umask of
# whoever started this: what a worker checks out, and what its agents write, is as the user's own would be. COMMAND may
# begin with options and assignments of env(1). Exit 75: somebody else holds the lock.

# A function, as bash has then read this file to its end before the first line runs.
main() {
    set -e
    local lock=$1 holder=$2 table=$3 boot=$4 fields=$5
    shift 5

    # What the asker's shell has open (a lock, a secret, a folder) is not the service's. Its agents would inherit it, past
    # every sandbox.
    local open=/dev/fd number
    if [ -d /proc/$$/fd ]; then open=/proc/$$/fd; fi
    for number in "$open"/*; do
        number=${number##*/}
        if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
    done

    (umask 077 && : >>"$lock")
    exec 3<>"$lock"
    # util-linux. A macOS may lack it, and has Perl.
    if command -v flock >/dev/null; then
        flock -n -E 75 3 || exit
    else
        PERL_BADLANG=0 perl -e 'use Fcntl ":flock"; open(LOCK, "+<&=", 3) && flock(LOCK, LOCK_EX | LOCK_NB) or exit 75' || exit
    fi

    local draft=$holder.$$ start
    start=$(start_time "$table")
    (umask 077 && printf '{"pid":%d,"startTime":"%s","bootId":"%s","fields":%s}\n' $$ "$start" "$boot" "$fields" >"$draft")
    mv -f "$draft" "$holder"

    # Bash has set these. The command gets what the asker has.
    exec env -u _ -u PWD -u OLDPWD -u SHLVL "$@"
}

# As system/processes reads it, from the same table. The exec does not change it.
start_time() {
    if [ "$1" = proc ]; then
        local line
        read -r line </proc/$$/stat
        # Unquoted: its words. The first is the third field of proc(5).
        set -- ${line##*) }
        echo "${20}"
    else
        # Unquoted: the words, with one space between them.
        echo $(LC_ALL=C TZ=UTC0 ps -o lstart= -p $$)
    fi
}

main "$@"
