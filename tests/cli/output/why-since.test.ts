import { rollbackRows } from '../../../cli/text/line-text.ts';
import { whyOf } from '../../../cli/pages/why-text.ts';
import type { Rollback } from '../../../schemas/run/rollback.ts';
import { roundRow, runView } from '../support/run-view.ts';
import { commands, end, ended, goesOn, last, now, REFUSED, refused, spent, usedUp } from '../support/why.ts';

test('a run that another one goes on from leads to where the line stands, and is not resumed again', () => {
  const stopped = { status: 'stopped', ...end, handoff: last } as const;
  const next = ended(stopped, { successors: ['r-2'], lineEnd: { runId: 'r-2', status: 'running' } });
  expect(next.evidence[0]).toBe('r-2 goes on from it: running.');
  expect(commands(next)).toEqual(['ralph why r-2', 'ralph show r']);
  const later = ended(stopped, { successors: ['r-2'], lineEnd: { runId: 'r-4', status: 'complete' } });
  expect(later.evidence[0]).toBe('r-2 goes on from it, and its line has come to r-4: complete.');
  expect(commands(later)).toEqual(['ralph why r-4', 'ralph show r']);
});

test('a run whose successor was rolled back to its beginning is gone on from again', () => {
  const said = ended({ status: 'stopped', ...end, handoff: last }, { successors: ['r-2'], lineEnd: null });
  expect(said.evidence[0]).toBe('r-2 went on from it, and was rolled back to where it began.');
  expect(commands(said)[0]).toBe('ralph resume r');
});

const back = (number: number, to: number): Rollback => ({
  number,
  to,
  commit: 'c',
  abandoned: 'a',
  keptAt: `refs/ralph-abandoned/r/${number}`,
  kept: true,
  ref: null,
  notes: [],
  at: '2026-01-05T09:25:00.000Z',
  done: true,
});
test('a run that was rolled back says so first, and counts what was used as used', () => {
  const voided = [3, 4].map((round) => roundRow({ round }));
  const said = ended(usedUp, {
    round: 2,
    maxRounds: 4,
    rolledBack: voided,
    rollback: back(1, 2),
    rollbacks: [back(1, 2)],
  });
  expect(said.why).toBe('It was rolled back to round 2 after its end: what came later is void, and used all the same.');
  expect(said.evidence[0]).toContain('before that: Its budget is used up (rounds): 4 of 4 rounds are used.');
  expect(said.evidence).toContainEqual(
    expect.stringMatching(/^Rounds +4 of 4 \(2 of them rolled back: used all the same\)$/),
  );
  expect(commands(said)).toEqual(['ralph resume r', 'ralph show r']);
});

test('after a rollback nothing is still to do of void rounds, no refusal of theirs counts, and what is next is said', () => {
  const voided = roundRow({ round: 2, status: 'complete', refused: 'gate' });
  const at = { round: 1, maxRounds: 4, rolledBack: [voided], rollback: back(1, 1), rollbacks: [back(1, 1)] };
  const run = runView({ spent, status: usedUp.status, ending: usedUp, checks: [refused], ...at });
  const next = { ...last, nextSteps: ['what round 1 left'] };
  const { evidence } = whyOf({ run, worker: 'alive', now, handoff: next, way: goesOn, printed: true });
  expect(evidence).toContain('still to do: what round 1 left');
  expect(evidence).not.toContain('still to do: the rest');
  expect(evidence).not.toContain(REFUSED);
});

test('what cannot be gone on from is offered no resume, and a line that stands elsewhere is gone on from there', () => {
  const stopped = { status: 'stopped', ...end, handoff: last } as const;
  const never = ended(stopped, {}, { way: { kind: 'none', notes: ['The sandbox hides it.'] } });
  expect([never.evidence[0], commands(never).join()]).toEqual(['The sandbox hides it.', 'ralph show r']);
  const command = 'ralph resume q --max-rounds 3';
  const other = ended(stopped, {}, { way: { kind: 'resume', runId: 'q', command, because: 'q was rolled back' } });
  expect(other.evidence[0]).toBe('Its line stands at q: q was rolled back.');
  expect(other.next[0]).toEqual([command, 'go on from q instead']);
});

test('a rollback that was begun and not ended is to be ended before anything else', () => {
  const said = ended(usedUp, { rollback: back(1, 3), unfinishedRollback: { ...back(2, 0), done: false } });
  expect(said.why).toBe('A rollback to where it began was begun and not ended.');
  expect(commands(said)).toEqual(['ralph rollback r --to 0', 'ralph show r']);
});

test('after several rollbacks each ref is said to keep its own rounds; what is not in the repository is said so', () => {
  const rolledBack = [2, 3, 4, 5].map((round) => roundRow({ round }));
  const second = { ...back(2, 1), kept: false };
  const [row] = rollbackRows(
    runView({ rolledBack, folder: '/h/r', rollback: second, rollbacks: [back(1, 3), second] }),
  );
  expect(row?.[1]).toMatch(
    /^to round 1; rounds 2 to 3 are kept at refs\/ralph-abandoned\/r\/2, in the engine's repository alone.*; rounds 4 to 5 are kept at refs\/ralph-abandoned\/r\/1\n.*--git-dir \/h\/r\/repository\.git log/,
  );
});
