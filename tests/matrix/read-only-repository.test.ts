import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = place('read-only-repository');

/** Start what follows where the repository is mounted read-only: the worker that it starts sees it so, too. */
const SCRIPT = 'mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; exec "$@"';

test('a repository that cannot be written to: `run` says so at its start, and its end where the commits are', () => {
  const story = ralph.story([{ files: { 'one.txt': '1' }, report: done('all') }]);
  const entry = path.join(process.cwd(), 'dist', 'cli', 'main.js');
  const command = [SCRIPT, story.repository.path, process.execPath, entry, ...story.args];
  const printed = execFileSync('sh', ['-c', 'exec unshare -rm sh -euc "$@" 2>&1', 'sh', ...command], {
    env: { ...process.env, RALPH_HOME: ralph.home },
    encoding: 'utf8',
  });
  expect(printed).toMatch(/note: The repository cannot be written to \(EROFS: .*will not be in it/);
  expect(printed).not.toContain('git merge');
  const fetch = /could not be written to: .*in a repository that can be written to, (git fetch .* checkpoint)$/m;
  const [, taken = ''] = fetch.exec(printed) ?? [];
  story.repository.git('config', 'gc.auto', '0');
  execFileSync('sh', ['-c', `${taken}:fetched`], { cwd: story.repository.path, stdio: 'pipe' });
  expect(story.repository.git('show', 'fetched:one.txt')).toBe('1');
}, 60_000);
