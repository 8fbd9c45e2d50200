import { createHash } from 'node:crypto';
import { readRequest } from '../../workspaces/records/runs.ts';
import { here } from '../cli/support/here.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('controls');
const OBJECTIVE = 'Reach it.';
type Story = ReturnType<typeof ralph.story>;

/** Read in this process, which is faster. */
const read = (...args: string[]) => here(args, { home: ralph.home });

const paused = (story: Story) =>
  waitFor('the pause', 40_000, async () => ((await story.show()).status === 'paused' ? true : null));

/** Whatever a run was told, its objective is what it was, on disk and in every prompt. */
async function expectObjectiveKept({ agent, paths }: Story): Promise<void> {
  expect(await readRequest(paths)).toMatchObject({
    objective: OBJECTIVE,
    objectiveHash: createHash('sha256').update(OBJECTIVE).digest('hex'),
  });
  for (const { prompt } of agent.starts()) expect(prompt).toContain(OBJECTIVE);
}

test('pause: the round under way is let end, the run stands still with nothing alive, and resume lets it go on', async () => {
  const story = ralph.story([{ files: { 'one.txt': '1' }, sleep: 60, report: goOn('one') }, { report: done('two') }]);
  await story.detach();
  await story.started(1);
  const told = await ralph.ralph('pause', story.id);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/ pauses when round 1 ends\./) });
  expect(await read('list')).toMatchObject({ stdout: expect.stringMatching(/ running, pausing /) });
  story.agent.go();
  await paused(story);
  expect(story.alive()).toEqual([]);
  expect(story.agent.started(2)).toBe(false);
  expect(await story.ledger()).toEqual(['1.1 continue']);
  const why = await read('why', story.id);
  expect(why.stdout).toMatch(/: paused, as requested[^]*round 1 ended as continue: one[^]*ralph resume/);
  expect(await read('show', story.id)).toMatchObject({ stdout: expect.stringMatching(/ before round 2 of /) });
  expect(await read('budget', story.id)).toMatchObject({ stdout: expect.stringMatching(/^Rounds +1 of /) });

  const resumed = await ralph.ralph('resume', story.id);
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/is resumed: it is in round 2/) });
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.agent.starts()).toHaveLength(2);
  await expectObjectiveKept(story);
  const late = await read('pause', story.id);
  expect(late).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/has ended \(complete\), so it cannot be paused/),
  });
});

test('pause --now: returns when nothing of the round is left, its work kept; resume attempts the same round again', async () => {
  const story = ralph.story([{ files: { 'half.txt': 'half' }, leave: 91, sleep: 90 }, { report: done('whole') }]);
  await story.detach();
  await story.started(1);
  const { code, stdout } = await ralph.ralph('pause', story.id, '--now');
  expect(story.alive()).toEqual([]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/is paused\.[^]*attempt 1: ended, its work kept[^]*no process is left/),
  });
  expect(await story.show()).toMatchObject({ status: 'paused' });
  expect(await story.ledger()).toEqual(['1.1 paused']);
  expect(await read('budget', story.id)).toMatchObject({
    stdout: expect.stringMatching(/^Rounds +0 of .*\nTime +≈?[\d.]+m?s/),
  });
  expect(await read('why', story.id)).toMatchObject({
    stdout: expect.stringMatching(/Used so far: ≈?[\d.]+m?s of work/),
  });
  expect(story.repository.git('show', `ralph/${story.id}:half.txt`)).toBe('half');
  const { stderr } = await ralph.ralph('budget', story.id, '--add-time', '1h');
  expect(stderr).toMatch(/has no time limit, so there is nothing to add to\.\n$/);

  expect(await ralph.ralph('resume', story.id, '--detach')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(story.agent.starts().at(-1)?.files).toContain('half.txt');
  expect(await story.ledger()).toEqual(['1.1 paused', '1.2 complete']);
  await expectObjectiveKept(story);
});

test('a pause that is told with no worker alive is obeyed by the next one, before it starts anything', async () => {
  const story = ralph.story([{ report: goOn('one') }, { files: { 'two.txt': '2' }, sleep: 90 }]);
  await story.detach();
  await story.started(2);
  await ralph.killWorker();
  const told = await ralph.ralph('pause', story.id, '--now');
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/is paused/) });
  expect(story.alive()).toEqual([]);
  expect(story.agent.started(3)).toBe(false);
  const stopped = await ralph.ralph('stop', story.id);
  expect(stopped).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/: stopped during round 2, as requested/),
  });
  expect(story.repository.git('show', `ralph/${story.id}:two.txt`)).toBe('2');
});

test('stop: the round under way is let end, no other begins, and the exit code tells', async () => {
  const story = ralph.story([{ files: { 'one.txt': '1' }, sleep: 60, report: goOn('one', ['two']) }]);
  await story.detach();
  await story.started(1);
  const told = await ralph.ralph('stop', story.id);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/ stops when round 1 ends\./) });
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 17 });
  expect(story.agent.started(2)).toBe(false);
  const why = await read('why', story.id);
  expect(why.stdout).toMatch(/: stopped after round 1, as requested[^]*still to do: two/);
  await expectObjectiveKept(story);
});

test('a resume beside a cancel says what happened, and exits as the run ended', async () => {
  const story = ralph.story([{ files: { 'half.txt': 'half' }, sleep: 90 }]);
  await story.detach();
  await story.started(1);
  expect(await ralph.ralph('pause', story.id, '--now')).toMatchObject({ code: 0 });
  await ralph.killWorker();
  await story.cancelOutside();
  const resumed = await ralph.ralph('resume', story.id);
  expect(resumed).toMatchObject({ code: 14, stderr: expect.stringContaining(`${story.id} was not resumed`) });
  expect(resumed.stdout).toMatch(/cancelled/);
  expect(story.agent.started(2)).toBe(false);
});
