// The agent of the benchmarks, as one line of shell: it changes one line of a file and reports.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeRepository } from './place.mjs';

const report = (status, evidence, nextSteps) =>
  JSON.stringify({ status, summary: 'Counted one further.', evidence, nextSteps, blocker: '' });

/** `before`: shell words that come first, say a pause. */
export const agent = (before = '') =>
  [
    before,
    'echo "export const round = $RALPH_ROUND;" > source/round.js',
    `if [ "$RALPH_ROUND" = "$RALPH_MAX_ROUNDS" ]; then echo '${report('complete', ['source/round.js'], [])}'`,
    `else echo '${report('continue', [], ['Count on.'])}'; fi > "$RALPH_REPORT_FILE"`,
  ]
    .filter((part) => part !== '')
    .join('; ')
    .replace('; else', ' ; else');

/** The bare loop: the same agent `rounds` times, a commit after each. Milliseconds of each round, agent and commit. */
export function shellLoop({ folder, rounds, files }) {
  const cwd = path.join(folder, 'shell-loop');
  if (!existsSync(cwd)) makeRepository(cwd, files);
  const script = `
    now() { date +%s%N; }
    export RALPH_MAX_ROUNDS=${rounds} RALPH_REPORT_FILE=${path.join(folder, 'shell-report.json')}
    for RALPH_ROUND in $(seq ${rounds}); do
      export RALPH_ROUND
      from=$(now); sh -c "$AGENT"; between=$(now)
      git add --all; git commit --quiet --message "round $RALPH_ROUND"
      echo $from $between $(now)
    done`;
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, AGENT: agent() },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map((ns) => Number(BigInt(ns) / 1000n) / 1000))
    .map(([from, between, to]) => ({ agentMs: between - from, allMs: to - from }));
}
