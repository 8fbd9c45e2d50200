import picocolors from 'picocolors';

/** Colours by meaning. All are the identity where colour is off. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly name: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

export function palette(on: boolean): Palette {
  const colours = picocolors.createColors(on);
  return {
    good: colours.green,
    bad: colours.red,
    warn: colours.yellow,
    name: colours.cyan,
    faint: colours.dim,
    strong: colours.bold,
  };
}

/** Colour goes to terminals that know it; NO_COLOR (no-color.org) has the last word. */
export function wantsColour(how: { isTerminal: boolean; env: NodeJS.ProcessEnv }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = how.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return how.isTerminal && TERM !== 'dumb';
}

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
    case 'ending':
      return paint.name;
    case 'waiting':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
    case 'paused':
    case 'cancelled':
    case 'rejected':
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
