import { attemptsText } from '../../../cli/pages/attempts-text.ts';
import { nextCommands } from '../../../cli/pages/run-end.ts';
import type { CheckLine } from '../../../client/view/run-view.ts';
import { roundRow, runView } from '../support/run-view.ts';
import { ended, goesOn, refused } from '../support/why.ts';

const check: CheckLine = { ...refused, round: 0, result: 'interrupted' };

test('attempts that were ended from outside are told apart from those that a round is allowed', () => {
  const of = { round: 1, attempts: 4, kind: null };
  const rounds = [roundRow({ attempts: 4, interrupted: 1, status: 'agent-crashed' })];
  expect(attemptsText({ rounds, checks: [] }, of)).toBe('4 attempts, 1 of them ended from outside');
  expect(attemptsText({ rounds: [roundRow()], checks: [] }, of)).toBe('4 attempts');
  const fault = { code: 'agent-crashed', message: 'exit code 7', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 4, fault, handoff: null } as const;
  expect(ended(ending, { rounds }).why).toMatch(/^Round 1 failed after 4 attempts, 1 of them ended from outside/);
});

test('so are those of the check of a claim', () => {
  const checks = [
    check,
    { ...check, kind: 'gates' as const, round: 2 },
    { ...check, round: 2, kind: 'review' as const },
  ];
  const text = attemptsText({ rounds: [], checks }, { round: 2, attempts: 3, kind: 'review' });
  expect(text).toBe('3 attempts, 1 of them ended from outside');
});

test('of a run that ended before round 1 the command for what was printed has the gates, too', () => {
  const commands = nextCommands(runView({ status: 'cancelled', rounds: [], checks: [check] }), goesOn).map(
    ([command]) => command,
  );
  expect(commands).toContain('ralph log r --round 0');
});
