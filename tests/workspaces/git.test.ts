import { join } from 'node:path';
import { engineGit } from '../../workspaces/git/git.ts';
import { removeTemporaryFolders, shell, temporaryFolder, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const gitDirOf = (repository: string): string => join(repository, '.git');

test('a git that hangs is killed with all that it started', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  shell(folder, 'rm .git/HEAD; mkfifo .git/HEAD');
  const hung = engineGit({ gitDir: gitDirOf(folder), args: ['rev-parse', 'HEAD'], timeoutMs: 300 });
  await expect(hung).rejects.toMatchObject({ code: 'git-timed-out' });
  expect(shell(folder, `grep -lsz "${folder}" /proc/[0-9]*/environ || true`)).toBe('');
});

test('a git that prints too much is killed', async () => {
  const folder = userRepository({ 'a.txt': 'x'.repeat(5_000_000) });
  const call = { gitDir: gitDirOf(folder), args: ['cat-file', 'blob', 'HEAD:a.txt'] };
  await expect(engineGit({ ...call, maxOutputBytes: 1000 })).rejects.toMatchObject({ code: 'git-output-too-large' });
  expect((await engineGit(call)).stdout).toHaveLength(5_000_000);
});

test('a missing git and a missing workspace are told apart', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  await expect(engineGit({ gitDir: '/nowhere', args: ['status'] })).rejects.toMatchObject({
    code: 'workspace-missing',
  });
  const path = process.env['PATH'];
  process.env['PATH'] = temporaryFolder();
  try {
    await expect(engineGit({ gitDir: gitDirOf(folder), args: ['status'] })).rejects.toMatchObject({
      code: 'git-missing',
    });
  } finally {
    process.env['PATH'] = path;
  }
});

test('an exit code that is no answer is an error with what git said', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  const call = { gitDir: gitDirOf(folder), args: ['rev-parse', '--verify', '--quiet', 'gone'] };
  await expect(engineGit(call)).rejects.toThrow('git rev-parse ended with 1');
  expect((await engineGit({ ...call, okCodes: [1] })).code).toBe(1);
});
