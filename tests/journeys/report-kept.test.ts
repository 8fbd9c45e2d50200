import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const shims = path.join(process.cwd(), '.cache', 'tests', `slow-git-${process.pid}`);
const ralph = place('report-kept', { heartbeatTimeoutMs: 120_000 }, { PATH: `${shims}:${process.env['PATH'] ?? ''}` });
const held = path.join(shims, 'held');
const arrived = path.join(shims, 'arrived');

/** git that takes its time to write a tree while the file `held` is there. */
beforeAll(() => {
  mkdirSync(shims, { recursive: true });
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const wait = `: > '${arrived}'; while [ -e '${held}' ]; do sleep 0.05; done`;
  const program = `#!/bin/sh\ncase " $* " in *' write-tree '*) ${wait};; esac\nexec '${git}' "$@"\n`;
  writeFileSync(path.join(shims, 'git'), program);
  chmodSync(path.join(shims, 'git'), 0o755);
});
ralph.atEnd(() => rmSync(shims, { recursive: true }));

test('a report that was handed in outlives the worker that is killed while it commits the work', async () => {
  const story = ralph.story([
    { files: { 'one.txt': '1' }, report: goOn('first') },
    { files: { 'two.txt': '2' }, report: done('second') },
  ]);
  writeFileSync(held, '');
  await story.detach();
  await waitFor('the checkpoint', 40_000, () => existsSync(arrived));
  await waitFor('word of it', 20_000, async () =>
    (await ralph.ralph('show', story.id)).stdout.includes('committing the work'),
  );
  await ralph.killWorker();
  rmSync(held);

  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 complete']);
  expect(story.agent.started(3)).toBe(false);
  const log = story.repository.git('log', '--format=%s', `ralph/${story.id}`).split('\n');
  expect(log.slice(0, 2)).toEqual([`Round 2 of ${story.id}: second`, `Round 1 of ${story.id}: first`]);
});
