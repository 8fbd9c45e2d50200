import { existsSync } from 'node:fs';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { stepInput } from '../support/step-input.ts';
import { removeTemporaryFolders, requestFor, startRun, userRepository } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

/** Leaves a file in its package cache and its temp folder, and reports where that is and what was in the cache. */
const LOOKING = `cat >/dev/null; mkdir -p "$npm_config_cache"; found=$(ls "$npm_config_cache")
: > "$npm_config_cache/kept"; : > "$TMPDIR/left"
printf '{"status":"continue","summary":"%s %s","evidence":[],"nextSteps":["go on"],"blocker":""}' \\
  "$TMPDIR" "\${found:-nothing}" > "$RALPH_REPORT_FILE"`;

/** The temp folder of a round, and what its package cache held. */
async function look(ralphHome: string, request: RunRequest, round: number): Promise<readonly [string, string]> {
  const agent = { provider: 'command', command: LOOKING, model: null } as const;
  const looking: RunRequest = { ...request, agent, sandbox: { level: 'full-access', network: true, readable: [] } };
  const { runRound } = createActivities({ ralphHome, workerEnv: process.env, redactor: new Redactor() });
  const input = stepInput(looking, { rounds: round - 1 });
  const attempt = FinishedAttempt.parse(await new MockActivityEnvironment().run(runRound, input));
  if (attempt.kind !== 'reported') throw new Error(attempt.fault.message);
  const [temp = '', found = ''] = attempt.report.summary.split(' ');
  return [temp, found];
}

test('package caches last from round to round and are no other run’s; the temp folder at full-access goes with its round', async () => {
  const repository = userRepository({ 'a.txt': 'a\n' });
  const { paths, request } = await startRun(repository);
  const other = await requestFor(repository, 'other');
  await createWorkspace({ paths: runPaths(paths.ralphHome, 'other'), request: other });
  const rounds = [
    await look(paths.ralphHome, request, 1),
    await look(paths.ralphHome, request, 2),
    await look(paths.ralphHome, other, 1),
  ];
  expect(rounds.map(([, found]) => found)).toEqual(['nothing', 'kept', 'nothing']);
  const temps = rounds.map(([temp]) => temp);
  expect(new Set(temps).size).toBe(3);
  for (const temp of temps) expect(temp).toMatch(/\/ralph-tmp-/);
  expect(temps.filter((temp) => existsSync(temp))).toEqual([]);
});
