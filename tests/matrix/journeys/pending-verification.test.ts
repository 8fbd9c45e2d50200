import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkPaths, reviewPaths, runPaths } from '../../../workspaces/records/run-paths.ts';
import { reader } from '../../support/chain.ts';
import { place } from '../../support/place.ts';
import { done } from '../../support/scripted-agent.ts';
import { waitFor } from '../../support/wait-for.ts';

const ralph = place('pending-verification');
const { show, page, tell } = reader(ralph);
const atStart = (id: string) => checkPaths(runPaths(ralph.home, id), 0, 1);

/** A reviewing program of the user's that breaks its contract until it is mended. */
function reviewer(name: string) {
  const folder = path.join(ralph.folder, name);
  mkdirSync(folder);
  const file = path.join(folder, 'review.sh');
  const says = (review: unknown): void =>
    writeFileSync(file, `printf '%s' '${JSON.stringify(review)}' > "$RALPH_REPORT_FILE"\n`);
  says({ verdict: 'fine' });
  // The checkout may lie in a home, which a reviewer's sandbox hides.
  return {
    flags: ['--reviewer-command', `sh '${file}'`, '--read', folder],
    mend: () => says({ decision: 'accept', reasons: [] }),
  };
}

test('a claim that a broken reviewer left open is checked before any worker is paid for, and completes the next run', async () => {
  const story = ralph.story([{ files: { 'b.txt': 'b\n' }, report: done('made b.txt') }]);
  const { id } = story;
  const judge = reviewer('breaks');
  const checked = ['--gate', 'test -f a.txt', ...judge.flags, '--report-attempts', '1'];
  expect(await ralph.ralph(...story.args, ...checked)).toMatchObject({
    code: 13,
    stdout: expect.stringMatching(new RegExp(`ralph resume ${id} +verify that claim in a follow-up`)),
  });
  judge.mend();
  const resumed = await ralph.ralph('resume', id);
  expect(resumed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `First +verify the completion claim of round 1 of ${id}[^]*gates of round 1 of ${id}: passed[^]*review of round 1 of ${id}: accepted`,
      ),
    ),
  });
  expect(story.agent.starts()).toHaveLength(1);
  const first = await show(id);
  expect(await show(`${id}-2`)).toMatchObject({
    status: 'complete',
    rounds: [],
    commit: first.commit,
    branch: `ralph/${id}`,
    previous: [{ runId: id, rounds: [{ round: 1, status: 'complete' }] }],
  });
  expect(await page(`${id}-2`)).toMatch(
    new RegExp(`^Checks +gates of round 1 of ${id}: passed\\n +review of round 1 of ${id}: accepted$`, 'm'),
  );
  expect(await page(`${id}-2`)).toContain('It needed no round of its own.');
  expect((await tell('show', `${id}-2`, '--round', '0')).stdout).toMatch(/Before round 1 of run[^]*Decision +accept/);
  expect((await tell('why', `${id}-2`)).stdout).toMatch(
    new RegExp(`review command accepted it[^]*made b\\.txt[^]*review of round 1 of ${id}: accepted`),
  );
  expect(await ralph.ralph('resume', `${id}-2`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('complete'),
  });

  expect(await ralph.ralph('rollback', id, '--to', '0')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`ralph rollback ${id}-2 --to 0`),
  });

  // A user who rolls an accepted completion back does not want it to be verified again.
  expect(await ralph.ralph('rollback', `${id}-2`, '--to', '0')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('resume', `${id}-2`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`its chain now ends with ${id}`),
  });
  expect(await ralph.ralph('resume', id)).toMatchObject({ code: 0 });
  expect(story.agent.starts()[1]?.prompt).toMatch(/check accepted it, but the run was rolled back/);
});

