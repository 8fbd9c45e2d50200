import { readFileSync } from 'node:fs';
import { readEnding, readRequest } from '../../workspaces/records/runs.ts';
import { here } from '../cli/support/here.ts';
import { place, said } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('control-limits');
/** Read in this process, which is faster. */
const read = (...args: string[]) => here(args, { home: ralph.home });

test('retry: refused while nothing is waited for; it ends a wait at once', async () => {
  // Each fails otherwise than the one before: the same three times over would end the run. Waits double with each.
  const story = ralph.story([{ sleep: 60, exit: 3 }, ...[4, 5, 6, 7, 8, 9, 10].map((exit) => ({ exit }))]);
  await story.detach('--round-attempts', '10', '--stall-rounds', '0');
  await story.started(1);
  const refused = await read('retry', story.id);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not waiting.*It is in round 1\./) });
  story.agent.go();
  // Long enough to be ended by a command.
  const until = await waitFor('a long wait', 80_000, async () => {
    const { status, until: end } = await story.show();
    return status === 'waiting' && end !== null && Date.parse(end) - Date.now() > 12_000 ? Date.parse(end) : null;
  });
  const before = story.agent.starts().length;
  const told = await ralph.ralph('retry', story.id);
  expect(said(told)).toMatch(/The wait is over|tried again/);
  expect(told.code).toBe(0);
  await story.started(before + 1);
  expect(Date.now()).toBeLessThan(until);
});

test('budget: what is added to a run that goes on is used, and holds the ceilings of the deployment', async () => {
  ralph.configure({ maxRounds: 3, maxTime: '8h' });
  const story = ralph.story([{ files: { 'one.txt': '1' }, sleep: 60, report: goOn('one') }, { report: done('two') }]);
  await story.detach('--max-rounds', '1');
  await story.started(1);
  const over = await read('budget', story.id, '--add-rounds', '3');
  expect(over).toMatchObject({ code: 2, stderr: expect.stringMatching(/4 rounds\. .* limit is 3 rounds/) });
  const added = await ralph.ralph('budget', story.id, '--add-rounds', '1', '--add-tokens', '5M');
  expect(added.stdout).toMatch(/^Rounds +0 of 2$/m);
  expect(added.stdout).toMatch(/^Time +\S+ of 8h$/m);
  expect(added.stderr).toMatch(/has no token limit, so there is nothing to add to/);
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.agent.starts()[1]?.env['RALPH_MAX_ROUNDS']).toBe('2');
  expect(readFileSync(story.attempt(2, 1).prompt, 'utf8')).toContain('round 2 of at most 2');
  expect((await read('budget', story.id)).stdout).toMatch(/^Rounds +2 of 2$/m);
  expect((await readRequest(story.paths))?.limits.maxRounds).toBe(1);
  for (const { prompt } of story.agent.starts()) expect(prompt).toContain('Reach it.');
});

test('budget: dollars, time of work and of waiting are added to a run that goes on, and the dollars are used', async () => {
  ralph.configure();
  const use = { inputTokens: 1_000, outputTokens: 0, costUsd: 2 };
  const work = (n: number) => ({ use, files: { 'n.txt': `${n}` }, report: goOn(`${n}`) });
  const story = ralph.story([{ ...work(1), sleep: 60 }, work(2), work(3), { use, report: done('never begun') }]);
  await story.detach('--max-cost', '3', '--max-time', '1h', '--max-wait', '30m');
  await story.started(1);
  const added = await ralph.ralph('budget', story.id, '--add-cost', '4', '--add-time', '1h', '--add-wait', '1h');
  expect(added.stdout).toMatch(/^Time +\S+ of 2h$/m);
  expect(added.stdout).toMatch(/^Cost +.+ of \$7\.00$/m);
  expect(added.stdout).toMatch(/^Waited +\S+ of 1h 30m$/m);
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 11 });
  expect(story.agent.starts()).toHaveLength(3);
  expect(await readEnding(story.paths)).toMatchObject({ ending: { budget: 'cost' }, state: { spent: { costUsd: 6 } } });
});
