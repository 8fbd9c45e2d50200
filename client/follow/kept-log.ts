import { watch } from 'node:fs';
import path from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import type { Deployment } from '../connect/deployment.ts';
import { type KeptOutput, keptOutputs } from './kept-outputs.ts';
import { logWindow, type LogWindow, type Place } from './log-window.ts';
import { activityReader } from './transcript.ts';

/** What a command of a round printed. `name`: its folder in that of the round. */
export interface NamedOutput extends Omit<KeptOutput, 'files'> {
  readonly name: string;
  /** In bytes. */
  readonly stdout: number;
  readonly stderr: number;
}

/** A window of it; each line with what it says to a reader, null: nothing worth showing. */
export interface OutputWindow extends LogWindow {
  readonly activities: readonly (string | null)[];
}

interface OfRound {
  readonly deployment: Deployment;
  readonly runId: string;
  readonly round: number;
}

/** What was printed in a round, in the order in which its commands were run. */
export async function outputsOf(of: OfRound): Promise<NamedOutput[]> {
  const kept = await keptOf(of);
  return await Promise.all(
    kept.outputs.map(async (output) => {
      const { files, ...source } = output;
      const [stdout, stderr] = await Promise.all([
        logWindow(files.transcript, { before: 0 }),
        logWindow(files.stderr, { before: 0 }),
      ]);
      return { ...source, name: kept.nameOf(output), stdout: stdout.size, stderr: stderr.size };
    }),
  );
}

/** Some lines of one of them. Throws RalphError `nothing-printed`. */
export async function outputWindow(
  of: OfRound & { name: string; stream: 'stdout' | 'stderr'; place: Place },
): Promise<OutputWindow> {
  const { runId, round, name, stream, place } = of;
  const kept = await keptOf(of);
  const output = kept.outputs.find((each) => kept.nameOf(each) === name);
  if (output === undefined) throw ralphError('nothing-printed', { runId, round, part: null, rejectedBy: [] });
  const { paths, request } = kept;
  const window = await logWindow(stream === 'stdout' ? output.files.transcript : output.files.stderr, place);
  const activity = stream === 'stderr' ? (text: string) => text : await activityReader(request, { paths, output });
  return { ...window, activities: window.lines.map(({ text }) => activity(text)) };
}

/** Call `onNews` when one of them grows, until the returned function is called. It must exist. */
export async function watchOutput(of: OfRound & { name: string; onNews: () => void }): Promise<() => void> {
  const kept = await keptOf(of);
  const output = kept.outputs.find((each) => kept.nameOf(each) === of.name);
  if (output === undefined) return () => {};
  try {
    const watcher = watch(output.files.transcript, () => of.onNews());
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // It is not there yet, or this system has no more watchers: whoever asks looks again by itself.
    return () => {};
  }
}

/** The prompt of an attempt, as it was sent. */
export const promptOf = (of: OfRound & { attempt: number; place: Place }): Promise<LogWindow> =>
  logWindow(attemptPaths(runPaths(of.deployment.ralphHome, of.runId), of.round, of.attempt).prompt, of.place);

async function keptOf({ deployment, runId, round }: OfRound) {
  const paths = runPaths(deployment.ralphHome, runId);
  // A damaged request: `show` says what is wrong with it, and the outputs are there without the names of commands.
  const request = await readRequest(paths).catch(() => null);
  const outputs = await keptOutputs(paths, request, { round, part: null });
  const folder = path.dirname(attemptPaths(paths, round, 1).root);
  return {
    paths,
    request,
    outputs,
    nameOf: ({ files }: KeptOutput): string => path.relative(folder, files.root),
  };
}
