import { writeFile } from 'node:fs/promises';
import { baseEnvironment } from '../../agents/containment/bubblewrap/base-environment.ts';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import { reportContract } from '../../agents/output/output-contract.ts';
import { buildPrompt } from '../../agents/prompts/prompt.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { checkAgent, providerOf } from '../../agents/registry.ts';
import { runAgent, type AgentRun } from '../../agents/run/run-agent.ts';
import { tokensUsed } from '../../schemas/round/usage.ts';
import { handedOnOf } from '../../schemas/round/handed-on.ts';
import type { Interruption } from '../../schemas/round/fault.ts';
import type { RoundInput, RoundProgress } from '../../schemas/round/round-input.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { noteAgent } from '../../workspaces/records/attempt-agent.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import type { AttemptPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { actingAgent } from './acting-agent.ts';
import type { Machine } from '../step/machine.ts';
import { readInboxFile } from '../step/read-inbox-file.ts';
import { redactedRun } from '../step/redacted.ts';
import { disposalCause } from '../step/interruption.ts';
import { mountsOf } from '../step/mounts.ts';
import { outcomeOf, outcomeWithoutAgent } from './outcome.ts';
import type { Verdict } from './verdict.ts';
import { nothingStarted } from '../step/disposal.ts';
import { faultOfError } from '../step/fault-of-error.ts';
import { agentTitle } from '../../schemas/run/titles.ts';

/** One attempt, from a fresh `.git` and the prompt to its outcome. Throws only where the workspace cannot be kept. */
export async function attemptRound({
  machine,
  run,
  input,
  attempt,
  startedAt,
  paths,
  signal,
  interruption,
  confirmed,
  show,
}: {
  machine: Machine;
  run: RunPaths;
  input: RoundInput;
  attempt: number;
  startedAt: string;
  paths: AttemptPaths;
  signal: AbortSignal;
  /** Asked once the signal is aborted: by whom. */
  interruption: () => Interruption;
  confirmed: () => Promise<Interruption>;
  show: (progress: Pick<RoundProgress, 'phase'> & Partial<RoundProgress>) => void;
}): Promise<AttemptOutcome> {
  const { request, round, refusal, allowance } = input;
  const { limits, sandbox } = request;
  const agent = actingAgent(input);
  const maxRounds = input.maxRounds === null ? limits.maxRounds : input.maxRounds;
  const by = agentTitle(agent);
  const frame = { redactor: machine.redactor, run, request, round, attempt, startedAt, agent: by, confirmed };
  const provider = providerOf(agent);
  if (agent !== request.agent) await noteAgent(paths, agent);
  await beginRound({ paths: run, round, attempt });
  const prompt = buildPrompt({
    objective: request.objective,
    round,
    maxRounds,
    ...handedOnOf(input),
    refusal,
    gates: request.gates.map(({ command }) => command),
    protect: request.gatePolicy.protect,
    handIn: provider.handIn(reportContract),
    maxHandoffChars: limits.maxHandoffChars,
  });
  await writeFile(paths.prompt, prompt, { mode: 0o600 });

  show({ phase: 'agent' });
  const mounts = mountsOf({ machine, run, place: run, paths, sandbox });
  let ran: AgentRun;
  try {
    checkAgent(agent);
    ran = await runAgent({
      provider,
      containment: await chooseContainment({ sandbox }),
      context: {
        spec: agent,
        runId: request.runId,
        round,
        maxRounds,
        output: reportContract,
        tree: run.tree,
        home: paths.home,
        inbox: paths.inbox,
        workerEnv: machine.workerEnv,
        readInboxFile: (file, maxBytes) => readInboxFile({ file, root: paths.inbox, maxBytes }),
      },
      sandbox,
      mounts,
      baseEnv: baseEnvironment({ mounts, workerEnv: machine.workerEnv }),
      files: { prompt: paths.prompt, transcript: paths.transcript, stderr: paths.stderr, fence: paths.fence },
      limits,
      allowance,
      prices: await readPrices(machine.ralphHome),
      signal,
      cancelCause: () => disposalCause(interruption()),
      redactor: machine.redactor,
      onProgress: ({ activity, usage }) => {
        show({ phase: 'agent', activity, tokens: tokensUsed(usage) });
      },
    });
  } catch (error) {
    const verdict = notStarted(error, signal.aborted ? await confirmed() : null);
    return await outcomeWithoutAgent(frame, verdict, await nothingStarted(sandbox));
  }
  show({ phase: 'checkpointing' });
  return await outcomeOf({ ...frame, ran: redactedRun(ran, machine.redactor) });
}

/** Why no agent was started. A defect of ours is thrown on. @param by who ended the attempt before; null: nobody */
function notStarted(error: unknown, by: Interruption | null): Exclude<Verdict, { kind: 'reported' }> {
  return by === null
    ? { kind: 'failed', fault: faultOfError(error, 'agent-unavailable') }
    : { kind: 'interrupted', by };
}
