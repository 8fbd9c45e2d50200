import { noBudgets } from '../../schemas/budget/budget.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = engine('review-budgets');
const launch = launcher(ralph);

const budgets = { ...noBudgets, maxTokens: 1_000 };
const round = (n: number) => ({
  use: { inputTokens: 100, outputTokens: 0, costUsd: 1 },
  files: { 'a.txt': `${n}` },
  report: done(`${n}`),
});
const review = (decision: string) =>
  `printf '%s' '${JSON.stringify({ decision, reasons: ['seen'] })}' > "$RALPH_REPORT_FILE"`;
/** A reviewer that tells so many tokens, or nothing, and then does what is left to it. */
const reviewer = (tokens: number | null, then: string) => {
  const usage =
    tokens === null ? 'true' : `printf '{"inputTokens":${tokens},"outputTokens":0,"costUsd":1}' > "$RALPH_USAGE_FILE"`;
  return { provider: 'command', command: `cat >/dev/null; ${usage}; ${then}`, model: null } as const;
};

test('a round is expected to use what its review did, too', async () => {
  const rejects = reviewer(600, review('reject'));
  const { handle, paths, agent } = await launch([1, 2, 3].map(round), { checks: { reviewer: rejects, budgets } });
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'tokens', rounds: 1 });
  expect((await readEnding(paths))?.state).toMatchObject({ spent: { tokens: 700, recent: [{ tokens: 700 }] } });
  expect(agent.starts()).toHaveLength(1);
});

test('a reviewer that uses up a budget is ended in mid-review, and the run with the claim handed on', async () => {
  const worksOn = reviewer(950, 'while :; do echo at work; sleep 0.2; done');
  const { handle } = await launch([round(1)], { checks: { reviewer: worksOn, budgets } });
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'tokens',
    handoff: { summary: '1' },
  });
});

test('what a reviewer accepts is complete, whether it told its use or not: nothing is left to be paid', async () => {
  const { handle } = await launch([round(1)], { checks: { reviewer: reviewer(null, review('accept')), budgets } });
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed' });
});

test('a reviewer that rejects and does not tell what a budget is held by ends the run, and is named', async () => {
  const { handle, paths } = await launch([round(1)], {
    checks: { reviewer: reviewer(null, review('reject')), budgets },
  });
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'usage-unknown' } });
  expect(await readEnding(paths)).toMatchObject({
    ending: {
      status: 'round-failed',
      fault: { code: 'usage-unknown', message: expect.stringMatching(/^the reviewer reported no tokens/) },
      handoff: { nextSteps: [expect.stringContaining('seen')] },
    },
  });
});
