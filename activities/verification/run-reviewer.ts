import { baseEnvironment } from '../../agents/containment/bubblewrap/base-environment.ts';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import { reviewContract } from '../../agents/output/output-contract.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { checkAgent, providerOf } from '../../agents/registry.ts';
import { runAgent, type AgentRun } from '../../agents/run/run-agent.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { ReviewInput } from '../../schemas/verification/review.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import type { AttemptPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { disposalCause } from '../step/interruption.ts';
import type { Machine } from '../step/machine.ts';
import { cleanCheckout, mountsOf } from '../step/mounts.ts';
import type { Turn } from '../step/one-at-a-time.ts';
import { readInboxFile } from '../step/read-inbox-file.ts';
import { redactedRun } from '../step/redacted.ts';

/**
 * Run a reviewer in the clean checkout that is there, with the prompt that is written. Throws RalphError where it cannot
 * be started.
 */
export async function runReviewer({
  machine,
  run,
  input,
  spec,
  sandbox,
  paths,
  turn,
  show,
}: {
  machine: Machine;
  run: RunPaths;
  input: ReviewInput;
  spec: AgentSpec;
  sandbox: Sandbox;
  paths: AttemptPaths;
  turn: Turn;
  show: (progress: { activity: string | null; usage: Usage | null }) => void;
}): Promise<AgentRun> {
  const { redactor, workerEnv } = machine;
  const { request, round, allowance } = input;
  const { limits } = request;
  const provider = providerOf(spec);
  checkAgent(spec);
  const place = cleanCheckout(run);
  const mounts = mountsOf({ machine, run, place, paths, sandbox });
  const ran = await runAgent({
    provider,
    containment: await chooseContainment({ sandbox }),
    context: {
      spec,
      runId: request.runId,
      round,
      maxRounds: limits.maxRounds,
      output: reviewContract,
      tree: place.tree,
      home: paths.home,
      inbox: paths.inbox,
      workerEnv,
      readInboxFile: (file, maxBytes) => readInboxFile({ file, root: paths.inbox, maxBytes }),
    },
    sandbox,
    mounts,
    baseEnv: baseEnvironment({ mounts, workerEnv }),
    files: { prompt: paths.prompt, transcript: paths.transcript, stderr: paths.stderr, fence: paths.fence },
    limits,
    allowance,
    prices: await readPrices(machine.ralphHome),
    signal: turn.signal,
    cancelCause: () => disposalCause(turn.interruption()),
    redactor,
    onProgress: show,
  });
  return redactedRun(ran, redactor);
}
