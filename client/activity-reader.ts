import { reportContract } from '../agents/output-contract.ts';
import { providerOf } from '../agents/registry.ts';
import type { RunRequest } from '../schemas/run.ts';
import { attemptAgent } from '../workspaces/attempt-agent.ts';
import { attemptPaths, type RunPaths } from '../workspaces/run-paths.ts';

/** What a line of an agent's output says to a reader in one line; null: nothing worth showing. */
export type ActivityReader = (text: string) => string | null;

/**
 * For one attempt, whose lines come in order. A `command` agent's lines speak for themselves; of the others' event
 * streams their own reader tells what the agent did.
 */
export async function activityReader(
  request: RunRequest,
  at: { paths: RunPaths; round: number; attempt: number },
): Promise<ActivityReader> {
  const { runId, limits } = request;
  const files = attemptPaths(at.paths, at.round, at.attempt);
  const spec = await attemptAgent(files, request);
  if (spec.provider === 'command') return (text) => text;
  const { home, inbox } = files;
  const reader = providerOf(spec).reader({
    spec,
    runId,
    round: at.round,
    maxRounds: limits.maxRounds,
    output: reportContract,
    tree: at.paths.tree,
    home,
    inbox,
    workerEnv: {},
    // Only what was printed is read here.
    readInboxFile: () => Promise.resolve({ kind: 'missing' }),
  });
  return (text) => reader.line(text);
}
