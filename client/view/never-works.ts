import { thisSandboxHost } from '../../agents/containment/bubblewrap/sandbox-host.ts';
import type { FaultCode } from '../../schemas/round/fault.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Deployment } from '../connect/deployment.ts';
import { hiddenNotes } from '../start/hidden-notes.ts';
import { isReport } from './is-report.ts';
import { lastOfEach, missing } from './missing-gates.ts';
import type { RunView } from './run-view.ts';

/** Faults by which an agent ends that does not find what it is to run. */
const NOT_FOUND: readonly FaultCode[] = ['agent-crashed', 'report-missing', 'agent-unavailable'];

/**
 * Whether a run that goes on from this one can only fail as it did, as what it lacks was fixed when the line began: what
 * is to be said of that. Null: it may work.
 */
export function neverWorks(
  { ralphHome }: Pick<Deployment, 'ralphHome'>,
  run: Pick<RunView, 'ending' | 'rounds' | 'checks' | 'rollback'>,
  request: RunRequest,
): readonly string[] | null {
  const { ending, rounds } = run;
  if (ending === null) return null;
  if (ending.status === 'stalled') return lastOfEach(run).some((gate) => missing(gate) !== null) ? [] : null;
  const isLost = ending.status === 'round-failed' && NOT_FOUND.includes(ending.fault.code);
  if (!isLost || rounds.some(({ status }) => isReport(status))) return null;
  const { sandbox } = request;
  const hidden = hiddenNotes(
    { ...request, reviewer: null },
    { host: thisSandboxHost(), ralphHome, reviewerSandbox: sandbox },
  );
  return hidden.length === 0 ? null : [...hidden, 'A run that goes on from it has the same sandbox: start a new one.'];
}
