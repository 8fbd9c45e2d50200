import { execFileSync } from 'node:child_process';
import { ralph as run } from '../cli/support/ralph.ts';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = place('read-only-repository');

/** Start what follows where the repository is mounted read-only: the worker that it starts sees it so, too. */
const SCRIPT = 'mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; exec "$@"';

test('a repository that cannot be written to: `run` says so at its start, and its end where the commits are', async () => {
  const story = ralph.story([{ files: { 'one.txt': '1' }, report: done('all') }]);
  const under = ['unshare', '-rm', 'sh', '-euc', SCRIPT, story.repository.path];
  const { code, stdout, stderr } = await run(story.args, { home: ralph.home, under });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/\(EROFS: .*will not be in it/) });
  expect(stdout).not.toContain('git merge');
  const fetch = /To get them, run `(git fetch .* checkpoint)` in a repository that you can write to\./;
  const [, taken = ''] = fetch.exec(stdout) ?? [];
  story.repository.git('config', 'gc.auto', '0');
  execFileSync('sh', ['-c', `${taken}:fetched`], { cwd: story.repository.path, stdio: 'pipe' });
  expect(story.repository.git('show', 'fetched:one.txt')).toBe('1');
});
