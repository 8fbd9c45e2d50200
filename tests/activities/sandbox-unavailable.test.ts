import { MockActivityEnvironment } from '@temporalio/testing';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import { reporting } from '../cli/support/agents.ts';
import { pendingOf, stepInput } from '../support/step-input.ts';
import {
  removeTemporaryFolders,
  startRun,
  temporaryFolder,
  userRepository,
  type TestRun,
} from '../workspaces/user-repository.ts';

const searchPath = process.env.PATH;

beforeAll(() => {
  const programs = temporaryFolder();
  for (const name of ['git', 'perl', 'setpriv']) {
    const file = findOnPath(name, searchPath);
    if (file !== null) symlinkSync(file, join(programs, name));
  }
  process.env.PATH = programs;
});

afterAll(() => {
  process.env.PATH = searchPath;
  removeTemporaryFolders();
});

const agent = {
  provider: 'command',
  command: reporting({ status: 'complete', summary: 'Done.' }),
  model: null,
} as const;

const activitiesOf = ({ paths: { ralphHome } }: TestRun) =>
  createActivities({ ralphHome, workerEnv: process.env, redactor: new Redactor() });

const claimed = (request: RunRequest) =>
  stepInput(request, { rounds: 1, commit: request.repository.commit, pending: pendingOf(request.runId, 1) });

test.each([
  {
    what: 'an attempt',
    step: (run: TestRun, request: RunRequest) =>
      new MockActivityEnvironment().run(activitiesOf(run).runRound, stepInput(request)),
  },
  {
    what: 'a run of the gates',
    step: (run: TestRun, request: RunRequest) =>
      new MockActivityEnvironment().run(activitiesOf(run).runGates, claimed(request)),
  },
  {
    what: 'a review',
    step: (run: TestRun, request: RunRequest) =>
      new MockActivityEnvironment().run(activitiesOf(run).reviewClaim, claimed(request)),
  },
])('a sandbox that this machine cannot make is the same fault in every step: $what', async ({ step }) => {
  const run = await startRun(userRepository({ 'a.txt': 'a\n' }));
  const gates = [{ command: 'true', timeoutMs: 20_000 }];
  expect(await step(run, { ...run.request, agent, reviewer: agent, gates })).toMatchObject({
    kind: 'failed',
    fault: { code: 'workspace-broken', message: expect.stringContaining('no bwrap on PATH') },
  });
});
