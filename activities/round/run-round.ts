import { writeFile } from 'node:fs/promises';
import { reportContract } from '../../agents/output/output-contract.ts';
import { buildPrompt } from '../../agents/prompts/prompt.ts';
import { providerOf } from '../../agents/registry.ts';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { StepInput } from '../../schemas/loop/loop-input.ts';
import type { Interruption } from '../../schemas/round/fault.ts';
import { Reading } from '../../schemas/round/reading.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { AttemptOutcome, RoundResult, type Checkpoint, type FinishedAttempt } from '../../schemas/round/round.ts';
import type { RoundProgress } from '../../schemas/round/round-progress.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { agentTitle, type RunRequest } from '../../schemas/run/run.ts';
import { messageOf } from '../../system/error-code.ts';
import { finishedAttempt, noteAgent, recordAttempt } from '../../workspaces/records/attempts.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { repairLedger } from '../../workspaces/records/ledger.ts';
import { lostAttempts } from '../../workspaces/records/lost-steps.ts';
import { attemptPaths, runPaths, type RunPaths, type StepPaths } from '../../workspaces/records/run-paths.ts';
import { attemptsAt, openStep } from '../../workspaces/records/steps.ts';
import { treeState } from '../../workspaces/round/tree-state.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { nothingStarted } from '../step/disposal.ts';
import { durableStep, type BegunStep } from '../step/durable-step.ts';
import { faultOfError, roomFault, unproved } from '../step/faults.ts';
import { roundInput, type RoundInput } from '../step/inputs.ts';
import { disposalCause } from '../step/interruption.ts';
import { redacted, type Machine } from '../step/machine.ts';
import { makeActivity, throwAll, type Work } from '../step/make-activity.ts';
import type { TakeTurn } from '../step/one-at-a-time.ts';
import { runAgentStep } from '../step/run-agent-step.ts';
import { saveWork } from './save-work.ts';
import { head, inWords, notBegun, nothingUsed, ofKeptTree, verdictOf, type Named, type Verdict } from './verdict.ts';

/** One attempt at a round by a fresh agent: fence, lease, prompt, agent, disposal, report, checkpoint, record. */
export const runRoundActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof StepInput, RoundResult, RoundProgress>(machine, takeTurn, {
    input: StepInput,
    output: RoundResult,
    hold: 'live',
    work: runRound,
    answer: throwAll,
  });

type RoundWork = Omit<Work<StepInput, RoundProgress>, 'input'> & { readonly input: RoundInput };

/** One attempt, as its outcome names it. */
interface Frame extends Named {
  readonly redactor: Redactor;
  readonly run: RunPaths;
  readonly request: RunRequest;
  /** Asked if the attempt was ended from outside, once everything is disposed of: by whom. */
  readonly confirmed: () => Promise<Interruption>;
}

type InterruptedAttempt = Extract<AttemptOutcome, { kind: 'interrupted' }>;

async function runRound(given: Work<StepInput, RoundProgress>): Promise<RoundResult> {
  const input = roundInput(given.input);
  const { request, round, afterAttempt } = input;
  const run = runPaths(given.machine.ralphHome, request.runId);
  const known = { round, afterAttempt };
  await repairLedger(run);
  return await durableStep({
    given,
    run,
    attempts: known,
    numbers: () => attemptsAt(run, round),
    after: afterAttempt,
    finished: () => finishedAttempt(run, known),
    lost: async () => {
      const attempts = await lostAttempts(run, known);
      return attempts.length === 0 ? null : ({ kind: 'lost', round, attempts } as const);
    },
    begin: (named) => beginAttempt({ ...given, input }, { run, ...named }),
  });
}

function beginAttempt(
  work: RoundWork,
  { run, number: attempt, startedAt }: { run: RunPaths; number: number; startedAt: string },
): BegunStep<FinishedAttempt, InterruptedAttempt> {
  const { machine, input, turn } = work;
  const { redactor } = machine;
  const { request, round, counters } = input;
  const agent = agentTitle(actingAgent(input));
  const frame: Frame = { redactor, run, request, round, attempt, startedAt, agent, confirmed: turn.confirmed };
  const begun = { round, attempt, phase: 'fencing', startedAt, activity: null, tokens: null, counters } as const;
  const show = (more: Partial<RoundProgress>): void => work.show({ ...begun, ...more });
  show({});
  return {
    failed: (why) => notBegun(frame, why),
    work: async () => {
      const record = await makeAttempt({ ...work, show }, frame);
      return redacted({ redactor, schema: AttemptOutcome, record });
    },
    record: (outcome) => recordAttempt(run, outcome),
    unrecorded: (ended, fault) => {
      if (ended.kind === 'failed') return ended;
      const { report: _report, finalText: _finalText, ...rest } = ended;
      return { ...rest, kind: 'failed', fault };
    },
  };
}

/** Who makes an attempt: the run's own agent, or the one that stands in for it. */
function actingAgent({ request, fallback }: RoundInput): AgentSpec {
  return fallback && request.fallbackAgent !== null ? request.fallbackAgent : request.agent;
}

