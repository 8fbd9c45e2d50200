import { oneLine } from '../../agents/output/one-line.ts';
import { durationText } from '../../schemas/text/duration-text.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { EndedStep } from '../../schemas/round/step.ts';
import type { AttemptPaths } from '../../workspaces/records/run-paths.ts';
import { fileEnds } from './file-ends.ts';

/** The cause stands at the beginning (npm) or at the end (most others). */
const SHOWN_OUTPUT_BYTES = { first: 700, last: 700 };
const MAX_SAID_CHARS = 1_500;

/** The fault of a setup that did not exit 0, with what it said. @param where if not in the workspace, after the command */
export async function setupFailed(paths: AttemptPaths, record: EndedStep, where = ''): Promise<Fault> {
  const how = record.timedOut
    ? `did not end within ${durationText(record.ms)}`
    : `exits ${record.exitCode ?? 'by a signal'}`;
  const said =
    (await fileEnds(paths.stderr, SHOWN_OUTPUT_BYTES)) || (await fileEnds(paths.transcript, SHOWN_OUTPUT_BYTES));
  const words = said === '' ? 'It printed nothing.' : `It said: ${oneLine(said, MAX_SAID_CHARS)}`;
  return { code: 'setup-failed', message: `setup "${record.command}" ${how}${where}. ${words}`, resetAt: null };
}
