import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocked, checkpoints, reader, work } from '../support/chain.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';

const ralph = place('chain');
const { page, show, tell } = reader(ralph);

test('a blocked run is resumed with the answer: the next round knows it, and both runs are one history', async () => {
  const story = ralph.story([
    work('one.txt'),
    { files: { 'two.txt': '2' }, report: blocked('no key for the registry') },
    { files: { 'three.txt': '3' }, report: done('all there') },
  ]);
  const { id, repository } = story;
  expect(await ralph.ralph(...story.args)).toMatchObject({
    code: 10,
    stdout: expect.stringContaining(`ralph resume ${id}`),
  });
  const resumed = await ralph.ralph('resume', id, '--note', 'The key is in KEY.');
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stdout).toContain(`Run ${id}-2 on ${repository.path} continues ${id}`);

  const prompt = story.agent.starts()[2]?.prompt;
  expect(prompt).toContain('\n> The key is in KEY.\n');
  expect(prompt).toContain('Confirm that this is resolved: no key for the registry');
  expect(story.agent.starts()[2]?.files).toEqual(expect.arrayContaining(['one.txt', 'two.txt']));
  expect(checkpoints(repository, `ralph/${id}`)).toEqual([`${id}-2 1`, `${id} 2`, `${id} 1`]);
  expect(repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe(`main\nralph/${id}`);

  const [first, second] = [await show(id), await show(`${id}-2`)];
  expect(first).toMatchObject({ status: 'blocked', continues: null, continuedAs: [`${id}-2`], previous: [] });
  expect(second).toMatchObject({
    status: 'complete',
    continues: id,
    branch: `ralph/${id}`,
    objectiveHash: first.objectiveHash,
    maxRounds: 254,
    chainSpend: { rounds: 3 },
    previous: [{ runId: id, status: 'blocked', rounds: [{ round: 1 }, { round: 2, status: 'blocked' }] }],
    rounds: [{ round: 1, status: 'complete' }],
  });
  expect(await page(`${id}-2`)).toMatch(
    new RegExp(`^Continues +${id} \\(blocked\\)$[^]*^${id} +1 [^]*^${id} +2 [^]*^${id}-2 +1 `, 'm'),
  );
  expect(await page(id)).toMatch(new RegExp(`^Continued as +${id}-2 \\(complete\\)$`, 'm'));
  const list = await tell('list');
  expect(list.stdout).toMatch(new RegExp(`^RUN.* CONTINUES +OBJECTIVE$[^]*^${id}-2 +complete.* ${id} +Reach it`, 'm'));
  const diff = await tell('diff', `${id}-2`, '--stat');
  expect(diff.stdout).toMatch(/one\.txt[^]*three\.txt[^]*two\.txt/);

  expect(await tell('resume', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Run "${id}" was already continued as ${id}-2.`),
  });
  expect(await tell('resume', `${id}-2`)).toMatchObject({ code: 2, stderr: expect.stringContaining('is complete') });
});

test('a follow-up has the work that a cancel kept; a live run can neither be resumed with a note nor rolled back', async () => {
  const story = ralph.story([work('1'), { files: { half: 'half' }, sleep: 90 }, { report: done('all there') }]);
  const { id } = story;
  await story.detach();
  await story.started(2);
  expect(await tell('resume', id, '--note', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has not ended'),
  });
  expect(await tell('rollback', id, '--to', '1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has not ended'),
  });
  expect(await ralph.ralph('cancel', id)).toMatchObject({ code: 0 });
  expect(await ralph.ralph('resume', id)).toMatchObject({ code: 0 });
  const start = story.agent.starts()[2];
  expect(start?.files).toEqual(expect.arrayContaining(['1', 'half']));
  expect(start?.prompt).toContain('after 1');
  expect(await show(`${id}-2`)).toMatchObject({ status: 'complete', maxRounds: 255 });
});

test('a run whose setup failed is resumed from where it was to begin, with what it was told', async () => {
  const story = ralph.story([{ files: { one: '1' }, report: done('all there') }]);
  const { id, repository } = story;
  const mended = join(story.agent.folder, 'mended');
  expect(await ralph.ralph(...story.args, '--setup', `test -e '${mended}'`)).toMatchObject({ code: 13 });
  expect(await ralph.ralph('resume', id, '--note', 'Mind the gap.')).toMatchObject({ code: 13 });
  writeFileSync(mended, '');
  expect(await ralph.ralph('resume', `${id}-2`)).toMatchObject({ code: 0 });
  expect(story.agent.starts()[0]?.prompt).toContain('\n> Mind the gap.\n');
  expect(repository.git('rev-parse', `ralph/${id}^`)).toBe(repository.commit);
});

test('a stalled run is resumed on its branch, from its last handoff', async () => {
  const story = ralph.story([
    { report: goOn('idle', ['look again']) },
    { files: { one: '1' }, report: done('all there') },
  ]);
  const { id } = story;
  expect(await ralph.ralph(...story.args, '--stall-rounds', '1')).toMatchObject({ code: 12 });
  expect(await ralph.ralph('resume', id, '--note', 'Try one.')).toMatchObject({ code: 0 });
  const prompt = story.agent.starts()[1]?.prompt;
  expect(prompt).toContain('look again');
  expect(prompt).toContain('\n> Try one.\n');
  expect(checkpoints(story.repository, `ralph/${id}`)).toEqual([`${id}-2 1`, `${id} 1`]);
});

test('a run whose round failed is resumed with the work of the failed attempt, and the handoff before it', async () => {
  const story = ralph.story([work('1'), { files: { half: 'h' }, exit: 3 }, { report: done('all there') }]);
  const { id } = story;
  expect(await ralph.ralph(...story.args, '--round-attempts', '1')).toMatchObject({ code: 13 });
  expect(await ralph.ralph('resume', id)).toMatchObject({ code: 0 });
  const start = story.agent.starts()[2];
  expect(start?.prompt).toContain('after 1');
  expect(start?.files).toEqual(expect.arrayContaining(['1', 'half']));
  expect(await show(`${id}-2`)).toMatchObject({ status: 'complete', continues: id, chainSpend: { rounds: 2 } });
});

test('a run that was terminated is resumed once its round was disposed of', async () => {
  const story = ralph.story([{ files: { half: 'half' }, sleep: 90 }, { report: done('all there') }]);
  const { id } = story;
  await story.detach();
  await story.started(1);
  await story.terminate();
  expect(await ralph.ralph('resume', id)).toMatchObject({ code: 0 });
  expect(story.agent.starts()[1]?.files).toContain('half');
  expect(story.alive()).toEqual([]);
  expect(existsSync(story.paths.ending)).toBe(false);
});

test('a run whose request was changed on disk is not resumed, put back it is', async () => {
  const story = ralph.story([work('1'), { report: done('all there') }]);
  const { id, paths } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '1', '--gate', 'test -e 1')).toMatchObject({ code: 11 });
  const request = readFileSync(paths.request, 'utf8');
  writeFileSync(paths.request, request.replace('test -e 1', 'true'));
  expect(await ralph.ralph('resume', id, '--max-rounds', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differs from the one that the run was started with'),
  });
  expect((await show(id)).continuedAs).toEqual([]);
  writeFileSync(paths.request, request);
  expect(await ralph.ralph('resume', id, '--max-rounds', '1')).toMatchObject({ code: 0 });
});