test('a claim whose gates were cut short stays open from run to run, and what refuses it is what round 1 gets to know', async () => {
  const flags = path.join(ralph.folder, 'flags');
  mkdirSync(flags);
  const story = ralph.story([
    { files: { 'b.txt': 'b\n' }, report: done('claimed at once') },
    { files: { 'a.txt': 'fixed\n' }, report: done('mended') },
  ]);
  const { id } = story;
  const works = `grep -q fixed a.txt || { echo 'a.txt is not fixed'; exit 3; }`;
  const waits = `touch '${flags}/under-way'; test -e '${flags}/open' || sleep 97; ${works}`;
  const gate = `test -e '${story.agent.folder}/start-1.json' || exit 0; ${waits}`;
  const cutShort = async (run: string): Promise<void> => {
    await waitFor('the gate', 40_000, () => existsSync(path.join(flags, 'under-way')));
    expect((await tell('why', run)).stdout).toMatch(/verifying the completion claim of round 1/);
    expect(await ralph.ralph('cancel', run)).toMatchObject({ code: 0 });
    rmSync(path.join(flags, 'under-way'));
  };
  await story.detach('--gate', gate, '--protect', 'secret/**');
  await cutShort(id);
  expect(await ralph.ralph('resume', id, '--detach')).toMatchObject({ code: 0 });
  await cutShort(`${id}-2`);
  expect(story.agent.starts()).toHaveLength(1);
  expect(await show(`${id}-2`)).toMatchObject({ status: 'cancelled', rounds: [] });

  writeFileSync(path.join(flags, 'open'), '');
  expect(await ralph.ralph('resume', `${id}-2`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`gates of round 1 of ${id}: rejected the completion claim`)),
  });
  const prompts = story.agent.starts().map(({ prompt }) => prompt);
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toMatch(/The engine checked this and rejected it\.[^]*a\.txt is not fixed/);
  expect(prompts[1]).toContain('claimed at once');
  expect(await show(`${id}-3`)).toMatchObject({ status: 'complete', rounds: [{ round: 1, status: 'complete' }] });
});

test('where the user has something to say a worker comes first, and is told how far the check came', async () => {
  const story = ralph.story([
    { files: { 'b.txt': 'b\n' }, report: done('made b.txt') },
    { files: { 'c.txt': 'c\n' }, report: done('made c.txt, too') },
  ]);
  const { id } = story;
  const judge = reviewer('breaks-too');
  const checked = ['--gate', 'test -f a.txt', ...judge.flags, '--report-attempts', '1'];
  expect(await ralph.ralph(...story.args, ...checked)).toMatchObject({ code: 13 });
  judge.mend();
  expect(await ralph.ralph('resume', id, '--note', 'And c.txt, please.')).toMatchObject({ code: 0 });
  const prompt = story.agent.starts()[1]?.prompt;
  expect(prompt).toContain('\n> And c.txt, please.\n');
  expect(prompt).toMatch(/No check rejected this[^]*made b\.txt[^]*gates passed, but the reviewer/);
  expect(existsSync(atStart(`${id}-2`).root)).toBe(false);
  expect(await show(`${id}-2`)).toMatchObject({ status: 'complete', rounds: [{ round: 1 }] });
});

test('a claim whose review a cancel cut short is checked by the next run', async () => {
  const flags = path.join(ralph.folder, 'review-flags');
  mkdirSync(flags);
  const story = ralph.story([{ files: { 'b.txt': 'b\n' }, report: done('made b.txt') }]);
  const accepts = `printf '%s' '{"decision":"accept","reasons":[]}' > "$RALPH_REPORT_FILE"`;
  const command = `echo reads; test -e '${flags}/open' || sleep 97; ${accepts}`;
  await story.detach('--reviewer-command', command, '--read', flags);
  const { transcript } = reviewPaths(story.paths, 1, 1);
  await waitFor('the review', 40_000, () => existsSync(transcript) && readFileSync(transcript, 'utf8') !== '');
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
  writeFileSync(path.join(flags, 'open'), '');
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 0 });
  expect(await show(`${story.id}-2`)).toMatchObject({ status: 'complete', rounds: [] });
  expect(story.agent.starts()).toHaveLength(1);
});

test('a claim whose gates run in place is not checked without the place: a worker comes first', async () => {
  const story = ralph.story([
    { files: { 'b.txt': 'b\n' }, report: done('made b.txt') },
    { files: { 'c.txt': 'c\n' }, report: done('made c.txt') },
  ]);
  const flag = path.join(ralph.folder, 'in-place');
  const gate = `test -e '${story.agent.folder}/start-1.json' || exit 0; test -e '${flag}' || sleep 97`;
  await story.detach('--gate', gate, '--gate-in-place');
  const { transcript } = checkPaths(story.paths, 1, 1).step(1);
  await waitFor('the gate', 40_000, () => existsSync(transcript));
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
  writeFileSync(flag, '');
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 0 });
  expect(story.agent.starts()).toHaveLength(2);
});
