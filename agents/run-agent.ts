import type { Redactor } from '../redaction/redactor.ts';
import type { DisposalCause, Receipt } from '../schemas/receipt.ts';
import type { Limits } from '../schemas/run.ts';
import type { Sandbox } from '../schemas/sandbox.ts';
import { awaitEnding, type Ending } from './await-ending.ts';
import { readOutput } from './agent-output.ts';
import type { CommandExit, Contained, Containment, Mounts } from './containment/containment.ts';
import { passedEnvironment } from './environment.ts';
import { failed } from './faults.ts';
import { copyHomeFiles, copySecrets } from './home-files.ts';
import type { AgentProvider, AgentReading, LaunchContext, Progress } from './provider.ts';
import { Quiet } from './quiet.ts';
import { returnLogins } from './return-logins.ts';
import { watchLogins } from './watch-logins.ts';
import { within } from './within.ts';

/** How long disposal may take to prove that nothing is left, beyond the grace period. */
const PROVE_MS = 10_000;
/** The container is empty by then: a command that did end has told so. */
const EXIT_MS = 2_000;

export interface AgentRun {
  /** What the agent said. With `ended: 'aborted'` it counts for nothing but its usage. */
  readonly reading: AgentReading;
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
 * of when this returns or throws; how sure that is stands in the receipt.
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
  onProgress: (progress: Progress) => void;
  /** What the agent prints is redacted before it is written or read, of its logins as well. */
  redactor: Redactor;
}): Promise<AgentRun> {
  const { provider, context, files, limits, signal, redactor } = attempt;
  const copies = await copyHomeFiles(provider.homeFiles(context.workerEnv), context.home);
  redactor.learn(copies.flatMap(copySecrets));
  const beforeWrite = watchLogins(copies, context.home, redactor);
  const command = await provider.prepare(context);
  const reader = provider.reader(context);
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

  let ending: Ending | null = null;
  const dispose = (cause: DisposalCause): Promise<Receipt> =>
    contained.dispose({ cause, graceMs: ending === 'exited' ? 0 : limits.graceMs, proveMs: PROVE_MS });
  try {
    const output = readOutput(contained, reader, files, { redactor, beforeWrite }, attempt.onProgress);
    ending = await awaitEnding({
      exited: contained.exited,
      broken: output.broken,
      signal,
      quiet: new Quiet(output.lastAt, () => contained.cpuMs()),
      reported: () => reader.reported(),
      exitCounts: provider.capabilities.exitCounts,
      roundTimeoutMs: limits.roundTimeoutMs,
      idleTimeoutMs: limits.idleTimeoutMs,
    });
    const agentMs = Math.round(performance.now() - startedAt);
    const receipt = await dispose(disposalCause(ending, attempt.cancelCause));
    const renewed = receipt.proof === 'unproved' ? [] : await returnLogins(copies, context.home);
    redactor.learn(renewed.flatMap(copySecrets));
    const exit = await exitOf(contained);
    await output.finish();

    const stderrTail = output.stderrTail();
    const reading = await reader.finish({ exit, ended: ending !== 'exited', stderrTail });
    // Also where the disk was full only at the very end: the reader then lacks lines, the report among them.
    const ended =
      ending === 'broken' || (ending !== 'aborted' && output.broken.aborted) ? diskFull(output.broken.reason) : ending;
    return {
      reading: { ...reading, report: reportOf(ended, reading, limits) },
      exit,
      receipt,
      agentMs,
      ended,
      notes: renewed.flatMap(({ from, kept }) =>
        kept === null
          ? []
          : [`The agent left a login that is not the one in ${from}; it was not copied there: ${kept}.`],
      ),
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
    case 'broken':
      return 'fault';
    case 'hung-after-report':
    case 'round-timeout':
    case 'idle-timeout':
      return ending;
    default:
      return ending satisfies never;
  }
}

function reportOf(
  ended: AgentRun['ended'],
  reading: AgentReading,
  limits: Pick<Limits, 'roundTimeoutMs' | 'idleTimeoutMs'>,
): AgentReading['report'] {
  switch (ended) {
    case 'round-timeout':
      return failed(
        ended,
        `the agent was still at work after ${seconds(limits.roundTimeoutMs)}, the round's limit`,
        null,
      );
    case 'idle-timeout':
      return failed(ended, `the agent printed nothing and computed nothing for ${seconds(limits.idleTimeoutMs)}`, null);
    case 'disk-full':
      return failed(ended, 'the disk is full: what the agent printed could not be kept', null);
    case 'exited':
    case 'hung-after-report':
    case 'aborted':
      return reading.report;
    default:
      return ended satisfies never;
  }
}

const seconds = (ms: number): string => `${ms / 1000} s`;

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
