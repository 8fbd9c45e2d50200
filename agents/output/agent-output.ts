import type { Redactor } from '../../redaction/redactor.ts';
import type { Contained } from '../containment/containment.ts';
import { LineSplitter } from './line-splitter.ts';
import { pumpOutput, type OutputPump } from './output-pump.ts';
import type { OutputReader } from '../provider.ts';
import { TextTail } from './text-tail.ts';
import { within } from '../run/within.ts';

const MAX_LINE_BYTES = 1_048_576;
const STDERR_TAIL_CHARS = 8_192;
const MIB = 1024 * 1024;
/** Most bytes of what an agent prints that its files hold: 512 MiB in all. */
export const OUTPUT_CAPS = { transcript: 448 * MIB, stderr: 64 * MIB };
/** Nothing of the attempt runs any more: what its pipes still hold is there at once. */
const DRAIN_MS = 2_000;

/** What an agent prints, redacted on its way to the files and the reader. */
export interface AgentOutput {
  readonly broken: AbortSignal;
  readonly lastAt: () => number;
  /** Take what the pipes still hold, then let go of them: a grandchild that escaped may hold them open for ever. */
  finish(): Promise<void>;
  stderrTail(): string;
  /** What a reader of the record must know of its files, once it has finished. */
  notes(): string[];
}

/** Begin to read an agent's output; nothing is lost while nobody awaits it. */
export function readOutput(
  contained: Contained,
  reader: OutputReader,
  files: { transcript: string; stderr: string },
  caps: { transcript: number; stderr: number },
  redacting: { redactor: Redactor; beforeWrite: () => Promise<void> },
  onActivity: (activity: string) => void,
): AgentOutput {
  const lines = new LineSplitter(MAX_LINE_BYTES, (line) => {
    const activity = reader.line(line);
    if (activity !== null) onActivity(activity);
  });
  const { redactor, beforeWrite } = redacting;
  const errors = new TextTail(STDERR_TAIL_CHARS);
  const pumps: [transcript: OutputPump, stderr: OutputPump] = [
    pumpOutput({
      stream: contained.stdout,
      file: files.transcript,
      maxBytes: caps.transcript,
      redacting: redactor.stream(),
      beforeWrite,
      onChunk: (chunk) => lines.add(chunk),
    }),
    pumpOutput({
      stream: contained.stderr,
      file: files.stderr,
      maxBytes: caps.stderr,
      redacting: redactor.stream(),
      beforeWrite,
      onChunk: (chunk) => errors.add(chunk.toString('utf8')),
    }),
  ];
  return {
    broken: AbortSignal.any(pumps.map((pump) => pump.broken)),
    lastAt: () => Math.max(...pumps.map((pump) => pump.lastAt())),
    async finish() {
      const done = Promise.all(pumps.map((pump) => pump.done));
      await within(DRAIN_MS, done);
      contained.stdout.destroy();
      contained.stderr.destroy();
      await done;
      lines.end();
    },
    stderrTail: () => errors.text() ?? '',
    notes: () =>
      (['transcript', 'stderr'] as const).flatMap((what, i) => {
        const leftOut = pumps[i]?.leftOut() ?? 0;
        if (leftOut === 0) return [];
        return [`The agent printed more than is kept: ${leftOut} bytes are missing from the middle of its ${what}.`];
      }),
  };
}
