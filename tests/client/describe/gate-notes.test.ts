import { impossibleNotes, redNotes } from '../../../client/describe/evidence.ts';
import type { CheckRow, GateLine } from '../../../client/view/round-view.ts';
import { description, ended, end, stopped } from '../../support/description.ts';
import { checkRow, gateLine, recorded, roundRow, runView } from '../../support/run-view.ts';

const gate = (more: Partial<GateLine>): GateLine => gateLine({ said: '2 of 48 failed', ...more });
const check = (round: number, gates: readonly GateLine[]): CheckRow =>
  checkRow({
    round,
    outcome: round === 0 ? { kind: 'baseline', gates } : { kind: 'rejected', reasons: [], gates },
  });
const missing = gate({ command: 'nosuchprog', exitCode: 127, said: null });

test('why has what failed gates printed last and which can never pass, for a live run and for one that has ended', () => {
  const checks = [check(0, [gate({}), gate({ command: 'true', result: 'passed', said: null }), missing])];
  const notes = [
    'gate failed before round 1: npm test: 2 of 48 failed',
    expect.stringMatching(/^gate "nosuchprog": the command was not found\. No completion claim.*`ralph cancel r`/),
  ];
  expect(description({ checks, rounds: [] }).evidence).toEqual(expect.arrayContaining(notes));
  expect(description({ checks, rounds: [roundRow()] }).evidence.join()).not.toContain('before round 1');
  expect(ended(stopped, { checks }).evidence).toContainEqual(
    expect.stringMatching(
      /^gate "nosuchprog".*No completion claim.*start a new run: a follow-up has the same gates\.$/,
    ),
  );
});

test('what the gates printed last counts, and of a complete run nothing', () => {
  const later = [check(0, [missing]), check(2, [gate({ said: '1 of 48 failed' })])];
  expect(redNotes(runView({ checks: later }), [])).toEqual(['gate failed after round 2: npm test: 1 of 48 failed']);
  const report = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' } as const;
  const complete = recorded({
    status: 'complete',
    ...end,
    verification: 'gates-passed',
    excusedGates: [],
    report: { ...report, evidence: ['e'], nextSteps: [] },
    finalText: null,
  });
  expect(redNotes(runView({ checks: later, phase: complete }), [])).toEqual([]);
  expect(redNotes(runView({ checks: later }), ['still to do: … ends:\n1 of 48 failed'])).toEqual([]);
  const step = 'still to do: Make the gate "npm test" pass: it failed. Its output ends:\nnot ok 3';
  expect(redNotes(runView({ checks: later }), [step])).toEqual([]);
});

test('a command that cannot be executed, or names a script that does not exist, is as good as missing', () => {
  const checks = [
    check(0, [
      gate({ command: './check', exitCode: 126 }),
      gate({ exitCode: 2, said: "make: *** No rule to make target 'x'.  Stop." }),
    ]),
  ];
  expect(impossibleNotes(runView({ checks }))).toEqual([
    expect.stringContaining('the command cannot be executed. No completion claim can pass'),
    expect.stringContaining('what it runs does not exist. No completion claim can pass'),
  ]);
});

test('every gate that can never pass is named first, also one that the last check did not come to', () => {
  const lint = gate({ command: 'npm run lint', said: 'npm error Missing script: "lint"' });
  const { evidence, next } = ended(stopped, { checks: [check(0, [lint, missing]), check(1, [lint])] });
  expect(evidence.slice(0, 2)).toEqual([
    expect.stringContaining('"npm run lint"'),
    expect.stringContaining('"nosuchprog"'),
  ]);
  expect(next).toContainEqual({ command: 'ralph log r --round 1 --gates', what: 'show all output of its gates' });
});
