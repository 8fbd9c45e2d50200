import { setTimeout as sleep } from 'node:timers/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { lastCheck } from '../../workspaces/records/checks.ts';
import { roundsBegun } from '../../workspaces/records/steps.ts';
import { type RunPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { activityReader } from './activity-reader.ts';
import type { Deployment } from '../connect/deployment.ts';
import { diskRun } from '../view/disk-run.ts';
import { followFile, type FollowedFile } from './follow-file.ts';
import { hasOutputEnded, type KeptOutput, keptOutputs, type OutputPart } from './kept-outputs.ts';
import { isLive as isLiveStatus } from '../view/run-status.ts';
import { showRun } from '../view/show-run.ts';

/** A line that an agent of a run printed, or one of its commands. */
export interface TranscriptLine extends Omit<KeptOutput, 'files'> {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** The same for a reader, in one line: what an event stream's line says. Null: nothing worth showing. */
  readonly activity: string | null;
}

const POLL_MS = 250;
/** Whether a run goes on is asked for this often: it costs a question to Temporal. */
const ASK_EVERY_MS = 2_000;

/**
 * What the agents of a run printed, its setup, its gates and its reviewers, command by command: stdout, then stderr; of
 * one under way, both as they come. `round`: only this one, null: all. `follow`: go on until the round, or the run, has
 * ended. Throws RalphError.
 */
export async function* transcript(how: {
  deployment: Deployment;
  runId: string;
  round: number | null;
  part: OutputPart;
  follow: boolean;
  signal: AbortSignal;
}): AsyncGenerator<TranscriptLine> {
  const { deployment, runId, round, part, follow, signal } = how;
  const run = await showRun(deployment, runId);
  const paths = runPaths(deployment.ralphHome, runId);
  if (run.folder === null) throw ralphError('workspace-gone', { runId, folder: paths.root });
  const request = (await diskRun(deployment.ralphHome, runId))?.request ?? null;
  const isLive = liveness(deployment, runId, isLiveStatus(run.status));
  const done = new Set<string>();
  while (!signal.aborted) {
    const goesOn = follow && (await isLive());
    const outputs = await keptOutputs(paths, request, { round, part });
    const next = outputs.find((each) => !done.has(each.files.root));
    if (next !== undefined) {
      done.add(next.files.root);
      const mayGrow = follow ? isLive : () => Promise.resolve(false);
      const activity = await activityReader(request, { paths, output: next });
      const { files: _files, ...told } = next;
      for await (const { stream, text } of outputLines({ paths, next, signal, mayGrow })) {
        yield { ...told, stream, text, activity: stream === 'stderr' ? text : activity(text) };
      }
      continue;
    }
    if (outputs.length === 0 && !goesOn) await refuseEmpty({ paths, runId, round, part });
    if (!goesOn || (round !== null && (await roundsBegun(paths)).some((begun) => begun > round))) return;
    await pause(signal);
  }
}

/** Says what is not there, where somebody asked for it. */
async function refuseEmpty(asked: { paths: RunPaths; runId: string; round: number | null; part: OutputPart }) {
  const { paths, runId, round, part } = asked;
  const begun = await roundsBegun(paths);
  if (round !== null && round > 0 && !begun.includes(round)) {
    throw ralphError('no-such-round', { runId, round, rounds: begun.at(-1) ?? 0 });
  }
  if (round === null && part === null) return;
  // A damaged record: `show --round` says what is wrong with it.
  const check = round === null || part === 'review' ? null : await lastCheck(paths, round).catch(() => null);
  const refusedBy = check === null || check.gates.length > 0 ? [] : check.protectedPaths;
  throw ralphError('nothing-printed', { runId, round, part, refusedBy });
}

async function* outputLines(how: {
  paths: RunPaths;
  next: KeptOutput;
  signal: AbortSignal;
  mayGrow: () => Promise<boolean>;
}): AsyncGenerator<Pick<TranscriptLine, 'stream' | 'text'>> {
  const { paths, next, signal, mayGrow } = how;
  const tails = [
    { stream: 'stdout', tail: followFile(next.files.transcript) },
    { stream: 'stderr', tail: followFile(next.files.stderr) },
  ] as const;
  try {
    for (let more = true; more && !signal.aborted;) {
      // Asked before the files are read: what a command that has ended wrote is all there then.
      more = !(await hasOutputEnded(paths, next)) && (await mayGrow());
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
