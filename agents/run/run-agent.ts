import type { Redactor } from '../../redaction/redactor.ts';
import type { Allowance } from '../../schemas/budget/budget.ts';
import type { PriceTable } from '../../schemas/budget/prices.ts';
import type { DisposalCause, Receipt } from '../../schemas/round/receipt.ts';
import type { Limits } from '../../schemas/run/run.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import { AwakeTime } from '../../system/awake-time.ts';
import { awaitEnding, type Ending, Quiet } from './await-ending.ts';
import { OUTPUT_CAPS, readOutput } from '../output/agent-output.ts';
import type { CommandExit, Contained, Containment, Mounts } from '../containment/containment.ts';
import { passedEnvironment } from './environment.ts';
import { explainFault } from './explain-fault.ts';
import { programVersion } from './program-version.ts';
import { countedUse, type CountedUse, overspent, type Overspent } from '../usage/counted-use.ts';
import { copyHomeFiles, copySecrets, watchLogins } from '../logins/home-files.ts';
import { nothingReported, type AgentProvider, type AgentReading, type LaunchContext } from '../provider.ts';
import { reportOfEnding } from './report-of-ending.ts';
import { returnLogins } from '../logins/return-logins.ts';
import { within } from '../../system/within.ts';

/** How long disposal may take to prove that nothing is left, beyond the grace period. */
const PROVE_MS = 10_000;
/** The container is empty by then: a command that did end has told so. */
const EXIT_MS = 2_000;

export interface AgentRun {
  /** What the agent said. With `ended: 'aborted'` it counts for nothing. */
  readonly reading: AgentReading;
  readonly use: CountedUse;
  /** The version of the agent's program; null: it has none, or states none. */
  readonly version: string | null;
  readonly exit: CommandExit;
  readonly receipt: Receipt;
  /** From its start until it ended, or was to be ended. */
  readonly agentMs: number;
  readonly ended: Exclude<Ending, 'broken'> | 'disk-full';
  /** What a reader of the round must know beside. */
  readonly notes: readonly string[];
}

/**
 * Run one attempt's agent in its container and read what it said. Whatever happens, everything it started is disposed
 * of when this returns or throws; the receipt says how sure that is.
 * @throws RalphError where the agent cannot be started; the signal's reason where it was aborted before the start
 */
