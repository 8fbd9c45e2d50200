import { serverState } from '../../host/server/embedded-server.ts';
import { homePaths } from '../../host/home-paths.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { useAtEnd } from '../../schemas/run/result.ts';
import { type RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { Deployment } from '../connect/deployment.ts';
import { nearestIds } from '../start/nearest-ids.ts';
import { chainOf, verdictIn } from './chain.ts';
import { checkRows } from './check-rows.ts';
import { attemptsInHistory } from './history.ts';
import { answered, type Question, type RecordedRun } from './question.ts';
import { attemptLineOf, type AttemptLine, roundRows } from './round-rows.ts';
import { pageOf, phaseOf, type TemporalAnswer } from './run-phase.ts';
import { runFolders } from './run-files.ts';
import { recordOf } from './run-records.ts';
import { spendOf } from './run-spend.ts';
import {
  type Phase,
  recordedEnding,
  type RequestView,
  rollbackViewOf,
  type RunView,
  statusOf,
  type TemporalView,
} from './run-view.ts';
import type { TemporalRun } from './temporal-run.ts';
import { workOf } from './work.ts';

/** A whole run, from Temporal and its files. Throws RalphError `no-such-run` with the nearest ids. */
export const showRun = (deployment: Deployment, runId: string): Promise<RunView> =>
  answered(deployment, (question) => viewRun(question, runId));

/** The same as part of a larger question. */
export async function viewRun(question: Question, runId: string): Promise<RunView> {
  const temporal = await question.temporal(runId);
  const recorded = await question.recorded(runId);
  const run = temporal.kind === 'known' ? temporal.run : null;
  if (recorded === null && run === null) throw await noSuchRun(question, runId, temporal);
  const ending = recorded === null ? null : recorded.ending;
  const isLive = ending === null && run !== null && run.status === 'open';
  const phase = phaseOf({ ending, temporal, last: isLive || recorded === null ? null : await lastReceipt(recorded) });
  const status = statusOf(phase);

  const request = recorded === null ? null : recorded.request;
  const checks =
    recorded === null || request === null
      ? []
      : await checkRows(recorded.records, request, { from: 0, live: phase.kind !== 'ended' });
  const lines: readonly AttemptLine[] = recorded === null ? await historyOf(question, runId) : recorded.attempts;
  const numbers = lines.map(({ round }) => round).toSorted((a, b) => a - b);
  const verdictOn = (round: number) =>
    verdictIn({ checks, status, rounds: numbers }, round) ?? { kind: 'pending' as const };
  const rounds = roundRows(lines, { progress: isLive ? run.progress : null, verdictOn });
  const rolledBack = recorded === null ? [] : roundRows(recorded.rolledBack, { progress: null, verdictOn });
  const rollback = rollbackViewOf(recorded === null ? [] : recorded.rollbacks, rolledBack);

  const spend = await spendOf(recorded, isLive ? run : null);
  return {
    runId,
    request: requestView(recorded, run),
    startedAt: request?.requestedAt ?? run?.startedAt ?? null,
    phase,
    ceilings: ceilingsOf(phase, recorded, run),
    spend,
    rounds,
    rollback,
    checks,
    work: await workOf({ phase, recorded, temporal: run, rollback }),
    chain: await chainOf(question, runId, { recorded, status, checks, rounds: rounds.length, spend }),
    temporal: await temporalView(question, runId, temporal),
    folder: recorded === null ? null : recorded.files.paths.root,
    notes: notesOn({ recorded, temporal, phase, question }),
  };
}

/** The error for an id that no run has, with the ids that may have been meant. */
async function noSuchRun(question: Question, runId: string, temporal: TemporalAnswer): Promise<RalphError> {
  const { ralphHome, settings } = question.deployment;
  // An embedded server knows no run but those on this disk.
  if (temporal.kind === 'unreachable' && settings.server.source === 'external') return temporal.error;
  const elsewhere = await question.ask(async (link) => {
    const { temporalRuns } = await import('./temporal-run.ts');
    const ids: string[] = [];
    for await (const each of temporalRuns(link, { open: false })) ids.push(each.runId);
    return ids;
  });
  const ids = new Set([...runFolders(ralphHome), ...(elsewhere ?? [])]);
  return ralphError('no-such-run', { runId, nearest: nearestIds(runId, [...ids]) });
}

async function historyOf(question: Question, runId: string): Promise<AttemptLine[]> {
  const attempts = await question.ask((link) => attemptsInHistory(link, runId));
  return (attempts ?? []).map((each) => attemptLineOf(each));
}

/** What the disposal of the last attempt proved, of a run that nobody released; null: not known. */
async function lastReceipt({ records, attempts }: RecordedRun): Promise<Receipt | null> {
  const last = attempts.at(-1);
  const outcome = last === undefined ? null : recordOf(await records.outcome(last.round, last.attempt));
  return outcome === null ? null : outcome.receipt;
}

function requestView(recorded: RecordedRun | null, run: TemporalRun | null): RequestView {
  if (recorded !== null && recorded.request !== null) return { kind: 'whole', request: recorded.request };
  if (run === null || run.memo === null) return { kind: 'unknown' };
  const { title, repository, agent, hostId } = run.memo;
  return { kind: 'brief', title, repository, agent, hostId };
}

/** The limits in force, raised ones too; null: not known. */
export function ceilingsOf(
  phase: Phase,
  recorded: Pick<RecordedRun, 'request' | 'ending'> | null,
  run: TemporalRun | null,
): Ceilings | null {
  if (phase.kind === 'live') return phase.ceilings;
  const raised = recorded === null || recorded.ending === null ? null : useAtEnd(recorded.ending).ceilings;
  if (raised !== null) return raised;
  if (run !== null && run.memo !== null) return { maxRounds: run.memo.maxRounds, budgets: run.memo.budgets };
  const request = recorded?.request ?? null;
  return request === null ? null : { maxRounds: request.limits.maxRounds, budgets: request.budgets };
}

async function temporalView({ deployment }: Question, runId: string, temporal: TemporalAnswer): Promise<TemporalView> {
  switch (temporal.kind) {
    case 'known':
      return { kind: 'known', ...temporal.run.view };
    case 'not-asked':
      return { kind: 'not-asked', page: await temporalPage(deployment, runId) };
    case 'forgotten':
      return { kind: 'forgotten' };
    case 'unreachable':
      return { kind: 'unreachable', why: temporal.error.message };
    default:
      return temporal satisfies never;
  }
}

/** Temporal's own page of a run that it was not asked about; null: its address is not known, or it is down. */
async function temporalPage({ ralphHome, settings }: Deployment, runId: string): Promise<string | null> {
  if (settings.server.source === 'external') return null;
  const state = await serverState(ralphHome);
  return state.kind === 'ready' ? pageOf({ pages: state.webAddress, namespace: settings.namespace }, runId) : null;
}

/** What a reader must know. */
function notesOn({
  recorded,
  temporal,
  phase,
  question,
}: {
  recorded: RecordedRun | null;
  temporal: TemporalAnswer;
  phase: Phase;
  question: Question;
}): string[] {
  const notes =
    recorded === null
      ? ['The files of this run are not on this machine.']
      : [...recorded.notes, ...(recorded.ending?.notes ?? [])];
  if (phase.kind === 'unknown' && temporal.kind === 'unreachable') {
    notes.push(`${temporal.error.message} Whether this run is live is unknown.`);
  }
  const ending = recordedEnding(phase);
  const isOurs = ending !== null && ending.status === 'round-failed' && ending.fault.code === 'engine-error';
  const isFailed = phase.kind === 'ended' && phase.how.kind === 'failed';
  if (isOurs || isFailed) {
    const where =
      recorded === null
        ? 'The log of the worker on the machine that did the work has the details.'
        : `${homePaths(question.deployment.ralphHome).worker.log} has the details.`;
    notes.push(`The engine failed, not the agent. ${where}`);
  }
  return notes;
}
