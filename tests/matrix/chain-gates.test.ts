import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { blocked, reader } from '../support/chain.ts';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = place('chain-gates');
const { show, tell } = reader(ralph);

test('a follow-up is told why a claim was rejected, and what an earlier run broke does not count as broken before', async () => {
  const story = ralph.story([
    { files: { 'a.txt': 'bad\n' }, report: done('claimed at once') },
    { files: { 'b.txt': 'b\n' }, report: done('claimed again') },
    { files: { 'a.txt': 'good\n' }, report: done('mended') },
  ]);
  const { id } = story;
  const gate = '! grep -q bad a.txt';
  const checked = ['--gate', gate, '--gate-baseline', 'allow-red'];
  expect(await ralph.ralph(...story.args, ...checked, '--max-rounds', '1')).toMatchObject({ code: 11 });
  expect(await ralph.ralph('resume', id, '--max-rounds', '3', '--note', 'Look at a.txt.')).toMatchObject({ code: 0 });
  const prompts = story.agent.starts().map(({ prompt }) => prompt);
  expect(prompts[1]).toMatch(
    /^> Look at a\.txt\.[^]*The engine checked this and rejected it[^]*Make the gate .*grep -q bad a\.txt/m,
  );
  expect(prompts[2]).toMatch(/Make the gate .*grep -q bad a\.txt/);
  expect(existsSync(join(runPaths(ralph.home, `${id}-2`).rounds, '0', 'gates-1'))).toBe(false);
  expect(await show(`${id}-2`)).toMatchObject({ status: 'complete', rounds: [{ round: 1 }, { round: 2 }] });
  expect((await tell('show', `${id}-2`)).stdout).toMatch(
    new RegExp(`^${id} +1 +rejected[^]*^${id}-2 +1 +rejected[^]*^${id}-2 +2 +complete`, 'm'),
  );
});

test('what an earlier run changed under --protect rejects the claim of its follow-up, until it is restored', async () => {
  const story = ralph.story([
    { files: { 'a.txt': 'easy' }, report: blocked('no key') },
    { files: { 'b.txt': 'b' }, report: done('claimed') },
    { files: { 'a.txt': 'a\n' }, report: done('given back') },
  ]);
  expect(await ralph.ralph(...story.args, '--protect', 'a.txt')).toMatchObject({ code: 10 });
  expect(await ralph.ralph('resume', story.id)).toMatchObject({ code: 0 });
  const { prompt } = story.agent.starts()[2] ?? {};
  expect(prompt).toMatch(/may not change them: a\.txt/);
  expect(await show(`${story.id}-2`)).toMatchObject({ rounds: [{ round: 1 }, { round: 2, status: 'complete' }] });
});

test('of two that resume one run at the same time one is turned away', async () => {
  const story = ralph.story([
    { report: { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'no key' } },
    { files: { 'a.txt': 'x\n' }, report: done('all there') },
  ]);
  const { id } = story;
  expect(await ralph.ralph(...story.args)).toMatchObject({ code: 10 });
  const both = await Promise.all([ralph.ralph('resume', id, '--detach'), ralph.ralph('resume', id, '--detach')]);
  expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['0', '2']);
  expect(both.find(({ code }) => code === 2)?.stderr).toContain(`was already continued as ${id}-2`);
  expect(await ralph.ralph('watch', `${id}-2`)).toMatchObject({ code: 0 });
  expect((await show(id)).continuedAs).toEqual([`${id}-2`]);
});
