import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { buildWorkspaces } from './build-workspaces.ts';
import { phases, stageBefore } from './killed-phase.ts';
import { removeTemporaryFolders, shell, startRun, userGit, userRepository, commitWork } from './user-repository.ts';

const build = buildWorkspaces();
afterAll(() => {
  build.remove();
  removeTemporaryFolders();
});

/** The whole matrix is in tests/matrix/workspaces-killed.test.ts. */
const SAMPLES = 2;

test.each(phases)('%s killed on its way is made whole by calling it again', async (phase) => {
  const stage = await stageBefore(phase, build.folder);
  const steps = stage.run()?.steps ?? 0;
  expect(steps).toBeGreaterThan(SAMPLES);
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    stage.restore();
    expect(stage.run(Math.floor((steps * sample) / SAMPLES))).toBeNull();
    await stage.expectWhole(stage.run()?.result);
  }
});

test('a lock that a killed git left in the repository of the run does not end the run', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await run.round('echo x > x.txt');
  writeFileSync(join(run.paths.repository, 'refs/heads/checkpoint.lock'), '');
  writeFileSync(join(run.paths.repository, 'index.lock'), '');
  const done = await run.round('echo y > y.txt');
  expect(userGit(run.paths.repository, 'rev-parse', 'checkpoint')).toBe(done.commit);
});

test('work of an attempt that a later one superseded is refused', async () => {
  const { paths, request, round } = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await round('echo x > x.txt');
  await beginRound({ paths, round: 2, attempt: 2 });
  shell(paths.tree, 'echo "of attempt 2" > y.txt');
  const late = { paths, request, status: 'continue', summary: 'late' } as const;
  await expect(commitWork({ ...late, round: 2, attempt: 1 })).rejects.toMatchObject({ code: 'attempt-superseded' });
  await expect(beginRound({ paths, round: 2, attempt: 1 })).rejects.toMatchObject({ code: 'attempt-superseded' });
  await expect(commitWork({ ...late, round: 1, attempt: 1 })).resolves.toMatchObject({ changes: { files: 1 } });
  await expect(commitWork({ ...late, round: 2, attempt: 2 })).resolves.toMatchObject({ changes: { files: 1 } });
});
