import type { RunView } from '../../client/view/run-view.ts';
import { isReport } from '../../client/view/is-report.ts';

/** Where a stop met a run: "after round 2", "before round 1", "in round 3, which had not ended". */
export function stoppedWhen({ rounds }: Pick<RunView, 'rounds'>): string {
  const last = rounds.at(-1);
  if (last === undefined) return 'before round 1';
  return isReport(last.status) ? `after round ${last.round}` : `in round ${last.round}, which had not ended`;
}
