import { workerState } from '../../host/worker-process/worker-process.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import { attemptPaths } from '../../workspaces/records/run-paths.ts';
import type { Deployment } from '../connect/deployment.ts';
import { type ResumeAdvice, resumeAdvice } from '../resume/resume-advice.ts';
import { roundOf } from './list-runs.ts';
import { answered, type RecordedRun } from './question.ts';
import { recordOf } from './run-records.ts';
import { rollbackInForce, type RunView, statusOf } from './run-view.ts';
import { viewRun } from './show-run.ts';

/** `elsewhere`: the run's files are on another machine, and so is its worker. */
export type WorkerPresence = 'alive' | 'none' | 'elsewhere';

/** A run with what a description of it goes by. */
export interface WhyRun {
  readonly run: RunView;
  /** Whether a worker is there to go on with it. */
  readonly worker: WorkerPresence;
  /** Of a run that was rolled back, what its next round is given: its end was of rounds that are void. */
  readonly handoff: Handoff | null;
  /** Of a run that has ended, how to continue it. */
  readonly advice: ResumeAdvice;
  /** Whether anything was printed in its last round. */
  readonly printed: boolean;
}

/** Throws RalphError `no-such-run`. */
export const whyRun = (deployment: Deployment, runId: string): Promise<WhyRun> =>
  answered(deployment, async (question) => {
    const run = await viewRun(question, runId);
    const recorded = await question.recorded(runId);
    return {
      run,
      worker: await presence(deployment, run),
      handoff: recorded === null ? null : await handoffSinceRollback(recorded, run),
      advice: await resumeAdvice(deployment, run),
      printed: recorded !== null && (await hasPrinted(recorded, lastRound(run))),
    };
  });

async function presence({ ralphHome }: Deployment, { folder, phase }: RunView): Promise<WorkerPresence> {
  if (folder === null && statusOf(phase) !== 'starting') return 'elsewhere';
  const { kind } = await workerState(ralphHome);
  return kind === 'down' || kind === 'stopped' ? 'none' : 'alive';
}

async function handoffSinceRollback({ records, ending }: RecordedRun, { rollback }: RunView): Promise<Handoff | null> {
  const back = rollbackInForce(rollback);
  if (back === null) return null;
  const before = recordOf(await records.roundState(back.to + 1)) ?? (ending === null ? null : ending.state);
  return before === null ? null : before.handoff;
}

/** The round under way, or the last one that counts; 0: before the first. */
function lastRound({ phase, rounds, rollback }: RunView): number {
  return rollbackInForce(rollback)?.to ?? roundOf(phase, rounds.at(-1)?.round ?? 0);
}

/** Whether `ralph log RUN --round N` has anything to show. */
async function hasPrinted({ files, records }: RecordedRun, round: number): Promise<boolean> {
  const begun = await records.begun(round);
  for (const attempt of begun.attempts) {
    const { transcript, stderr } = attemptPaths(files.paths, round, attempt);
    for (const file of [transcript, stderr]) if (((await files.stat(file))?.bytes ?? 0) > 0) return true;
  }
  return begun.gates.length + begun.reviews.length > 0;
}
