import { blocked, reader, work } from '../support/chain.ts';
import { place, said } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = place('chain-budgets', { continueAfterRounds: 1 });
const { show, tell } = reader(ralph);

test('a run out of budget goes on with a new one alone; rounds never exceed what was given', async () => {
  const story = ralph.story([work('1'), work('2'), work('3'), work('4'), { report: done('all there') }]);
  const { id } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '2')).toMatchObject({ code: 11 });
  const refused = await ralph.ralph('resume', id);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/2 of 2 rounds are used[^]*--max-rounds/) });
  expect(await tell('resume', id, '--max-rounds', '257')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('limit of 256'),
  });
  expect(await ralph.ralph('resume', id, '--max-rounds', '2')).toMatchObject({ code: 11 });
  expect(await show(`${id}-2`)).toMatchObject({ maxRounds: 2, chainSpend: { rounds: 4 } });
  expect(await ralph.ralph('resume', `${id}-2`, '--max-rounds', '9', '--detach')).toMatchObject({
    code: 0,
    stdout: `${id}-3\n`,
  });
  expect(await ralph.ralph('watch', `${id}-3`)).toMatchObject({ code: 0 });
  expect(await show(`${id}-3`)).toMatchObject({
    previous: [{ runId: id }, { runId: `${id}-2` }],
    chainSpend: { rounds: 5 },
  });
});

test('rounds and time that a blocked run left are all that its follow-up has, over a continue-as-new', async () => {
  const plan = [work('1'), { ...work('2'), report: blocked('no key') }];
  const rounds = ralph.story([work('0'), ...plan, work('3'), work('4')]);
  const time = ralph.story([...plan, { ...work('3'), sleep: 90 }]);
  const ended = await Promise.all([
    ralph.ralph(...rounds.args, '--max-rounds', '4'),
    ralph.ralph(...time.args, '--max-time', '12s'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([10, 10]);
  const resumed = await Promise.all([ralph.ralph('resume', rounds.id), ralph.ralph('resume', time.id)]);
  expect(resumed.map(({ code }) => code)).toEqual([11, 11]);
  expect(await show(`${rounds.id}-2`)).toMatchObject({ maxRounds: 1, chainSpend: { rounds: 4 } });
  expect(rounds.agent.starts()).toHaveLength(4);
  const { timeMs } = (await show(`${time.id}-2`)).chainSpend;
  expect(timeMs).toBeGreaterThan(11_900);
  expect(said(await tell('resume', `${time.id}-2`))).toMatch(/--max-time/);
});

test('tokens and cost that a blocked run left are all that its follow-up has, over a continue-as-new', async () => {
  const use = { inputTokens: 900, outputTokens: 100, costUsd: 0.5 };
  const plan = [work('1'), { ...work('2'), report: blocked('no key') }, work('3'), work('4'), work('5'), work('6')];
  const tokens = ralph.story(plan.map((step) => ({ ...step, use })));
  const cost = ralph.story(plan.map((step) => ({ ...step, use })));
  const ended = await Promise.all([
    ralph.ralph(...tokens.args, '--max-tokens', '4500'),
    ralph.ralph(...cost.args, '--max-cost', '2'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([10, 10]);
  const resumed = await Promise.all([ralph.ralph('resume', tokens.id), ralph.ralph('resume', cost.id)]);
  expect(resumed.map(({ code }) => code)).toEqual([11, 11]);
  expect((await show(`${tokens.id}-2`)).chainSpend).toMatchObject({ rounds: 4, tokens: 4_000 });
  expect((await show(`${cost.id}-2`)).chainSpend).toMatchObject({ rounds: 4, costUsd: 2 });
  expect(said(await tell('resume', `${tokens.id}-2`))).toMatch(/a round takes about 1,000 tokens.*--max-tokens/);
  expect(said(await tell('resume', `${cost.id}-2`))).toMatch(/--max-cost/);
});

test('what a killed attempt of a follow-up did not report is estimated from the rounds of the previous run', async () => {
  const use = { inputTokens: 1_000, outputTokens: 0, costUsd: 1 };
  const story = ralph.story([
    { ...work('1'), use, report: blocked('no key') },
    { files: { half: 'half' }, sleep: 90 },
    { ...work('2'), use, report: done('all') },
  ]);
  expect(await ralph.ralph(...story.args)).toMatchObject({ code: 10 });
  expect(await ralph.ralph('resume', story.id, '--detach')).toMatchObject({ code: 0 });
  await story.started(2);
  expect(await ralph.ralph('pause', `${story.id}-2`, '--now')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('resume', `${story.id}-2`)).toMatchObject({ code: 0 });
  expect(await ralph.ralph('watch', `${story.id}-2`)).toMatchObject({ code: 0 });
  expect((await show(`${story.id}-2`)).chainSpend).toMatchObject({ tokens: 3_000, costUsd: 3 });
});
