import type { CheckLine, GateLine } from '../../../client/view/run-view.ts';
import { neverNotes, redNotes } from '../../../cli/text/gate-notes.ts';
import { whyOf } from '../../../cli/pages/why-text.ts';
import { roundRow, runView } from '../support/run-view.ts';
import { goesOn } from '../support/why.ts';

const red = { result: 'failed', exitCode: 1, timedOut: false, ms: 5, changed: [], said: '2 of 48 failed' } as const;
const gate = (more: Partial<GateLine>): GateLine => ({ ...red, command: 'npm test', ...more });
const check = (round: number, gates: readonly GateLine[]): CheckLine => ({
  kind: 'gates',
  round,
  claimOf: null,
  number: 1,
  result: round === 0 ? 'baseline' : 'refused',
  reasons: [],
  gates,
  startedAt: null,
  endedAt: null,
});
const missing = gate({ command: 'nosuchprog', exitCode: 127, said: null });

test('why has what red gates said last and which can never pass, for a live run and for one that has ended', () => {
  const checks = [check(0, [gate({}), gate({ command: 'true', result: 'passed', said: null }), missing])];
  const notes = [
    'gate red before round 1: npm test: 2 of 48 failed',
    expect.stringMatching(/^gate "nosuchprog": the command was not found: no claim can pass.*`ralph cancel r`/),
  ];
  const evidence = (more: Parameters<typeof runView>[0]) =>
    whyOf({ run: runView({ checks, ...more }), worker: 'alive', now: 0, handoff: null, way: goesOn, printed: true })
      .evidence;
  expect(evidence({ rounds: [] })).toEqual(expect.arrayContaining(notes));
  expect(evidence({ rounds: [roundRow()] }).join()).not.toContain('before round 1');
  const ended = evidence({ status: 'stopped', endedAt: '2026-01-05T09:20:00.000Z' });
  expect(ended).toContainEqual(expect.stringMatching(/^gate "nosuchprog".*no claim can pass.*start a new one\.$/));
});

test('what the gates said last counts, and of a complete run nothing', () => {
  const later = [check(0, [missing]), check(2, [gate({ said: '1 of 48 failed' })])];
  expect(redNotes(runView({ checks: later }), [])).toEqual(['gate red after round 2: npm test: 1 of 48 failed']);
  expect(redNotes(runView({ checks: later, status: 'complete' }), [])).toEqual([]);
  expect(redNotes(runView({ checks: later }), ['still to do: … ends:\n1 of 48 failed'])).toEqual([]);
  const step = 'still to do: Make the gate "npm test" pass: it failed. Its output ends:\nnot ok 3';
  expect(redNotes(runView({ checks: later }), [step])).toEqual([]);
});

test('a command that cannot be executed, or names a script that is not there, is as good as missing', () => {
  const checks = [
    check(0, [
      gate({ command: './check', exitCode: 126 }),
      gate({ exitCode: 2, said: "make: *** No rule to make target 'x'.  Stop." }),
    ]),
  ];
  expect(neverNotes(runView({ checks }))).toEqual([
    expect.stringContaining('the command cannot be executed: no claim can pass'),
    expect.stringContaining('what it is to run is not there: no claim can pass'),
  ]);
});

test('every gate that can never pass is named first, also one that the last check did not come to', () => {
  const lint = gate({ command: 'npm run lint', said: 'npm error Missing script: "lint"' });
  const checks = [check(0, [lint, missing]), check(1, [lint])];
  const run = runView({ checks, status: 'stopped', endedAt: '2026-01-05T09:20:00.000Z' });
  const { evidence, next } = whyOf({ run, worker: 'alive', now: 0, handoff: null, way: goesOn, printed: true });
  expect(evidence.slice(0, 2)).toEqual([
    expect.stringContaining('"npm run lint"'),
    expect.stringContaining('"nosuchprog"'),
  ]);
  expect(next).toContainEqual(['ralph log r --round 1 --gates', 'all that its gates printed']);
});
