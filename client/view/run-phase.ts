import type { RalphError } from '../../schemas/errors/index.ts';
import type { RunMemo } from '../../schemas/loop/memo.ts';
import { type RunEnding, whyItEnded } from '../../schemas/run/result.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { Doing, EndedStatus, Phase } from './run-view.ts';
import type { TemporalRun } from './temporal-run.ts';

/** What was learned of a run beside its files. `not-asked`: its ending is recorded, and that is final. */
export type TemporalAnswer =
  | { readonly kind: 'known'; readonly run: TemporalRun }
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'unreachable'; readonly error: RalphError };

const ENDED: readonly string[] = [
  'complete',
  'blocked',
  'budget-limited',
  'stalled',
  'stopped',
  'round-failed',
  'cancelled',
] satisfies EndedStatus[];
/** Whether a status is how a run ended. */
export const isEnded = (status: string): status is EndedStatus => ENDED.includes(status);

/**
 * The phase of a run. A recorded ending is final, as a run is started once; without one Temporal says whether the run is
 * live.
 * @param last what the disposal of the last attempt proved, for a run that nobody released; null: not known
 */
export function phaseOf(known: { ending: RunEnding | null; temporal: TemporalAnswer; last: Receipt | null }): Phase {
  const { ending, temporal, last } = known;
  if (ending !== null) {
    const { endedAt, receipt } = ending;
    return { kind: 'ended', how: { kind: 'recorded', ending: ending.ending }, endedAt, receipt };
  }
  switch (temporal.kind) {
    case 'known':
      return phaseInTemporal(temporal.run, last);
    case 'unreachable':
      return { kind: 'unknown', why: 'temporal-unreachable' };
    case 'not-asked':
    case 'forgotten':
      return { kind: 'unknown', why: 'forgotten' };
    default:
      return temporal satisfies never;
  }
}

function phaseInTemporal(run: TemporalRun, last: Receipt | null): Phase {
  const { status, memo, endedAt } = run;
  const receipt = memo?.receipt ?? last;
  switch (status) {
    case 'open':
      if (memo === null) return { kind: 'unknown', why: 'unreadable' };
      return {
        kind: 'live',
        doing: doingOf(run, memo),
        controls: memo.controls,
        ceilings: { maxRounds: memo.maxRounds, budgets: memo.budgets },
      };
    case 'terminated':
      return { kind: 'ended', how: { kind: 'terminated' }, endedAt, receipt };
    case 'cancelled':
      return { kind: 'ended', how: { kind: 'brief', status, why: memo?.why ?? null }, endedAt, receipt };
    case 'completed':
    case 'failed':
      if (memo !== null && isEnded(memo.status)) {
        return { kind: 'ended', how: { kind: 'brief', status: memo.status, why: memo.why }, endedAt, receipt };
      }
      if (status === 'failed') return { kind: 'ended', how: { kind: 'failed' }, endedAt, receipt };
      return { kind: 'unknown', why: 'ending-lost' };
    default:
      return status satisfies never;
  }
}

/** What a live run does, by its memo and the heartbeat of what is under way. */
function doingOf({ progress, check }: Pick<TemporalRun, 'progress' | 'check'>, memo: RunMemo): Doing {
  const { status, round, until, why } = memo;
  switch (status) {
    case 'starting':
    case 'preparing':
      return { status };
    case 'running':
      return { status, round, attempt: progress !== null && progress.round === round ? progress : null };
    case 'checking':
      return { status, round, what: why, check: check !== null && check.round === round ? check : null };
    case 'waiting':
      return { status, round, until, why };
    case 'paused':
      return { status, round };
    case 'complete':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
    case 'round-failed':
    case 'cancelled':
      return { status: 'ending', round, as: status };
    default:
      return status satisfies never;
  }
}

/** The same ending as a list has it: in one line. */
export function briefly(phase: Phase): Phase {
  if (phase.kind !== 'ended' || phase.how.kind !== 'recorded') return phase;
  const { ending } = phase.how;
  return { ...phase, how: { kind: 'brief', status: ending.status, why: whyItEnded(ending) } };
}

/** Temporal's own page of a run. */
export const pageOf = ({ pages, namespace }: { pages: string; namespace: string }, runId: string): string =>
  `${pages}/namespaces/${namespace}/workflows/${runId}`;
