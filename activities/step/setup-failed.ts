import { open } from 'node:fs/promises';
import { oneLine } from '../../agents/output/bounded-text.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { EndedStep } from '../../schemas/round/step.ts';
import { durationText } from '../../schemas/text/duration.ts';
import type { StepPaths } from '../../workspaces/records/run-paths.ts';

/** The cause stands at the beginning (npm) or at the end (most others). */
const SHOWN_OUTPUT_BYTES = { first: 700, last: 700 };
const MAX_SAID_CHARS = 1_500;

/** The fault of a setup that did not exit 0, with what it said. @param where if not in the workspace, after the command */
export async function setupFailed(paths: StepPaths, record: EndedStep, where = ''): Promise<Fault> {
  const how = record.timedOut
    ? `did not end within ${durationText(record.ms)}`
    : `exits ${record.exitCode ?? 'by a signal'}`;
  const said =
    (await fileEnds(paths.stderr, SHOWN_OUTPUT_BYTES)) || (await fileEnds(paths.transcript, SHOWN_OUTPUT_BYTES));
  const words = said === '' ? 'It printed nothing.' : `It said: ${oneLine(said, MAX_SAID_CHARS)}`;
  return { code: 'setup-failed', message: `setup "${record.command}" ${how}${where}. ${words}`, resetAt: null };
}

/** The beginning and the end of a file of ours as text, trimmed, with a mark for what is between; "" for no file. */
export async function fileEnds(file: string, bytes: { first: number; last: number }): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return '';
  const part = async (length: number, position: number): Promise<string> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString('utf8', 0, bytesRead);
  };
  try {
    const { size } = await handle.stat();
    const { first, last } = bytes;
    if (size <= first + last) return (await part(first + last, 0)).trim();
    return `${(await part(first, 0)).trim()} […] ${(await part(last, size - last)).trim()}`;
  } finally {
    await handle.close();
  }
}
