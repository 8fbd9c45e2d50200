import type { Readable } from 'node:stream';
import type { Redactor } from '../../../redaction/redactor.ts';
import type { DisposalCause, Mechanism, Receipt } from '../../../schemas/round/receipt.ts';
import type { RedactingStream } from '../../../redaction/redacting-stream.ts';
import { AwakeTime } from '../../../system/awake-time.ts';
import { openCapped, type CappedFile } from '../../output/capped-file.ts';
import { chooseContainment } from '../choose/choose-containment.ts';
import type { CommandExit, ContainedCommand } from '../containment.ts';

export interface ContainedRun {
  readonly mechanism: Mechanism;
  /** Null: the command had not ended by itself when it was disposed of. */
  readonly exit: CommandExit | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly receipt: Receipt;
  /** From the command's start to its end, without disposal. */
  readonly ms: number;
}

/** Of what a command prints, its file holds this much: the beginning and the end. */
export const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const PROVE_MS = 10_000;

/**
 * Run a command of the run (setup, a gate) in the agent's sandbox, to its end, and dispose of all that it left.
 * @throws RalphError where the sandbox cannot be had; then nothing ran
 */
export async function runContained({
  stdoutFile,
  stderrFile,
  timeoutMs,
  graceMs,
  signal,
  abortCause,
  redactor,
  ...command
}: ContainedCommand & {
  readonly stdoutFile: string;
  readonly stderrFile: string;
  readonly timeoutMs: number;
  /** From SIGTERM to SIGKILL, after a timeout or an abort. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** Why `signal` was aborted; asked when it was. */
  readonly abortCause: () => DisposalCause;
  /** What the command prints is redacted before it is written. */
  readonly redactor: Redactor;
}): Promise<ContainedRun> {
  const containment = await chooseContainment({ sandbox: command.sandbox });
  const outputs = [
    await openCapped(stdoutFile, MAX_OUTPUT_BYTES),
    await openCapped(stderrFile, MAX_OUTPUT_BYTES),
  ] as const;
  try {
    const contained = await containment.start(command);
    const from = performance.now();
    const time = new AwakeTime();
    const written = Promise.allSettled([
      save(contained.stdout, outputs[0], redactor.stream()),
      save(contained.stderr, outputs[1], redactor.stream()),
    ]);
    const over = new AbortController();
    const ended = await Promise.race([
      contained.exited.then(() => 'exited' as const),
      time.reach(from, timeoutMs, over.signal).then(() => 'timed-out' as const),
      aborted(signal, over.signal),
    ]);
    over.abort();
    const ms = Math.round(time.since(from));
    const cause: DisposalCause =
      ended === 'exited' ? 'finished' : ended === 'timed-out' ? 'round-timeout' : abortCause();
    const receipt = await contained.dispose({ cause, graceMs, proveMs: PROVE_MS });
    const exit = ended === 'exited' ? await contained.exited : null;
    for (const result of await written) if (result.status === 'rejected') throw result.reason;
    return {
      mechanism: containment.mechanism,
      exit,
      timedOut: ended === 'timed-out',
      aborted: ended === 'aborted',
      receipt,
      ms,
    };
  } finally {
    await Promise.all(outputs.map((output) => output.close()));
  }
}

async function aborted(signal: AbortSignal, over: AbortSignal): Promise<'aborted'> {
  return await new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over });
  });
}

async function save(from: Readable, to: CappedFile, redacting: RedactingStream): Promise<void> {
  for await (const chunk of from) await to.write(redacting.push(chunk));
  await to.write(redacting.end());
}
