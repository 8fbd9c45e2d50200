import { reportContract, reviewContract } from '../../agents/output/output-contract.ts';
import { providerOf } from '../../agents/registry.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { attemptAgent } from '../../workspaces/records/attempts.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { lastCheck } from '../../workspaces/records/checks.ts';
import { roundsBegun } from '../../workspaces/records/steps.ts';
import { type RunPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import type { Deployment } from '../connect/deployment.ts';
import { followFile, type FollowedFile } from './follow-file.ts';
import { hasOutputEnded, type KeptOutput, keptOutputs, type OutputPart } from './kept-outputs.ts';
import { viewRun } from '../view/show-run.ts';
import { questionOver } from '../view/question.ts';
import { type Asker, askOf } from '../connect/reach.ts';

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
export async function* transcript(how: Asked): AsyncGenerator<TranscriptLine> {
  const asker = askOf(how.deployment);
  try {
    yield* printedLines(how, asker);
  } finally {
    await asker.close();
  }
}

interface Asked {
  readonly deployment: Deployment;
  readonly runId: string;
  readonly round: number | null;
  readonly part: OutputPart;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

async function* printedLines(how: Asked, asker: Asker): AsyncGenerator<TranscriptLine> {
  const { deployment, runId, round, part, follow, signal } = how;
  const question = questionOver(asker, deployment);
  const recorded = await question.recorded(runId);
  const paths = runPaths(deployment.ralphHome, runId);
  if (recorded === null) {
    await viewRun(question, runId);
    throw ralphError('workspace-gone', { runId, folder: paths.root });
  }
  const { request } = recorded;
  const isLive = liveness(asker, deployment, runId);
  const done = new Set<string>();
  while (!signal.aborted) {
    const goesOn = follow && (await isLive());
    const outputs = await keptOutputs(paths, request, { round, part });
    const next = outputs.find((each) => !done.has(each.files.root));
    if (next !== undefined) {
      done.add(next.files.root);
      const mayGrow = follow ? isLive : () => Promise.resolve(false);
      const activity = await activityReader(request, { paths, output: next });
      const { files: _files, ...source } = next;
      for await (const { stream, text } of outputLines({ paths, next, signal, mayGrow })) {
        yield { ...source, stream, text, activity: stream === 'stderr' ? text : activity(text) };
      }
      continue;
    }
    if (outputs.length === 0 && !goesOn) await rejectEmpty({ paths, runId, round, part });
    if (!goesOn || (round !== null && roundsBegun(paths).some((begun) => begun > round))) return;
    await pause(signal);
  }
}

/** Says what is not there, where somebody asked for it. */
async function rejectEmpty(asked: { paths: RunPaths; runId: string; round: number | null; part: OutputPart }) {
  const { paths, runId, round, part } = asked;
  const begun = roundsBegun(paths);
  if (round !== null && round > 0 && !begun.includes(round)) {
    throw ralphError('no-such-round', { runId, round, rounds: begun.at(-1) ?? 0 });
  }
  if (round === null && part === null) return;
  // A damaged record: `show --round` says what is wrong with it.
  const check = round === null || part === 'review' ? null : await lastCheck(paths, round).catch(() => null);
  const rejectedBy = check === null || check.gates.length > 0 ? [] : check.protectedPaths;
  throw ralphError('nothing-printed', { runId, round, part, rejectedBy });
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
function liveness(asker: Asker, deployment: Deployment, runId: string): () => Promise<boolean> {
  let live = true;
  let askedAt = 0;
  return async () => {
    if (live && Date.now() - askedAt >= ASK_EVERY_MS) {
      const temporal = await questionOver(asker, deployment).temporal(runId);
      live = temporal.kind === 'known' && temporal.run.status === 'open';
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

/** What a line of an agent's output says to a reader in one line; null: nothing worth showing. */
type ActivityReader = (text: string) => string | null;

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
    // Only what was printed is read here.
    repositoryHooks: false,
    readInboxFile: () => Promise.resolve({ kind: 'missing' }),
  });
  return (text) => reader.line(text);
}
