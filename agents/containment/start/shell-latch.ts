import { FOR_PERL, LATCH_FD } from './latch.ts';

/**
 * A shell that stands in front of the command inside the container. It says `ready` once the container is complete,
 * lets the command start only when told `go` — an end of file, as when the worker died, is no `go` — and stays when
 * the command has ended, so that what it left can still be listed before it is killed.
 */
const SCRIPT = `
echo ready >&${LATCH_FD}
IFS= read -r word <&${LATCH_FD} && [ "$word" = go ] || exit 125
( echo started >&${LATCH_FD}; exec 3>&- ${LATCH_FD}>&-; unset ${Object.keys(FOR_PERL).join(' ')}; exec "$@" )
code=$?
exec </dev/null >/dev/null 2>&1
echo "exit $code" >&${LATCH_FD}
read -r word <&${LATCH_FD}
`;

/** The words that start a command behind a latch. As any shell, it reports the end by signal n as exit code 128 + n. */
export function behindShellLatch(argv: readonly string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', SCRIPT, 'ralph-latch', ...argv];
}
