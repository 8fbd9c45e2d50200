import { faultWords } from '../../../client/describe/fault-words.ts';

test("what is the model's or the machine's is the same for an agent and a reviewer", () => {
  expect(faultWords('rate-limited', 'reviewer')).toEqual(faultWords('rate-limited', 'agent'));
  expect(faultWords('agent-crashed', 'reviewer')?.means).toBe("the reviewer's program failed");
  expect(faultWords('nothing of ours', 'reviewer')).toBeNull();
});

test.each(['bad-credentials', 'no-credit', 'refusal', 'context-too-long'])(
  'of %s, which ends a run at once, it is said what to do',
  (code) => {
    for (const who of ['agent', 'reviewer'] as const) expect(faultWords(code, who)?.remedy).toMatch(/\w+/);
  },
);

test('of a login that is rejected it is said to log in again, of a key where it is corrected', () => {
  expect(faultWords('bad-credentials', 'agent', true)?.remedy).toMatch(/^Log in again/);
  expect(faultWords('bad-credentials', 'agent')?.remedy).toContain('$RALPH_HOME/env');
});
