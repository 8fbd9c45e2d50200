import { thisSandboxHost } from '../../agents/containment/bubblewrap/sandbox-host.ts';
import type { FaultCode } from '../../schemas/round/fault.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Deployment } from '../connect/deployment.ts';
import { hiddenNotes } from '../start/launch-notes.ts';
import { recordedEnding, rollbackInForce, type RunView } from './run-view.ts';
import { type CheckRow, gatesOf, type GateLine, isReported } from './round-view.ts';
import { missing } from './telling-line.ts';

/** The checks of rounds that count: those that a rollback made void tell nothing of the work. */
export function standingChecks({ checks, rollback }: Pick<RunView, 'checks' | 'rollback'>): readonly CheckRow[] {
  const back = rollbackInForce(rollback);
  return back === null ? checks : checks.filter(({ round }) => round <= back.to);
}

/** Of each gate how it ended last, in rounds that count. */
export function lastOfEach(run: Pick<RunView, 'checks' | 'rollback'>): GateLine[] {
  return [
    ...new Map(
      standingChecks(run)
        .flatMap(gatesOf)
        .map((gate) => [gate.command, gate]),
    ).values(),
  ];
}

/** Faults by which an agent ends that does not find what it is to run. */
const NOT_FOUND: readonly FaultCode[] = ['agent-crashed', 'report-missing', 'agent-unavailable'];

/**
 * Whether a run that continues this one can only fail as it did, because what it lacks was fixed when the chain began:
 * what is to be said of that. Null: it may work.
 */
export function neverWorks(
  { ralphHome }: Pick<Deployment, 'ralphHome'>,
  run: Pick<RunView, 'phase' | 'rounds' | 'checks' | 'rollback'>,
  request: RunRequest,
): readonly string[] | null {
  const ending = recordedEnding(run.phase);
  if (ending === null) return null;
  if (ending.status === 'stalled') return lastOfEach(run).some((gate) => missing(gate) !== null) ? [] : null;
  const isLost = ending.status === 'round-failed' && NOT_FOUND.includes(ending.fault.code);
  if (!isLost || run.rounds.some(isReported)) return null;
  const { sandbox } = request;
  const hidden = hiddenNotes(
    { ...request, reviewer: null },
    { host: thisSandboxHost(), ralphHome, reviewerSandbox: sandbox },
  );
  return hidden.length === 0 ? null : [...hidden, 'A follow-up has the same sandbox. Start a new run instead.'];
}
