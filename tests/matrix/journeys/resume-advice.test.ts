import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkpoints, reader, work } from '../../support/chain.ts';
import { place, said } from '../../support/place.ts';

const ralph = place('resume-advice');
const { page, tell } = reader(ralph);

/** The `ralph resume` that a text names. */
function resumeIn(text: string): string[] {
  const [command] = /ralph resume [^`\n]*?(?= {2}|`|$)/m.exec(text) ?? [];
  if (command === undefined) throw new Error(`no resume in ${text}`);
  return command.split(' ').slice(1);
}

test('every command names the same resume of a chain that was rolled back, and it is accepted; the merge that why names brings work beside a checked-out branch in', async () => {
  const { id, args, repository } = ralph.story([work('1'), work('2'), work('3'), work('4')]);
  const next = `${id}-2`;
  expect(await ralph.ralph(...args, '--max-rounds', '2')).toMatchObject({ code: 11 });
  expect(await ralph.ralph('resume', id, '--max-rounds', '1')).toMatchObject({ code: 11 });
  expect(await tell('rollback', next, '--to', '0')).toMatchObject({ code: 0 });
  const back = await tell('rollback', id, '--to', '1');
  const named = [
    back.stdout,
    (await tell('why', id)).stdout,
    (await tell('why', next)).stdout,
    said(await tell('resume', next)),
    said(await tell('resume', id)),
    said(await tell('stop', id)),
    said(await tell('budget', next, '--add-rounds', '3')),
  ];
  expect(said(await tell('resume', id))).toContain('rounds budget');
  const offered = named.filter((text) => text.includes('ralph resume')).map(resumeIn);
  expect(offered).toHaveLength(named.length - 1);
  expect(new Set(offered.map((words) => words.join(' ')))).toEqual(new Set([`resume ${id} --max-rounds 3`]));

  repository.git('checkout', '--quiet', `ralph/${id}`);
  expect(await ralph.ralph(...(offered[0] ?? []))).toMatchObject({ code: 11 });
  const { stdout } = await tell('why', `${id}-3`);
  expect(stdout).toContain(`Branch ralph/${id} is checked out in ${repository.path}`);
  const [merge = ''] = /git merge \S+/.exec(stdout) ?? [];
  repository.git(...merge.split(' ').slice(1));
  expect(checkpoints(repository, 'HEAD')[0]).toMatch(`${id}-3 `);
});

test('a run that ended before its first round is the last of its chain, until it is rolled back to its beginning', async () => {
  const { id, args } = ralph.story([work('1'), work('2'), work('3'), work('4'), work('5')]);
  const next = `${id}-2`;
  const hold = path.join(ralph.folder, 'hold');
  expect(await ralph.ralph(...args, '--max-rounds', '2', '--setup', `test ! -e ${hold} || sleep 60`)).toMatchObject({
    code: 11,
  });
  writeFileSync(hold, '');
  expect(await ralph.ralph('resume', id, '--max-rounds', '1', '--detach')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('cancel', next)).toMatchObject({ code: 0 });
  rmSync(hold);
  expect(await page(next)).toContain('It ended before its first round.');
  expect(said(await tell('rollback', id, '--to', '1'))).toContain(`\`ralph rollback ${next} --to 0\``);
  expect(resumeIn((await tell('why', next)).stdout)).toEqual(['resume', next]);
  expect(await tell('rollback', next, '--to', '0')).toMatchObject({ code: 0 });
  expect(await tell('rollback', id, '--to', '1')).toMatchObject({ code: 0 });
  const offered = resumeIn((await tell('why', id)).stdout);
  expect(resumeIn((await tell('why', next)).stdout)).toEqual(offered);
  expect(await ralph.ralph(...offered)).toMatchObject({ code: 11 });
});

test('a command that the sandbox hides is named, with what opens it, and no resume that can only fail', async () => {
  const folder = mkdtempSync(path.join(homedir(), 'resume-advice-'));
  try {
    const script = path.join(folder, 'agent.mjs');
    writeFileSync(script, '');
    const { id, repository } = ralph.story([]);
    const where = ['--repo', repository.path, '--id', id, '--round-attempts', '1'];
    const ended = await ralph.ralph('run', 'Reach it.', ...where, '--command', `node ${script}`);
    const why = await tell('why', id);
    for (const text of [ended.stdout, why.stdout]) {
      expect(text).toContain(`--read ${script}`);
      expect(text).toContain('Start a new run instead');
      expect(text).not.toContain('ralph resume');
    }
    expect(why.stdout).toContain(`ralph log ${id} --round 1`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
