import type { RoundRow, RunView } from '../../client/view/run-view.ts';

type Row = Pick<RoundRow, 'status' | 'refused'>;

/** What a round that reports completion is said to do: it is for its checks to say whether it is complete. */
export const CLAIMS = 'claims completion';

/** Whether nothing has judged the claim of a round to its end. */
export const isOpenClaim = ({ status, refused }: Row, run: Pick<RunView, 'status'>): boolean =>
  status === 'complete' && refused === null && run.status !== 'complete';

/** The status of a round in a table: `complete` is only one whose claim stood. */
export function roundStatus(row: Row, run: Pick<RunView, 'status'>): string {
  if (row.status !== 'complete') return row.status;
  if (row.refused !== null) return 'refused';
  return isOpenClaim(row, run) ? 'claimed' : 'complete';
}

/** What is still to check an open claim: "its gates are run and it is reviewed". */
export function openChecks({ checks, gates, gatePolicy, reviewer }: RunView, round: number): string {
  const isGated = (gates !== null && gates.length > 0) || (gatePolicy !== null && gatePolicy.protect.length > 0);
  const last = checks.findLast((check) => check.kind === 'gates' && check.round === round);
  const parts = [
    ...(isGated && last?.result !== 'passed' ? ['its gates are run'] : []),
    ...(reviewer === null ? [] : ['it is reviewed']),
  ];
  return parts.length === 0 ? 'it is judged' : parts.join(' and ');
}
