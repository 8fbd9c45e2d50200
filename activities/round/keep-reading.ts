import type { Redactor } from '../../redaction/redactor.ts';
import { Reading } from '../../schemas/round/reading.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { attemptPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { redacted } from '../step/redacted.ts';
import { roomFault } from '../step/room-fault.ts';

/** Write down what an agent came to before its work is committed. Where the disk has no room the commit decides. */
export async function keepReading(redactor: Redactor, run: RunPaths, reading: Reading): Promise<void> {
  const { round, attempt } = reading.attempt;
  const record = redacted({ redactor, schema: Reading, record: reading });
  try {
    await writeJsonAtomically(attemptPaths(run, round, attempt).reading, record);
  } catch (error) {
    if (roomFault(error) === null) throw error;
  }
}
