import { chainBy, isFollowUp, nextRuns } from '../resume/chain.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { recordOf } from './run-records.ts';
import { rootOf } from '../../schemas/run/run.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { checkRows, rejectionOf } from './check-rows.ts';
import type { Question, RecordedRun } from './question.ts';
import { roundRows } from './round-rows.ts';
import { runFolders, statOf } from './run-files.ts';
import { phaseOf } from './run-phase.ts';
import { spendOf, sumSpend } from './run-spend.ts';
import { type Chain, type Continuation, type PreviousRun, type ShownStatus, type Spend, statusOf } from './run-view.ts';
import type { CheckRow, Verdict } from './round-view.ts';

/**
 * The chain of a run: the runs before it, with what they did, and what became of it since.
 * @param own what is known of the run itself; `spend` is its own alone
 */
export async function chainOf(
  question: Question,
  runId: string,
  own: { recorded: RecordedRun | null; status: ShownStatus; checks: readonly CheckRow[]; rounds: number; spend: Spend },
): Promise<Chain> {
  const request = own.recorded === null ? null : own.recorded.request;
  const continues = request?.previous?.runId ?? null;
  const before = await runsBefore(question, own.recorded);
  const previous: PreviousRun[] = [];
  let after: Follower = own;
  for (const run of before) {
    const checks = run.request === null ? [] : await checkRows(run.records, run.request, { from: 0, live: false });
    const status = await statusIn(question, run);
    const verdictOn = (round: number): Verdict =>
      verdictIn({ checks, status, rounds: run.attempts.map((line) => line.round) }, round) ??
      verdictBy(after, { runId: run.runId, round }) ?? { kind: 'pending' };
    const rounds = roundRows(run.attempts, { progress: null, verdictOn });
    const rolledBack = roundRows(run.rolledBack, { progress: null, verdictOn });
    previous.unshift({ runId: run.runId, status, rounds, rolledBack });
    after = { status, checks, rounds: rounds.length };
  }
  const spends = await Promise.all(before.map((run) => spendOf(run, null)));
  return {
    continues,
    previous,
    continued: await continuationOf(question, runId, request === null ? runId : rootOf(request)),
    spend: sumSpend([own.spend, ...spends]),
  };
}

/** The runs before one whose files are here, the latest first. */
async function runsBefore(question: Question, run: RecordedRun | null): Promise<RecordedRun[]> {
  const runs: RecordedRun[] = [];
  const seen = new Set<string>(run === null ? [] : [run.runId]);
  let id = run?.request?.previous?.runId ?? null;
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const before: RecordedRun | null = await question.recorded(id);
    if (before === null) break;
    runs.push(before);
    id = before.request?.previous?.runId ?? null;
  }
  return runs;
}

async function statusIn(question: Question, { runId, ending }: RecordedRun): Promise<ShownStatus> {
  return statusOf(phaseOf({ ending, temporal: await question.temporal(runId), last: null }));
}

/** What a run has to say of a completion claim that the run before it left open. */
type Follower = { readonly status: ShownStatus; readonly checks: readonly CheckRow[]; readonly rounds: number };

/** What a run itself made of the completion claim of one of its rounds; null: nothing. @param run with its rounds in order */
export function verdictIn(
  run: { checks: readonly CheckRow[]; status: ShownStatus; rounds: readonly number[] },
  round: number,
): Verdict | null {
  const reasons = rejectionOf(run.checks, round);
  if (reasons !== null) return { kind: 'rejected', reasons };
  return run.status === 'complete' && run.rounds.at(-1) === round ? { kind: 'accepted' } : null;
}

function verdictBy({ status, checks, rounds }: Follower, claim: { runId: string; round: number }): Verdict | null {
  const own = checks.filter(({ claimOf }) => claimOf?.runId === claim.runId && claimOf.round === claim.round);
  const reasons = rejectionOf(own, 0);
  if (reasons !== null) return { kind: 'rejected', reasons };
  return status === 'complete' && rounds === 0 ? { kind: 'accepted' } : null;
}

/** Whether a run of a chain may have been started that has no request here yet: Temporal alone knows of it. */
export const hasStarting = (ralphHome: string, root: string): boolean =>
  runFolders(ralphHome).some((id) => isFollowUp(id, root) && statOf(runPaths(ralphHome, id).request) === null);

async function continuationOf(question: Question, runId: string, root: string): Promise<Continuation> {
  const { ralphHome } = question.deployment;
  const chainOver = (link: TemporalLink | null) =>
    chainBy(ralphHome, runId, {
      link,
      request: async (id) => recordOf(await question.records(id).request()),
      isRolledBack: async (id) => {
        const last = recordOf(await question.records(id).rollbacks())?.at(-1);
        return last !== undefined && last.done && last.to === 0;
      },
    });
  const asked = hasStarting(ralphHome, root) ? await question.ask(chainOver) : null;
  const chain = asked ?? (await chainOver(null));
  const as = nextRuns(chain, runId);
  if (as.length === 0) return { kind: 'none' };
  const { last } = chain;
  const isLater =
    chain.runs.findIndex((run) => run.runId === last) > chain.runs.findIndex((run) => run.runId === runId);
  if (!isLater) return { kind: 'rolled-back', as };
  const recorded = await question.recorded(last);
  const temporal = await question.temporal(last);
  const phase = phaseOf({ ending: recorded?.ending ?? null, temporal, last: null });
  return { kind: 'continued', as, last: { runId: last, status: statusOf(phase) } };
}
