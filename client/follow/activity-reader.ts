import { reportContract, reviewContract } from '../../agents/output/output-contract.ts';
import { providerOf } from '../../agents/registry.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { attemptAgent } from '../../workspaces/records/attempts.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import type { KeptOutput } from './kept-outputs.ts';

/** What a line of an agent's output says to a reader in one line; null: nothing worth showing. */
export type ActivityReader = (text: string) => string | null;

const asItIs: ActivityReader = (text) => text;

/**
 * For one output, whose lines come in order. Lines of a shell command, a `command` agent's too, speak for themselves; of
 * the other agents' event streams their own reader tells what the agent did.
 */
export async function activityReader(
  request: RunRequest | null,
  { paths, output: { what, round, files } }: { paths: RunPaths; output: KeptOutput },
): Promise<ActivityReader> {
  if (request === null || what === 'setup' || what === 'gates') return asItIs;
  const { runId, limits, reviewer } = request;
  const spec = what === 'review' ? reviewer : await attemptAgent(files, request);
  if (spec === null || spec.provider === 'command') return asItIs;
  const { home, inbox } = files;
  const reader = providerOf(spec).reader({
    spec,
    runId,
    round,
    maxRounds: limits.maxRounds,
    output: what === 'review' ? reviewContract : reportContract,
    tree: what === 'review' ? paths.check : paths.tree,
    home,
    inbox,
    workerEnv: {},
    repositoryHooks: false,
    // Only what was printed is read here.
    readInboxFile: () => Promise.resolve({ kind: 'missing' }),
  });
  return (text) => reader.line(text);
}
