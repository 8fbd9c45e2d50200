import type { RunView } from '../../client/view/run-view.ts';

/** The checks of rounds that count: those that a rollback made void tell nothing of what stands. */
export const standingChecks = ({ checks, rollback }: RunView): RunView['checks'] =>
  rollback === null ? checks : checks.filter(({ round }) => round <= rollback.to);
