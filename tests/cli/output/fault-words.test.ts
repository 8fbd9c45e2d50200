import type { CheckLine } from '../../../client/view/run-view.ts';
import { faultWords } from '../../../cli/pages/fault-words.ts';
import { whyOf } from '../../../cli/pages/why-text.ts';
import { runView } from '../support/run-view.ts';
import { goesOn } from '../support/why.ts';

const fault = { code: 'report-invalid', message: 'decision is missing', resetAt: null } as const;
const review: CheckLine = {
  kind: 'review',
  round: 2,
  claimOf: null,
  number: 2,
  result: 'failed',
  reasons: ['report-invalid: decision is missing'],
  gates: [],
  startedAt: null,
  endedAt: null,
};

test('of a review that breaks its contract the reviewer is named, and what shows its output', () => {
  const ending = { status: 'round-failed', round: 2, attempts: 2, fault, handoff: null } as const;
  const said = (checks: CheckLine[]) =>
    whyOf({
      run: runView({ status: 'round-failed', ending, checks }),
      worker: 'alive',
      now: 0,
      handoff: null,
      way: goesOn,
      printed: true,
    });
  expect(said([review]).why).toBe(
    "The review of round 2 could not be done in 2 attempts: the reviewer's review breaks its contract, and the work was not judged.",
  );
  expect(said([review]).next[0]).toEqual(['ralph log r --round 2 --review', 'what the reviewer printed']);
  expect(said([]).why).toBe("Round 2 failed after 2 attempts: the agent's report breaks its contract.");
});

test("what is the model's or the machine's is said alike of both", () => {
  expect(faultWords('rate-limited', 'reviewer')).toEqual(faultWords('rate-limited', 'agent'));
  expect(faultWords('agent-crashed', 'reviewer')?.means).toBe("the reviewer's program failed");
  expect(faultWords('nothing of ours', 'reviewer')).toBeNull();
});

test.each(['bad-credentials', 'no-credit', 'refusal', 'context-too-long'])(
  'of %s, which ends a run at once, it is said what to do',
  (code) => {
    for (const who of ['agent', 'reviewer'] as const) expect(faultWords(code, who)?.mend).toMatch(/\w+/);
  },
);
