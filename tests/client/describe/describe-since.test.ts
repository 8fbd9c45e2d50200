import { rollbackRows } from '../../../cli/text/chain-rows.ts';
import type { Continuation, RunView } from '../../../client/view/run-view.ts';
import { commands, description, ended, last, spend, stopped, usedUp } from '../../support/description.ts';
import {
  checkRow,
  claims,
  noChain,
  recorded,
  REJECTED,
  rollback,
  rolledBack,
  roundRow,
  runView,
} from '../../support/run-view.ts';

const chain = (continued: Continuation): Pick<RunView, 'chain'> => ({ chain: { ...noChain, continued } });

test('a run that was continued leads to the last run of its chain, and is not resumed again', () => {
  const next = ended(stopped, chain({ kind: 'continued', as: ['r-2'], last: { runId: 'r-2', status: 'running' } }));
  expect(next.evidence[0]).toBe('It was continued as r-2 (running).');
  expect(commands(next)).toEqual(['ralph why r-2', 'ralph show r']);
  const later = ended(stopped, chain({ kind: 'continued', as: ['r-2'], last: { runId: 'r-4', status: 'complete' } }));
  expect(later.evidence[0]).toBe('It was continued as r-2. The last run of the chain is r-4 (complete).');
  expect(commands(later)).toEqual(['ralph why r-4', 'ralph show r']);
});

test('a run whose follow-up was rolled back to its beginning is continued again', () => {
  const told = ended(stopped, chain({ kind: 'rolled-back', as: ['r-2'] }));
  expect(told.evidence[0]).toBe('It was continued as r-2, which was rolled back to its beginning.');
  expect(commands(told)[0]).toBe('ralph resume r');
});

test('a run that was rolled back says so first, and counts what was used as used', () => {
  const rounds = [3, 4].map((round) => roundRow({ round }));
  const four = { ...spend, rounds: 4 } as const;
  const ceilings = { maxRounds: 4, budgets: runView().ceilings?.budgets ?? never() };
  const told = ended(usedUp, { rollback: rolledBack(2, rounds), spend: four, ceilings });
  expect(told.headline).toBe('rolled back to round 2: later rounds no longer count, but their usage does');
  expect(told.said).toEqual(['Before that: out of budget (rounds): 4 of 4 rounds are used']);
  expect(told.evidence).toContain('Rounds: 4 of 4 (2 of them rolled back; they still count as used)');
  expect(commands(told)).toEqual(['ralph resume r', 'ralph show r']);
});

function never(): never {
  throw new Error('a run view has ceilings');
}

test('after a rollback nothing is still to do of void rounds, no rejection of theirs counts, and what is next is said', () => {
  const rounds = [roundRow({ round: 2, outcome: claims('rejected') })];
  const { evidence } = description(
    { phase: recorded(usedUp), checks: [checkRow()], rollback: rolledBack(1, rounds) },
    { handoff: { ...last, nextSteps: ['what round 1 left'] } },
  );
  expect(evidence).toContain('still to do: what round 1 left');
  expect(evidence).not.toContain('still to do: the rest');
  expect(evidence).not.toContain(REJECTED);
});

test('what cannot be continued is offered no resume, and another run that can be is named', () => {
  const none = ended(stopped, {}, { advice: { kind: 'none', notes: ['The sandbox hides it.'] } });
  expect([none.evidence[0], commands(none).join()]).toEqual(['The sandbox hides it.', 'ralph show r']);
  const command = 'ralph resume q --max-rounds 3';
  const other = ended(stopped, {}, { advice: { kind: 'resume', runId: 'q', command, because: 'r was rolled back' } });
  expect(other.evidence[0]).toBe('Resume q instead: r was rolled back.');
  expect(other.next[0]).toEqual({ command, what: 'resume q instead' });
});

test('a rollback that did not finish is to be finished before anything else', () => {
  const begun = rollback({ number: 2, done: false });
  const told = ended(usedUp, { rollback: { kind: 'unfinished', begun, before: [rollback({ to: 3 })], rounds: [] } });
  expect(told.headline).toBe('a rollback to its beginning did not finish');
  expect(commands(told)).toEqual(['ralph rollback r --to 0', 'ralph show r']);
});

test('after several rollbacks each ref is said to keep its own rounds; what is not in the repository is said so', () => {
  const rounds = [2, 3, 4, 5].map((round) => roundRow({ round }));
  const second = rollback({ number: 2, to: 1, kept: false });
  const all = [rollback({ to: 3 }), second];
  const [row] = rollbackRows(runView({ folder: '/h/r', rollback: { kind: 'done', inForce: second, all, rounds } }));
  expect(row?.[1]).toMatch(
    /^to round 1; rounds 2 to 3 are kept at refs\/ralph-abandoned\/r\/2, only in the engine's repository.*; rounds 4 to 5 are kept at refs\/ralph-abandoned\/r\/1\n.*--git-dir \/h\/r\/repository\.git log/,
  );
});
