import { rmSync } from 'node:fs';
import path from 'node:path';
import { blocked, checkpoints, reader, work } from '../support/chain.ts';
import { killOrders } from '../support/kill-order.ts';
import { place, said } from '../support/place.ts';
import { ralph as start } from '../cli/support/ralph.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('resume-killed');
const { show } = reader(ralph);
const orders = killOrders(ralph.folder);
orders.armWorker(ralph.home);
/** The command line, which a kill order may end. */
const killable = (...args: string[]) => start(args, { home: ralph.home, env: orders.env });

test('a resume that is killed at any of its steps leaves no follow-up or a whole one, and can be given again', async () => {
  const story = ralph.story(
    Array.from({ length: 60 }, (_, at) => ({ ...work(`${at}`), report: blocked(`blocker ${at}`) })),
  );
  expect(await ralph.ralph(...story.args)).toMatchObject({ code: 10 });
  expect(await killable('resume', story.id)).toMatchObject({ code: 10 });
  expect(await killable('resume', `${story.id}-2`, '--detach')).toMatchObject({ code: 0 });
  const steps = orders.steps();
  expect(steps).toBeGreaterThan(10);
  const runs = [story.id, `${story.id}-2`, `${story.id}-3`];
  await ralph.ralph('watch', `${story.id}-3`);
  for (let step = 1; step <= steps; step += 1) {
    const last = String(runs.at(-1));
    orders.order({ who: 'cli', step });
    expect(await killable('resume', last, '--detach')).toMatchObject({ code: null });
    const again = said(await ralph.ralph('resume', last, '--detach'));
    // A kill right before the start leaves an empty folder, so the next number is skipped.
    const [, next = `killed at ${step}: ${again}`] =
      /^(resume-killed-\d+-\d+)$|already continued as (\S+)\./m.exec(again)?.filter((id) => id !== undefined) ?? [];
    runs.push(next);
    expect(await ralph.ralph('watch', next)).toMatchObject({ code: 10 });
    expect((await show(last)).continuedAs).toEqual([next]);
    const starts = story.agent.starts();
    expect(starts).toHaveLength(runs.length);
    expect(starts.at(-1)?.prompt).toContain(`blocker ${runs.length - 2}`);
  }
  expect(checkpoints(story.repository, `ralph/${story.id}`)).toEqual(runs.toReversed().map((runId) => `${runId} 1`));
}, 600_000);

test('a cancel that is killed at any of its steps can be given again, and the run is resumed with its handoff', async () => {
  const counted = ralph.story([work('1'), { sleep: 90 }]);
  await counted.detach();
  await counted.started(2);
  expect(await killable('cancel', counted.id)).toMatchObject({ code: 0 });
  const steps = orders.steps();
  for (let step = 1; step <= steps; step += 3) {
    const story = ralph.story([work('1'), { files: { half: 'half' }, sleep: 90 }, { report: blocked('no key') }]);
    await story.detach();
    await story.started(2);
    orders.order({ who: 'cli', step });
    expect(await killable('cancel', story.id)).toMatchObject({ code: null });
    expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
    expect(await show(story.id)).toMatchObject({ status: 'cancelled' });
    expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 10 });
    const last = story.agent.starts().at(-1);
    expect([last?.prompt, last?.files]).toEqual([
      expect.stringContaining('after 1'),
      expect.arrayContaining(['1', 'half']),
    ]);
  }
}, 600_000);

const kills = [
  ['state.json', 1],
  ['state.json', 3],
  ['outcome.json', 2],
  ['ending.json', 1],
] as const;

test.each(kills.flatMap(([file, nth]) => (['before', 'after'] as const).map((when) => ({ file, nth, when }))))(
  'a worker that is killed $when it puts $file into its place, time $nth, costs no handoff',
  async ({ file, nth, when }) => {
    const story = ralph.story([work('1'), work('2'), work('3'), work('3'), { report: blocked('no key') }]);
    orders.order({ who: 'worker', file, when, nth });
    expect(await ralph.ralph(...story.args, '--max-rounds', '3')).toMatchObject({ code: 11 });
    expect(orders.takeBack()).toBe(false);
    expect((await show(story.id)).rounds.map(({ round, status }) => `${round} ${status}`)).toEqual([
      '1 continue',
      '2 continue',
      '3 continue',
    ]);
    expect(await ralph.ralph('resume', story.id, '--max-rounds', '1', '--detach')).toMatchObject({ code: 0 });
    await ralph.ralph('watch', `${story.id}-2`);
    const last = story.agent.starts().at(-1);
    expect([last?.prompt, last?.files]).toEqual([
      expect.stringContaining('after 3'),
      expect.arrayContaining(['1', '2', '3']),
    ]);
  },
);

test('a run that is terminated while its worker is dead is resumed with the report that nobody had counted', async () => {
  const story = ralph.story([work('1'), { ...work('2'), sleep: 60 }, { report: blocked('no key') }]);
  await story.detach();
  await story.started(2);
  await ralph.killWatchdog();
  orders.order({ who: 'worker', file: 'outcome.json', when: 'after', nth: 1 });
  story.agent.go();
  await waitFor('the kill', 40_000, () => orders.isDone());
  await story.terminate();
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 10 });
  expect(story.agent.starts().at(-1)?.prompt).toContain('after 2');
});

afterAll(() => rmSync(path.join(ralph.home, 'env'), { force: true }));
