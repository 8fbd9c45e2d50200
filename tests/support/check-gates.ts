import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { CheckProgress } from '../../schemas/verification/check-progress.ts';
import type { GateInput } from '../../schemas/verification/gate-input.ts';
import { strictGates, type GatePolicy } from '../../schemas/verification/gate.ts';
import { GatesResult } from '../../schemas/verification/lost-checks.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { TestRun } from '../workspaces/user-repository.ts';

/** One run of the gates, by the activity itself. */
export async function checkGates(
  run: TestRun,
  asked: Partial<GateInput> & { gates: readonly string[]; setup?: string; policy?: Partial<GatePolicy> },
) {
  const { gates, setup, policy, ...more } = asked;
  const request: RunRequest = {
    ...run.request,
    setup: setup ?? null,
    gatePolicy: { ...strictGates, ...policy },
    gates: gates.map((command) => ({ command, timeoutMs: 20_000 })),
  };
  const redactor = new Redactor();
  redactor.learn([{ name: 'A_KEY', value: 'correct-horse-battery' }]);
  const { ralphHome } = run.paths;
  const { runGates } = createActivities({ ralphHome, workerEnv: process.env, redactor });
  const environment = new MockActivityEnvironment();
  const beats: CheckProgress[] = [];
  environment.on('heartbeat', (beat) => beat !== null && beats.push(CheckProgress.parse(beat)));
  const input: GateInput = {
    request,
    round: 1,
    afterCheck: 0,
    commit: run.request.repository.commit,
    baseline: null,
    ...more,
  };
  const result = GatesResult.parse(await environment.run(runGates, input));
  if (result.kind === 'lost') throw new Error(`lost: ${result.checks.map(({ check }) => check).join(', ')}`);
  return { done: result, beats };
}
