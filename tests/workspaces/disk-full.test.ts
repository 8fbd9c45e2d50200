import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { buildWorkspaces } from './build-workspaces.ts';
import { removeTemporaryFolders, requestFor, temporaryFolder, userRepository } from './user-repository.ts';

const build = buildWorkspaces();
afterAll(() => {
  build.remove();
  removeTemporaryFolders();
});

/** In a mount namespace of its own with RALPH_HOME on a file system of 3 MB. Each `phase` prints a line of JSON. */
const SCRIPT = `
  mount -t tmpfs -o size=3m none "$HOME_FOLDER"
  phase() { "$NODE" tests/fixtures/workspaces/phase.mjs "$BUILD" "$1" "$STATE"; echo; }
  fill() { head -c 10m /dev/zero > "$HOME_FOLDER/filler" 2>/dev/null || true; }
  phase createWorkspace
  fill; phase beginRound; rm "$HOME_FOLDER/filler"
  phase beginRound
  head -c 100k /dev/urandom > "$TREE/work.bin"
  fill; phase checkpoint; rm "$HOME_FOLDER/filler"
  phase checkpoint
`;

test('a full disk is named as the cause, and the run goes on once there is room', async () => {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const request = await requestFor(userRepository({ 'a.txt': 'one\n' }), 'mend');
  const paths = runPaths(home, 'mend');
  const state = join(root, 'state.json');
  mkdirSync(home);
  writeFileSync(state, JSON.stringify({ paths, request, round: 1, attempt: 1, status: 'continue', summary: 'x' }));
  const env = {
    ...process.env,
    HOME_FOLDER: home,
    TREE: paths.tree,
    STATE: state,
    BUILD: build.folder,
    NODE: process.execPath,
  };
  const output = execFileSync('bash', ['--norc', '-c', 'exec unshare -rm bash --norc -euc "$0"', SCRIPT], {
    env,
    encoding: 'utf8',
  });
  const results: unknown[] = output
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row).result);
  const full = { error: 'disk-full', message: expect.stringContaining('No space is left on the disk') };
  expect(results).toEqual([
    expect.objectContaining({ ref: 'refs/heads/ralph/mend' }),
    full,
    { base: request.repository.commit },
    full,
    expect.objectContaining({
      checkpoint: expect.objectContaining({ changes: { files: 1, insertions: 0, deletions: 0 }, notes: [] }),
    }),
  ]);
});
