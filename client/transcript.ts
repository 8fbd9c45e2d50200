import { setTimeout as sleep } from 'node:timers/promises';
import { ralphError } from '../schemas/errors/index.ts';
import { attemptPaths, type RunPaths, runPaths } from '../workspaces/run-paths.ts';
import { type ActivityReader, activityReader } from './activity-reader.ts';
import { type AttemptId, attemptsOnDisk, hasAttemptEnded } from './attempts-on-disk.ts';
import type { Deployment } from './deployment.ts';
import { diskRun } from './disk-run.ts';
import { followFile, type FollowedFile } from './follow-file.ts';
import { isLive as isLiveStatus } from './run-status.ts';
import { showRun } from './show-run.ts';

/** A line that an agent printed, or the setup command: round 0. */
export interface TranscriptLine {
  readonly round: number;
  readonly attempt: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** The same for a reader, in one line: what an event stream's line says. Null: nothing worth showing. */
  readonly activity: string | null;
}

const POLL_MS = 250;
/** Whether a run goes on is asked for this often: it costs a question to Temporal. */
const ASK_EVERY_MS = 2_000;

/**
 * What the agents of a run printed, attempt by attempt: stdout, then stderr; of an attempt under way, both as they come.
 * `round`: only this one, null: all. `follow`: go on until the round, or the run, has ended. Throws RalphError.
 */
export async function* transcript(how: {
  deployment: Deployment;
  runId: string;
  round: number | null;
  follow: boolean;
  signal: AbortSignal;
}): AsyncGenerator<TranscriptLine> {
  const { deployment, runId, round, follow, signal } = how;
  const run = await showRun(deployment, runId);
  const paths = runPaths(deployment.ralphHome, runId);
  if (run.folder === null) throw ralphError('workspace-gone', { runId, folder: paths.root });
  const request = (await diskRun(deployment.ralphHome, runId))?.request ?? null;
  const isLive = liveness(deployment, runId, isLiveStatus(run.status));
  const done = new Set<string>();
  while (!signal.aborted) {
    const goesOn = follow && (await isLive());
    const attempts = await attemptsOnDisk(paths, round);
    const next = attempts.find((each) => !done.has(keyOf(each)));
    if (next !== undefined) {
      done.add(keyOf(next));
      const mayGrow = follow ? isLive : () => Promise.resolve(false);
      const activity =
        request === null || next.round === 0 ? asItIs : await activityReader(request, { paths, ...next });
      for await (const { stream, text } of attemptLines({ paths, next, signal, mayGrow })) {
        yield { ...next, stream, text, activity: stream === 'stderr' ? text : activity(text) };
      }
      continue;
    }
    if (attempts.length === 0 && !goesOn && round !== null) {
      throw ralphError('no-such-round', { runId, round, rounds: run.rounds.at(-1)?.round ?? 0 });
    }
    if (!goesOn || (round !== null && run.rounds.some((row) => row.round > round))) return;
    await pause(signal);
  }
}

const asItIs: ActivityReader = (text) => text;
const keyOf = ({ round, attempt }: AttemptId): string => `${round}/${attempt}`;

async function* attemptLines(how: {
  paths: RunPaths;
  next: AttemptId;
  signal: AbortSignal;
  mayGrow: () => Promise<boolean>;
}): AsyncGenerator<Pick<TranscriptLine, 'stream' | 'text'>> {
  const { paths, next, signal, mayGrow } = how;
  const files = attemptPaths(paths, next.round, next.attempt);
  const tails = [
    { stream: 'stdout', tail: followFile(files.transcript) },
    { stream: 'stderr', tail: followFile(files.stderr) },
  ] as const;
  try {
    for (let more = true; more && !signal.aborted;) {
      // Asked before the files are read: what an attempt that has ended wrote is all there then.
      more = !(await hasAttemptEnded(paths, next)) && (await mayGrow());
      for (const { stream, tail } of tails) {
        for await (const text of drain(tail)) yield { stream, text };
        const rest = more ? null : tail.rest();
        if (rest !== null) yield { stream, text: rest };
      }
      if (more) await pause(signal);
    }
  } finally {
    for (const { tail } of tails) await tail.close();
  }
}

async function* drain(tail: FollowedFile): AsyncGenerator<string> {
  for (let lines = await tail.next(); lines.length > 0; lines = await tail.next()) yield* lines;
}

/** Asks at most every two seconds; what has ended stays ended. */
function liveness(deployment: Deployment, runId: string, atFirst: boolean): () => Promise<boolean> {
  let live = atFirst;
  let askedAt = Date.now();
  return async () => {
    if (live && Date.now() - askedAt >= ASK_EVERY_MS) {
      live = isLiveStatus((await showRun(deployment, runId)).status);
      askedAt = Date.now();
    }
    return live;
  };
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await sleep(POLL_MS, null, { signal });
  } catch {
    // Aborted: the loop sees it.
  }
}
