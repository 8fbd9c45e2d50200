import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { rollBack } from '../../workspaces/rollback/roll-back.ts';
import {
  publish,
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userRepository,
} from './user-repository.ts';
import { threeRounds } from './three-rounds.ts';

const OWNER = 12345;
const isRoot = process.getuid?.() === 0;

const kept = { ...process.env };
afterEach(() => {
  for (const name of ['GIT_CONFIG_GLOBAL', 'SUDO_UID', 'PATH']) {
    const value = kept[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
afterAll(removeTemporaryFolders);

/** Let the user's configuration say which folders are safe. */
function configure(...directories: string[]): void {
  const file = join(temporaryFolder(), 'config');
  writeFileSync(file, `[safe]\n${directories.map((directory) => `\tdirectory = "${directory}"\n`).join('')}`);
  process.env['GIT_CONFIG_GLOBAL'] = file;
}

/** A repository of another user's where this one is root; else of this one's own, which nobody can give away. */
function theirs(): string {
  const folder = userRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  if (isRoot) shell(folder, `chown -R ${OWNER}:${OWNER} .`);
  return folder;
}

const inspected = (path: string): Promise<unknown> =>
  inspectRepository({ path, ref: 'HEAD' }).then(
    () => 'taken',
    (error: { code: string; message: string }) => ({ code: error.code, way: /git config .*/.exec(error.message)?.[0] }),
  );

const rejectedAt = (folder: string) =>
  isRoot ? { code: 'repository-not-yours', way: `git config --global --add safe.directory ${folder}` } : 'taken';

test('the repository of another user is rejected as git rejects it, with the way to allow it', async () => {
  configure();
  const folder = theirs();
  const rejected = rejectedAt(folder);
  expect(await inspected(folder)).toEqual(rejected);
  for (const [directories, expected] of [
    [[folder], 'taken'],
    [['*'], 'taken'],
    [[join(folder, '..', '*')], 'taken'],
    [['/elsewhere'], rejected],
    [[folder, ''], rejected],
    [['', folder], 'taken'],
  ] as const) {
    configure(...directories);
    expect({ directories, said: await inspected(folder) }).toEqual({ directories, said: expected });
  }
});

test("what a repository's own configuration says is safe does not count", async () => {
  configure();
  const folder = theirs();
  shell(folder, 'git config --file .git/config safe.directory "*"');
  expect(await inspected(folder)).toEqual(rejectedAt(folder));
});

test('a working tree of one user with the repository of another is rejected', async () => {
  configure();
  const folder = userRepository({ 'a.txt': 'one\n' });
  if (isRoot) shell(folder, `chown -R ${OWNER}:${OWNER} .git`);
  expect(await inspected(folder)).toEqual(rejectedAt(folder));
});

test('sudo may work in the repository of the user who called it', async () => {
  configure();
  const folder = theirs();
  process.env['SUDO_UID'] = String(OWNER);
  expect(await inspected(folder)).toBe('taken');
});

/** Files of a repository that are not its owner's. */
const foreign = (folder: string): string => (isRoot ? shell(folder, `find . ! -uid ${OWNER} -o ! -gid ${OWNER}`) : '');

test("whatever a run writes into another user's repository belongs to its owner", async () => {
  const { run, folder, commits } = await threeRounds();
  if (isRoot) shell(folder, `chown -R ${OWNER}:${OWNER} .`);
  shell(folder, 'git config --file .git/config core.logAllRefUpdates always; rm -rf .git/logs');
  if (isRoot) shell(folder, `chown ${OWNER}:${OWNER} .git/config`);
  const few = await run.round('echo x > x.txt; git tag theirs');
  const many = await run.round('for n in $(seq 200); do echo $n > f-$n; done');
  for (const { commit } of [few, many]) {
    expect((await publish({ ...run, commit })).ref).toBe('refs/heads/ralph/mend');
    expect(foreign(folder)).toBe('');
  }
  expect(await rollBack({ ...run, to: 1 })).toMatchObject({ commit: commits[1], ref: 'refs/heads/ralph/mend' });
  expect(foreign(folder)).toBe('');
  shell(folder, 'test -s .git/logs/refs/heads/ralph/mend; git -c safe.directory="*" fsck --strict');
});

/** Put a git on the PATH that notes which user it runs as, and for which command, in the repository at `gitDir`. */
function noteUsers(gitDir: string): () => string[] {
  const folder = temporaryFolder();
  const notes = join(folder, 'notes');
  writeFileSync(notes, '');
  chmodSync(notes, 0o666);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const program = `#!/bin/bash
if [ "$GIT_DIR" = "${gitDir}" ]; then
  for word; do
    case "$word" in for-each-ref|config|update-ref|index-pack|unpack-objects) echo "$(id -u) $word" >> ${notes};; esac
  done
fi
exec ${real} "$@"
`;
  writeFileSync(join(folder, 'git'), program, { mode: 0o755 });
  process.env['PATH'] = `${folder}:${process.env['PATH'] ?? ''}`;
  return () => readFileSync(notes, 'utf8').trim().split('\n');
}

test("git reads and writes another user's repository as its owner", async () => {
  const { run, folder, commits } = await threeRounds();
  // Its refs are to be read by git, and it may define hooks.
  const config = join(folder, '.git', 'config');
  writeFileSync(config, `${readFileSync(config, 'utf8')}# refStorage: files\n[hook "one"]\n\tcommand = true\n`);
  if (isRoot) shell(folder, `chown -R ${OWNER}:${OWNER} .`);
  const { commit } = await run.round('echo x > x.txt');
  const notes = noteUsers(join(folder, '.git'));
  expect((await publish({ ...run, commit })).ref).toBe('refs/heads/ralph/mend');
  expect(await rollBack({ ...run, to: 1 })).toMatchObject({ commit: commits[1], ref: 'refs/heads/ralph/mend' });
  const user = isRoot ? OWNER : process.getuid?.();
  const expected = ['for-each-ref', 'config', 'update-ref'].map((command) => `${user} ${command}`);
  expect(notes()).toEqual(expect.arrayContaining(expected));
  expect(notes().filter((note) => !note.startsWith(`${user} `))).toEqual([]);
});

test('a folder that the owner of a mounted repository cannot pass is no obstacle', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  const above = join(temporaryFolder(), 'above');
  mkdirSync(above, { mode: 0o700 });
  const mounted = join(above, 'mounted');
  renameSync(folder, mounted);
  mkdirSync(folder);
  if (isRoot) shell(mounted, `chown -R ${OWNER}:${OWNER} .`);
  configure(mounted);
  const run = await startRun(mounted);
  const done = await run.round('echo x > x.txt');
  expect((await publish({ ...run, commit: done.commit })).ref).toBe('refs/heads/ralph/mend');
  expect(foreign(mounted)).toBe('');
});
