import type { Palette } from './palette.ts';

/** A status of a run or a round in its colour. Faults, which are an open set here, read as bad. */
export function statusColour(status: string, paint: Palette): (text: string) => string {
  switch (status) {
    case 'complete':
    case 'continue':
      return paint.good;
    case 'running':
    case 'checking':
    case 'starting':
    case 'preparing':
    case 'claimed':
      return paint.name;
    case 'waiting':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
    case 'paused':
    case 'cancelled':
    case 'refused':
    case 'unknown':
    case 'worker-stopped':
    case 'worker-lost':
    case 'disowned':
    case 'unrecorded':
      return paint.warn;
    default:
      return paint.bad;
  }
}