export async function runAgent(attempt: {
  provider: AgentProvider;
  containment: Containment;
  context: LaunchContext;
  sandbox: Sandbox;
  /** `readable` is added to by the provider. */
  mounts: Mounts;
  /** PATH, HOME and the like, as the containment gives them to every command. */
  baseEnv: Readonly<Record<string, string>>;
  files: { prompt: string; transcript: string; stderr: string; fence: string };
  limits: Pick<Limits, 'roundTimeoutMs' | 'idleTimeoutMs' | 'graceMs'>;
  signal: AbortSignal;
  /** Asked when the signal was aborted: why. */
  cancelCause: () => DisposalCause;
  /** What is left of the run's budgets. */
  allowance: Allowance;
  prices: PriceTable;
  /** `activity`: the last one; null: none yet. */
  onProgress: (progress: { activity: string | null; usage: Usage | null }) => void;
  /** What the agent prints is redacted before it is written or read, of its logins as well. */
  redactor: Redactor;
}): Promise<AgentRun> {
  const { provider, context, files, limits, allowance, signal, redactor } = attempt;
  const copies = await copyHomeFiles(provider.homeFiles(context.workerEnv), context.home);
  redactor.learn(copies.flatMap(copySecrets));
  const beforeWrite = watchLogins(copies, context.home, redactor);
  const command = await provider.prepare(context);
  const reader = provider.reader(context);
  // Where it cannot be reported, the start of the program says why.
  const version = programVersion(provider, context.workerEnv).catch(() => null);
  signal.throwIfAborted();

  const contained = await attempt.containment.start({
    argv: command.argv,
    env: { ...attempt.baseEnv, ...passedEnvironment(provider, context.workerEnv), ...command.env },
    stdinFile: files.prompt,
    sandbox: attempt.sandbox,
    mounts: { ...attempt.mounts, readable: [...attempt.mounts.readable, ...command.readable] },
    fenceFile: files.fence,
  });

  // The container's own start is the engine's time, not the agent's.
  const startedAt = performance.now();
  const time = new AwakeTime();

  let ending: Ending | null = null;
  const dispose = (cause: DisposalCause): Promise<Receipt> =>
    contained.dispose({ cause, graceMs: ending === 'exited' ? 0 : limits.graceMs, proveMs: PROVE_MS });
  try {
    let activity: string | null = null;
    let reported = nothingReported;
    /** Which budget it has used up, once it has. */
    let spent: Overspent | null = null;
    const use = (): CountedUse => countedUse(reported, context.spec.model, attempt.prices);
    const show = (): void => attempt.onProgress({ activity, usage: reported.usage });
    const output = readOutput({
      contained,
      reader,
      files,
      caps: OUTPUT_CAPS,
      redactor,
      beforeWrite,
      onActivity: (latest) => {
        activity = latest;
        show();
      },
    });
    ending = await awaitEnding({
      exited: contained.exited,
      broken: output.broken,
      signal,
      time,
      quiet: new Quiet(output.lastAt, () => contained.cpuMs(), time),
      reported: () => reader.reported(),
      hasFailed: (awake) => reader.hasFailed(awake),
      exitCounts: provider.capabilities.exitCounts,
      overspent: async () => {
        reported = await reader.use();
        show();
        spent = overspent(use(), allowance);
        return spent !== null;
      },
      budgeted: allowance.tokens !== null || allowance.costUsd !== null,
      timeLeftMs: allowance.timeMs,
      roundTimeoutMs: limits.roundTimeoutMs,
      idleTimeoutMs: limits.idleTimeoutMs,
    });
    const agentMs = Math.round(time.since(startedAt));
    const receipt = await dispose(disposalCause(ending, attempt.cancelCause));
    const renewed = receipt.proof === 'unproved' ? [] : await returnLogins(copies, context.home);
    redactor.learn(renewed.flatMap(copySecrets));
    const exit = await exitOf(contained);
    await output.finish();

    const stderrTail = output.stderrTail();
    const reading = await reader.finish({ exit, ended: ending !== 'exited', stderrTail });
    reported = await reader.use();
    // Also where the disk was full only at the very end: the reader then lacks lines, the report among them.
    const ended =
      ending === 'broken' || (ending !== 'aborted' && output.broken.aborted) ? diskFull(output.broken.reason) : ending;
    const report = reportOfEnding(ended, reading.report, { ...limits, ...allowance, spent });
    const hasWorked = ending !== 'exited' || activity !== null;
    const { workerEnv } = context;
    const known = { provider, workerEnv, copies, version: await version, stderrTail, hasWorked };
    return {
      reading: {
        ...reading,
        report: report.kind === 'candidate' ? report : { ...report, fault: explainFault(report.fault, known) },
      },
      version: known.version,
      use: use(),
      exit,
      receipt,
      agentMs,
      ended,
      notes: [
        ...output.notes(),
        ...renewed.flatMap(({ from, kept }) =>
          kept === null
            ? []
            : [`The agent left a login that is not the one in ${from}; it was not copied there: ${kept}.`],
        ),
      ],
    };
  } finally {
    // Where all went well this is the receipt that is there already.
    await dispose('fault');
  }
}

function disposalCause(ending: Ending, cancelCause: () => DisposalCause): DisposalCause {
  switch (ending) {
    case 'exited':
      return 'finished';
    case 'aborted':
      return cancelCause();
    case 'failed':
    case 'broken':
      return 'fault';
    case 'hung-after-report':
    case 'budget-spent':
    case 'round-timeout':
    case 'idle-timeout':
      return ending;
    default:
      return ending satisfies never;
  }
}

/** Tell a full disk from a defect of ours, which is thrown. */
function diskFull(reason: unknown): 'disk-full' {
  if (
    typeof reason === 'object' &&
    reason !== null &&
    'code' in reason &&
    (reason.code === 'ENOSPC' || reason.code === 'EDQUOT')
  ) {
    return 'disk-full';
  }
  throw reason;
}

async function exitOf(contained: Contained): Promise<CommandExit> {
  return (await within(EXIT_MS, contained.exited)) ?? { code: null, signal: null };
}
