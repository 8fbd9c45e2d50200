import { checkpoints, reader, work } from '../support/chain.ts';
import { place, said } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = place('rollback');
const { page, show, tell } = reader(ralph);

test('after a rollback and a resume the history reads true, and nothing is unreachable', async () => {
  const story = ralph.story([work('1'), work('2'), work('3'), { files: { other: 'x' }, report: done('another way') }]);
  const { id, repository, paths } = story;
  expect(await ralph.ralph(...story.args, '--max-rounds', '3')).toMatchObject({ code: 11 });
  const before = await show(id);
  expect(said(await tell('rollback', id, '--to', '4'))).toMatch(/no checkpoint of round 4.*0, 1, 2, 3 /);
  const back = await tell('rollback', id, '--to', '1');
  const kept = `refs/ralph-abandoned/${id}/1`;
  expect(back).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/is back at round 1: .*rounds 2 to 3 are kept at/),
  });
  expect(back.stdout).toContain(kept);
  expect(await tell('rollback', id, '--to', '1')).toEqual(back);
  const after = await show(id);
  expect(after).toMatchObject({
    status: 'budget-limited',
    commit: before.rounds[0]?.commit,
    branch: `ralph/${id}`,
  });
  expect([after.rounds, after.rolledBack]).toEqual([before.rounds.slice(0, 1), before.rounds.slice(1)]);
  expect(await page(id)).toMatch(
    /^Rolled back +to round 1; rounds 2 to 3 are kept[^]*^Branch .* at \w+$[^]*^ +3 .*continue \(rolled back\)/m,
  );

  const why = await tell('why', id);
  expect(why.stdout).toMatch(/^ {2}Rounds: 3 of 3 \(2 of them rolled back; they still count as used\)$/m);
  expect(why.stdout).toContain('still to do: after 1');
  expect(why.stdout).not.toContain('after 3');
  for (const { stdout } of [back, why]) expect(stdout).toContain(`ralph resume ${id} --max-rounds 3`);
  expect(said(await tell('list'))).toMatch(new RegExp(`^${id} +budget-limited, rolled back +3/3, 2 rolled back `, 'm'));

  expect(await ralph.ralph('resume', id, '--max-rounds', '5')).toMatchObject({ code: 0 });
  expect(await show(id)).toMatchObject({ last: { runId: `${id}-2`, status: 'complete' } });
  const start = story.agent.starts()[3];
  expect(start?.files).toEqual(expect.not.arrayContaining(['2']));
  expect(start?.prompt).toContain('after 1');
  expect(start?.prompt).not.toContain('after 3');
  expect(checkpoints(repository, `ralph/${id}`)).toEqual([`${id}-2 1`, `${id} 1`]);
  expect(checkpoints(repository, kept)).toEqual([`${id} 3`, `${id} 2`, `${id} 1`]);
  expect(repository.git('fsck', '--unreachable', '--no-reflogs', '--no-progress')).toBe('');
  expect(repository.git('--git-dir', paths.repository, 'fsck', '--unreachable', '--no-reflogs', '--no-progress')).toBe(
    '',
  );
  expect(await page(`${id}-2`)).toMatch(new RegExp(`^${id} +2 .*\\(rolled back\\)[^]*^${id}-2 +1 +complete`, 'm'));

  expect(said(await tell('rollback', id, '--to', '0'))).toContain(`ralph rollback ${id}-2 --to 0`);
  expect(await tell('rollback', `${id}-2`, '--to', '0')).toMatchObject({ code: 0 });
  expect(await show(id)).toMatchObject({ continuedAs: [`${id}-2`], last: null });
  expect(await tell('rollback', id, '--to', '0')).toMatchObject({ code: 0 });
  expect(repository.git('rev-parse', `ralph/${id}`)).toBe(repository.commit);
  expect(repository.git('fsck', '--unreachable', '--no-reflogs', '--no-progress')).toBe('');
});
