import { withChain } from '../../client/resume/chain.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { rollBack } from '../../workspaces/rollback/roll-back.ts';
import { reader, work } from '../support/chain.ts';
import { place, said } from '../support/place.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('chain-alone');
const { show, tell } = reader(ralph);

const waiting = () => ralph.processes('flock -E').length;

test('of two that resume a run at the same moment one does, and the other is told of it', async () => {
  const story = ralph.story([work('1'), work('2'), work('3'), work('4')]);
  const { id } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '1')).toMatchObject({ code: 11 });
  const resumes = await withChain(ralph.home, id, async () => {
    const both = [1, 2].map(() => ralph.start('resume', id, '--max-rounds', '1', '--detach').ended);
    await waitFor('both at the lock', 30_000, () => waiting() === 2);
    return both;
  });
  const [won, lost] = (await Promise.all(resumes)).toSorted((a, b) => (a.code ?? 99) - (b.code ?? 99));
  expect(won).toMatchObject({ code: 0, stdout: `${id}-2\n` });
  expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining(`was already continued as ${id}-2`) });
  await ralph.ralph('watch', `${id}-2`);
  expect((await show(id)).continuedAs).toEqual([`${id}-2`]);
});

test('a resume that a rollback overtakes goes on from where that left the run', async () => {
  const story = ralph.story([work('1'), work('2'), work('3')]);
  const { id, paths } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '2')).toMatchObject({ code: 11 });
  const { ended } = await withChain(ralph.home, id, async () => {
    const resumed = ralph.start('resume', id, '--max-rounds', '1');
    await waitFor('it at the lock', 30_000, () => waiting() === 1);
    const request = await readRequest(paths);
    if (request === null) throw new Error('no request');
    await rollBack({ paths, request, to: 1 });
    return resumed;
  });
  expect(await ended).toMatchObject({ code: 11 });
  expect(story.agent.starts()[2]?.files).toEqual(expect.not.arrayContaining(['2']));
  expect(story.agent.starts()[2]?.prompt).toContain('after 1');
});

test('a chain does not fork: only its last run can be resumed or rolled back, and the rejection names it', async () => {
  const story = ralph.story([work('1'), work('2'), work('3'), work('4')]);
  const { id } = story;
  const next = `${id}-2`;
  expect(await ralph.ralph(...story.args, '--max-rounds', '2')).toMatchObject({ code: 11 });
  expect(await ralph.ralph('resume', id, '--max-rounds', '1')).toMatchObject({ code: 11 });
  const early = await tell('rollback', id, '--to', '1');
  expect([early.code, said(early)]).toEqual([2, expect.stringContaining(`\`ralph rollback ${next} --to 0\``)]);
  expect(await tell('rollback', next, '--to', '0')).toMatchObject({ code: 0 });
  expect(await tell('rollback', next, '--to', '0')).toMatchObject({ code: 0 });
  expect(await tell('rollback', id, '--to', '1')).toMatchObject({ code: 0 });
  const discarded = await tell('resume', next, '--max-rounds', '1');
  expect([discarded.code, said(discarded)]).toEqual([2, expect.stringContaining(`its chain now ends with ${id}.`)]);
  expect(said(discarded)).toContain(`\`ralph resume ${id} --max-rounds `);

  expect(await ralph.ralph('resume', id, '--max-rounds', '1')).toMatchObject({ code: 11 });
  expect((await show(id)).continuedAs).toEqual([next, `${id}-3`]);
  for (const other of [id, next]) {
    const late = await tell('resume', other, '--max-rounds', '1');
    expect([late.code, said(late)]).toEqual([
      2,
      expect.stringMatching(new RegExp(`(continued as|now ends with) ${id}-3\\.`)),
    ]);
    expect(said(late)).toContain(`\`ralph resume ${id}-3 --max-rounds `);
    expect(await tell('rollback', other, '--to', '1')).toMatchObject({ code: 2 });
  }
  expect(story.agent.starts().map(({ files }) => files.includes('2'))).toEqual([false, false, true, false]);
});

test('what two add to the budgets of a run at the same moment both counts, and is said', async () => {
  const story = ralph.story([{ sleep: 90 }]);
  const { id } = story;
  await story.detach('--max-rounds', '2');
  await story.started(1);
  const adding = await withChain(ralph.home, id, async () => {
    const both = [3, 5].map((more) => ralph.start('budget', id, '--add-rounds', String(more)).ended);
    await waitFor('both at the lock', 30_000, () => waiting() === 2);
    return both;
  });
  const texts = (await Promise.all(adding)).map((each) => said(each)).toSorted();
  expect(texts.join('\n')).toMatch(/Added: rounds 2 → (5|7)$[^]*Added: rounds \1 → 10$/m);
  expect((await tell('budget', id)).stdout).toMatch(/^Rounds +0 of 10$/m);
  expect(await ralph.ralph('cancel', id)).toMatchObject({ code: 0 });
});
