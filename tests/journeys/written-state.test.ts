import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { roundFolder } from '../../workspaces/records/run-paths.ts';
import { blocked, reader, work } from '../support/chain.ts';
import { killOrders } from '../support/kill-order.ts';
import { place, said } from '../support/place.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('written-state');
const { show, tell } = reader(ralph);
const orders = killOrders(ralph.folder);
orders.armWorker(ralph.home);

/** Change a text in a file; returns how to put the file back. */
function alter(file: string, from: string, to: string): () => void {
  const whole = readFileSync(file, 'utf8');
  const altered = whole.replaceAll(from, to);
  expect(altered).not.toBe(whole);
  writeFileSync(file, altered);
  return () => writeFileSync(file, whole);
}

const isRejected = {
  code: 1,
  stderr: expect.stringMatching(/state of run .* differs from the signed copy in Temporal/),
};

test('a state that was changed on disk is rejected, after the end of a run and after a rollback; restored, it counts', async () => {
  const story = ralph.story([work('1'), work('2'), work('3'), { report: blocked('no key') }]);
  const { id, paths } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '3')).toMatchObject({ code: 11 });
  const resume = () => ralph.ralph('resume', id, '--max-rounds', '1');
  const restore = alter(paths.ending, 'after 3', 'rm -rf everything');
  expect(await resume()).toMatchObject(isRejected);
  restore();

  expect(await tell('rollback', id, '--to', '1')).toMatchObject({ code: 0 });
  const restoreRound = alter(path.join(roundFolder(paths, 2), 'state.json'), 'after 1', 'rm -rf everything');
  expect(await resume()).toMatchObject(isRejected);
  restoreRound();
  // An older state of the same run is signed as well, and is not the one before round 2.
  const [first, second] = [1, 2].map((round) => path.join(roundFolder(paths, round), 'state.json'));
  const whole = readFileSync(String(second), 'utf8');
  writeFileSync(String(second), readFileSync(String(first), 'utf8'));
  expect(await resume()).toMatchObject(isRejected);
  writeFileSync(String(second), whole);
  expect((await show(id)).continuedAs).toEqual([]);
  expect(await resume()).toMatchObject({ code: 10 });
  expect(story.agent.starts().at(-1)?.prompt).toContain('after 1');
});

test('the state of a terminated run is compared as well', async () => {
  const story = ralph.story([work('1'), { files: { half: 'half' }, sleep: 90 }, { report: blocked('no key') }]);
  await story.detach();
  await story.started(2);
  await story.terminate();
  const restore = alter(story.paths.state, 'after 1', 'rm -rf everything');
  expect(await ralph.ralph('resume', story.id)).toMatchObject(isRejected);
  restore();
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 10 });
  const { prompt, files } = story.agent.starts().at(-1) ?? {};
  expect(prompt).toContain('after 1');
  expect(files).toEqual(expect.arrayContaining(['1', 'half']));
});

test('a report that was there when the cancel came is the handoff of the next run', async () => {
  const story = ralph.story([work('1'), { ...work('2'), sleep: 60 }, { report: blocked('no key') }]);
  await story.detach();
  await story.started(2);
  await ralph.killWatchdog();
  orders.order({ who: 'worker', file: 'outcome.json', when: 'after', nth: 1 });
  story.agent.go();
  await waitFor('the kill', 40_000, () => orders.isDone());
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
  expect(await show(story.id)).toMatchObject({ status: 'cancelled' });
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 10 });
  const { prompt, files } = story.agent.starts().at(-1) ?? {};
  expect(prompt).toContain('after 2');
  expect(files).toEqual(expect.arrayContaining(['1', '2']));
  expect(await show(`${story.id}-2`)).toMatchObject({ maxRounds: 254, chainSpend: { rounds: 3 } });
});

test('a run without a state, as 0.1.0 left it, is neither resumed nor rolled back, and the way out is a command', async () => {
  const story = ralph.story([work('1'), { report: blocked('no key') }]);
  const { id, paths, repository } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '1')).toMatchObject({ code: 11 });
  rmSync(paths.state);
  const { state: _state, ...ending } = JSON.parse(readFileSync(paths.ending, 'utf8'));
  writeFileSync(paths.ending, JSON.stringify(ending));
  for (const args of [
    ['resume', id],
    ['rollback', id, '--to', '0'],
  ]) {
    const rejected = await tell(...args);
    expect(rejected.code).toBe(2);
    expect(said(rejected)).toContain(`ralph run 'Reach it.' --repo ${repository.path} --base ralph/${id} `);
  }
  for (const args of [['show', id], ['log', id], ['diff', id], ['list']]) {
    expect(await tell(...args)).toMatchObject({ code: 0 });
  }
});
