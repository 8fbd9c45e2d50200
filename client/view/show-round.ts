import { ralphError } from '../../schemas/errors/index.ts';
import { attemptPaths } from '../../workspaces/records/run-paths.ts';
import type { Deployment } from '../connect/deployment.ts';
import { checkViews, thereOf } from './check-rows.ts';
import { attemptsInHistory } from './history.ts';
import { answered, type Question } from './question.ts';
import type { RunRecords } from './run-records.ts';
import { requestOf, type RunView } from './run-view.ts';
import type { AttemptView, RoundView } from './round-view.ts';
import { viewRun } from './show-run.ts';

/**
 * A whole round with all its attempts and the checks of its completion claim; round 0: what came before the first. Throws
 * RalphError `no-such-run`, `no-such-round`.
 */
export const showRound = (deployment: Deployment, runId: string, round: number): Promise<RoundView> =>
  answered(deployment, async (question) => {
    const run = await viewRun(question, runId);
    const recorded = await question.recorded(runId);
    const request = requestOf(run);
    const attempts =
      recorded === null
        ? await attemptsElsewhere(question, runId, round)
        : await attemptsOf(recorded.records, round, run);
    const checks =
      recorded === null || request === null
        ? []
        : await checkViews(recorded.records, request, { round, live: run.phase.kind !== 'ended' });
    if (attempts.length === 0 && checks.length === 0) {
      throw ralphError('no-such-round', { runId, round, rounds: run.rounds.at(-1)?.round ?? 0 });
    }
    return { runId, round, row: run.rounds.find((row) => row.round === round) ?? null, attempts, checks };
  });

/** The attempts at a round that have a folder here, in order. */
async function attemptsOf(records: RunRecords, round: number, { phase }: RunView): Promise<AttemptView[]> {
  const { files } = records;
  const progress = phase.kind === 'live' && phase.doing.status === 'running' ? phase.doing.attempt : null;
  const views: AttemptView[] = [];
  for (const attempt of (await records.begun(round)).attempts) {
    const { root, prompt, transcript, stderr, report, receipt } = attemptPaths(files.paths, round, attempt);
    const record = await records.outcome(round, attempt);
    const isRunning = progress !== null && progress.round === round && progress.attempt === attempt;
    views.push({
      attempt,
      outcome: record.kind === 'missing' && isRunning ? { kind: 'running', progress } : record,
      kept: { folder: root, files: await thereOf(files, { prompt, transcript, stderr, report, receipt }) },
    });
  }
  return views;
}

async function attemptsElsewhere(question: Question, runId: string, round: number): Promise<AttemptView[]> {
  const attempts = await question.ask((link) => attemptsInHistory(link, runId));
  return (attempts ?? [])
    .filter((outcome) => outcome.round === round)
    .map((outcome) => ({ attempt: outcome.attempt, outcome: { kind: 'there', record: outcome }, kept: null }));
}
