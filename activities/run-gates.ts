import type { GateCheck } from '../schemas/gate.ts';
import type { GateInput } from '../schemas/gate-input.ts';
import type { Machine } from './machine.ts';
import type { TakeTurn } from './one-at-a-time.ts';

export function runGatesActivity(_machine: Machine, _takeTurn: TakeTurn) {
  return async (_given: GateInput): Promise<GateCheck> => {
    throw new Error('not built yet');
  };
}
