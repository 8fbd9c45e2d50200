import { access } from 'node:fs/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { attemptPaths, type RunPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { attemptsOnDisk } from './attempts-on-disk.ts';
import { checkViews } from './checks-on-disk.ts';
import type { Deployment } from '../connect/deployment.ts';
import { attemptsInHistory } from './history.ts';
import { whenReached } from '../connect/reach.ts';
import type { AttemptView, RoundView } from './run-view.ts';
import { showRun } from './show-run.ts';
import { messageOf } from '../../system/message-of.ts';

/** A whole round with all its attempts and the checks of its claim; round 0: what came before the first. Throws RalphError `no-such-run`, `no-such-round`. */
export async function showRound(deployment: Deployment, runId: string, round: number): Promise<RoundView> {
  const run = await showRun(deployment, runId);
  const attempts =
    run.folder === null
      ? await attemptsElsewhere(deployment, runId, round)
      : await attemptsOf(deployment, runId, round);
  const request =
    run.folder === null ? null : await readRequest(runPaths(deployment.ralphHome, runId)).catch(() => null);
  const checks = request === null ? [] : await checkViews(runPaths(deployment.ralphHome, runId), request, round);
  if (attempts.length === 0 && checks.length === 0) {
    throw ralphError('no-such-round', { runId, round, rounds: run.rounds.at(-1)?.round ?? 0 });
  }
  const progress = run.progress !== null && run.progress.round === round ? run.progress : null;
  return { runId, row: run.rounds.find((row) => row.round === round) ?? null, attempts, checks, progress };
}

/** The attempts at a round that have a folder on this machine, in order. */
export async function attemptsOf({ ralphHome }: Deployment, runId: string, round: number): Promise<AttemptView[]> {
  const paths = runPaths(ralphHome, runId);
  const numbers = await attemptsOnDisk(paths, round);
  return await Promise.all(numbers.map(({ attempt }) => attemptOnDisk(paths, round, attempt)));
}

async function attemptOnDisk(paths: RunPaths, round: number, attempt: number): Promise<AttemptView> {
  const { root, prompt, transcript, stderr, report, receipt } = attemptPaths(paths, round, attempt);
  const files = await existing({ prompt, transcript, stderr, report, receipt });
  return { attempt, ...(await recordOf(paths, round, attempt)), folder: root, files };
}

async function recordOf(
  paths: RunPaths,
  round: number,
  attempt: number,
): Promise<{ outcome: AttemptOutcome | null; problem: string | null }> {
  try {
    return { outcome: await readOutcome(paths, round, attempt), problem: null };
  } catch (error) {
    return { outcome: null, problem: messageOf(error) };
  }
}

async function existing(files: Record<string, string>): Promise<Record<string, string>> {
  const there = await Promise.all(
    Object.entries(files).map(async ([name, file]) => {
      try {
        await access(file);
        return [[name, file]] as const;
      } catch {
        // Not there yet, or never.
        return [];
      }
    }),
  );
  return Object.fromEntries(there.flat());
}

async function attemptsElsewhere(deployment: Deployment, runId: string, round: number): Promise<AttemptView[]> {
  const { answer } = await whenReached(deployment, (link) => attemptsInHistory(link, runId));
  return (answer ?? [])
    .filter((outcome) => outcome.round === round)
    .map((outcome) => ({ attempt: outcome.attempt, outcome, problem: null, folder: null, files: {} }));
}