/** From the lease and the prompt to the outcome. Throws only if the workspace cannot be kept. */
async function makeAttempt(
  { machine, input, turn, show }: Omit<RoundWork, 'show'> & { show: (progress: Partial<RoundProgress>) => void },
  frame: Frame,
): Promise<AttemptOutcome> {
  const { request, round, maxRounds, allowance } = input;
  const { run, attempt } = frame;
  const agent = actingAgent(input);

  // Lease: from here on the tree is this attempt's.
  const paths = openStep(attemptPaths(run, round, attempt));
  if (agent !== request.agent) await noteAgent(paths, agent);
  await beginRound({ paths: run, round, attempt });

  await writePrompt(paths, { input, agent });

  show({ phase: 'agent' });
  let ran: AgentRun;
  try {
    ran = await runAgentStep({
      machine,
      run,
      place: run,
      paths,
      request,
      round,
      maxRounds,
      spec: agent,
      output: reportContract,
      sandbox: request.sandbox,
      allowance,
      turn,
      onProgress: ({ activity, usage }) => show({ phase: 'agent', activity, tokens: tokensUsed(usage) }),
    });
  } catch (error) {
    const verdict: Verdict = turn.signal.aborted
      ? { kind: 'interrupted', by: await turn.confirmed() }
      : { kind: 'failed', fault: faultOfError(error, 'agent-unavailable') };
    const receipt = nothingStarted();
    return { ...nothingUsed(frame, receipt), ...(await withWorkSaved(frame, { verdict, receipt, notes: [] })) };
  }

  show({ phase: 'checkpointing' });
  return await outcomeOf({ ...frame, ran });
}

async function writePrompt(
  { prompt }: StepPaths,
  { input, agent }: { input: RoundInput; agent: AgentSpec },
): Promise<void> {
  const { request, round, maxRounds, handoff, handoffSource, userNotes, whyRejected } = input;
  const text = buildPrompt({
    objective: request.objective,
    round,
    maxRounds,
    handoff,
    handoffSource,
    userNotes,
    whyRejected,
    gates: request.gates.map(({ command }) => command),
    protect: request.gatePolicy.protect,
    howToSubmit: providerOf(agent).howToSubmit(reportContract),
    maxHandoffChars: request.limits.maxHandoffChars,
    roundTimeoutMs: request.limits.roundTimeoutMs,
  });
  await writeFile(prompt, text, { mode: 0o600 });
}

/** What an agent's run amounts to, with its work committed. Work that may still change is not committed. */
export async function outcomeOf({ ran, ...frame }: Frame & { ran: AgentRun }): Promise<AttemptOutcome> {
  const { request } = frame;
  const by = ran.ended === 'aborted' ? await frame.confirmed() : null;
  const receipt = by === null ? ran.receipt : { ...ran.receipt, cause: disposalCause(by) };
  const sandbox = { ...request.sandbox, mechanism: receipt.mechanism };
  const used = { agentMs: ran.agentMs, ...ran.use, agent: frame.agent, agentVersion: ran.version, sandbox };
  const common = { ...head(frame), ...used, checkpoint: null, receipt };
  if (receipt.proof === 'unproved') {
    // Whoever ended it from outside did not ask for the run's end: the next one to come disposes of it again.
    if (by !== null) return { kind: 'interrupted', by, ...common };
    return { kind: 'failed', fault: unproved(receipt), ...common };
  }
  const verdict = ofKeptTree(verdictOf(ran, request.limits, by), await treeState(frame.run));
  if (verdict.kind !== 'interrupted')
    await keepReading(frame, { attempt: { ...verdict, ...common }, notes: ran.notes });
  return { ...used, ...(await withWorkSaved(frame, { verdict, receipt, notes: ran.notes })) };
}

/** Write down what an agent came to before its work is committed. If the disk has no room, the commit decides. */
async function keepReading(
  { redactor, run, round, attempt }: Frame,
  reading: { attempt: FinishedAttempt; notes: readonly string[] },
): Promise<void> {
  try {
    const { reading: file } = attemptPaths(run, round, attempt);
    const kept: Reading = { attempt: reading.attempt, notes: [...reading.notes] };
    await writeJsonAtomically(file, redacted({ redactor, schema: Reading, record: kept }));
  } catch (error) {
    if (roomFault(error) === null) throw error;
  }
}

/** Commit the work. If that is not possible it is what the attempt failed of; the work stays in the tree. */
async function withWorkSaved<V extends Verdict>(
  frame: Frame,
  { verdict, receipt, notes }: { verdict: V; receipt: Receipt; notes: readonly string[] },
) {
  let checkpoint: Checkpoint;
  try {
    checkpoint = await saveWork({ ...frame, ...inWords(verdict), notes });
  } catch (error) {
    const message = `the round's work could not be committed: ${messageOf(error)}`;
    const fault = roomFault(error) ?? ({ code: 'workspace-broken', message, resetAt: null } as const);
    const failed = verdict.kind === 'interrupted' ? verdict : ({ kind: 'failed', fault } as const);
    return { ...failed, ...head(frame), checkpoint: null, receipt };
  }
  return { ...verdict, ...head(frame), checkpoint, receipt: { ...receipt, commit: checkpoint.commit } };
}
