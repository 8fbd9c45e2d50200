import { existsSync } from 'node:fs';
import type { RunRequest } from '../../schemas/run/run.ts';
import { attemptsAt, checksAt, commandsOf, reviewsAt, roundsBegun } from '../../workspaces/records/steps.ts';
import {
  attemptPaths,
  checkPaths,
  reviewPaths,
  type StepPaths,
  type RunPaths,
} from '../../workspaces/records/run-paths.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';

/** A command that a run started, of which is kept what it printed. */
export interface KeptOutput {
  readonly what: 'setup' | 'agent' | 'gates' | 'review';
  /** 0: before the first. */
  readonly round: number;
  /** Counts the attempts, the runs of the gates or the reviews of the round. */
  readonly attempt: number;
  /** Of gates, the command: one of them, or the setup on their clean checkout. Null: an agent. */
  readonly command: string | null;
  readonly files: StepPaths;
}

type Commands = Pick<RunRequest, 'setup' | 'gates' | 'previous'> | null;

/** Only what checks claims by gates, or by reviewers; null: all. */
export type OutputPart = 'gates' | 'review' | null;

/**
 * Those on this machine, in the order in which their commands are run. `round`: of this one only, null: of all. Where
 * neither a round nor a part is asked for, the gates before round 1 are left out: what they print is there to compare with.
 */
export async function keptOutputs(
  run: RunPaths,
  request: Commands,
  { round, part }: { round: number | null; part: OutputPart },
): Promise<KeptOutput[]> {
  const rounds = round === null ? roundsBegun(run) : [round];
  const outputs: KeptOutput[] = [];
  for (const each of rounds) {
    if (part === null) outputs.push(...attemptsIn(run, request, each));
    const isLeftOut = round === null && part === null && isBefore(request, each);
    if (part !== 'review' && !isLeftOut) outputs.push(...gatesIn(run, request, each));
    if (part !== 'gates') {
      for (const attempt of reviewsAt(run, each)) {
        outputs.push({ what: 'review', round: each, attempt, command: null, files: reviewPaths(run, each, attempt) });
      }
    }
  }
  return outputs;
}

/** Whether a round is the baseline's, and of no completion claim of the run before. */
const isBefore = (request: Commands, round: number): boolean =>
  round === 0 && (request === null || request.previous === null || request.previous.pending === null);

function attemptsIn(run: RunPaths, request: Commands, round: number): KeptOutput[] {
  const what = round === 0 ? 'setup' : 'agent';
  const command = round === 0 && request !== null ? request.setup : null;
  const attempts = attemptsOnDisk(run, round);
  return attempts.map(({ attempt }) => ({ what, round, attempt, command, files: attemptPaths(run, round, attempt) }));
}

function gatesIn(run: RunPaths, request: Commands, round: number): KeptOutput[] {
  const outputs: KeptOutput[] = [];
  for (const attempt of checksAt(run, round)) {
    const check = checkPaths(run, round, attempt);
    for (const number of commandsOf(check)) {
      const gate = request === null ? null : number === 0 ? request.setup : request.gates[number - 1]?.command;
      const command = gate === null || gate === undefined ? `command ${number}` : gate;
      outputs.push({ what: 'gates', round, attempt, command, files: check.step(number) });
    }
  }
  return outputs;
}

/** Whether no more is printed: its end is written down, its folder was taken away, or what comes after it has begun. */
export async function hasOutputEnded(run: RunPaths, { what, round, attempt, files }: KeptOutput): Promise<boolean> {
  if (what === 'setup' || what === 'agent') return await hasAttemptEnded(run, { round, attempt });
  if (existsSync(files.outcome) || !existsSync(files.root)) return true;
  const same = what === 'gates' ? checksAt(run, round) : reviewsAt(run, round);
  return same.some((other) => other > attempt) || roundsBegun(run).some((other) => other > round);
}

interface AttemptId {
  readonly round: number;
  readonly attempt: number;
}

/** Attempts that have a folder, in order. `round`: of this one only, null: of all. */
export function attemptsOnDisk(paths: RunPaths, round: number | null): AttemptId[] {
  const rounds = round === null ? roundsBegun(paths) : [round];
  return rounds.flatMap((each) => attemptsAt(paths, each).map((attempt) => ({ round: each, attempt })));
}

/** Whether the attempt has ended: the ledger says so, or a later one has begun, as after a setup (round 0). */
export async function hasAttemptEnded(paths: RunPaths, { round, attempt }: AttemptId): Promise<boolean> {
  const ended = await readAttempts(paths);
  if (ended.some((line) => line.round === round && line.attempt === attempt)) return true;
  const begun = attemptsOnDisk(paths, null);
  return begun.some((other) => other.round > round || (other.round === round && other.attempt > attempt));
}
