import type { GateLine, RunView } from './run-view.ts';
import { saysMissing } from './telling-line.ts';

/** Why a gate failed that no work on the objective turns green, as what it runs is not there; null: it did not so. */
export function missing({ result, exitCode, said }: GateLine): string | null {
  if (result !== 'failed') return null;
  if (exitCode === 127) return 'the command was not found';
  if (exitCode === 126) return 'the command cannot be executed';
  return said !== null && saysMissing(said) ? 'what it is to run is not there' : null;
}

/** Of each gate how it ended last, in rounds that count. */
export function lastOfEach({ checks, rollback }: Pick<RunView, 'checks' | 'rollback'>): GateLine[] {
  const standing = checks.filter(({ round }) => rollback === null || round <= rollback.to);
  return [...new Map(standing.flatMap(({ gates }) => gates).map((gate) => [gate.command, gate])).values()];
}
