/** Shell commands of small agents. Each reads its prompt, as an agent does. */

interface Said {
  readonly status: 'continue' | 'complete' | 'blocked';
  readonly summary: string;
}

/** Reports this, whatever the round. */
export function reporting({ status, summary }: Said): string {
  const report = {
    status,
    summary,
    evidence: status === 'complete' ? ['the test suite passes'] : [],
    nextSteps: status === 'continue' ? ['go on'] : [],
    blocker: status === 'blocked' ? 'no key for the registry' : '',
  };
  return `cat >/dev/null; printf %s '${JSON.stringify(report)}' > "$RALPH_REPORT_FILE"`;
}

/** Adds a line to a.txt in every round, and is complete in the given one. */
export function appending(rounds: number): string {
  const done = reporting({ status: 'complete', summary: 'all lines are there' });
  const more = reporting({ status: 'continue', summary: 'one line more' });
  return [
    'echo "at work in round $RALPH_ROUND of $RALPH_MAX_ROUNDS"',
    'echo "line $RALPH_ROUND" >> a.txt',
    `if [ "$RALPH_ROUND" = ${rounds} ]; then ${done}; else ${more}; fi`,
  ].join('\n');
}

/** Works until it is stopped, with a child that left its session; both show `tag` in their arguments. */
export function endless(tag: string): string {
  return `cat >/dev/null; echo started; setsid sleep ${tag} & sleep ${tag}`;
}
