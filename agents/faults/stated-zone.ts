import type { Tokens } from './time-words.ts';
import { isZone, shortNames, wallClock, type Zone } from './zone-clock.ts';

/** Against what a stated time is read: the clock, and the zone of a time that names none. */
export interface Here {
  readonly now: Date;
  readonly zone: string;
}

/** The zone that is stated, or the one here where none is. Null: one is stated, and nobody knows which. */
export function readZone(tokens: Tokens, here: Here): Zone | null {
  return tokens.take('(') ? readInBrackets(tokens, here) : readBareZone(tokens, here);
}

/** "(Europe/Berlin)", "(Etc/GMT+5)", "(UTC)". Other words in brackets are no zone: "(2056)", "(in 2 hours)". */
function readInBrackets(tokens: Tokens, here: Here): Zone | null {
  let name = '';
  for (let next = tokens.peek(); next !== null && next.text !== ')'; next = tokens.peek()) {
    name += next.glued || name === '' ? next.text : ` ${next.text}`;
    tokens.take(next.text.toLowerCase());
  }
  if (!tokens.take(')')) return null;
  return zoneNamed(name, here) ?? (LIKE_A_ZONE.test(name) ? null : here.zone);
}

const LIKE_A_ZONE = /^[A-Z][A-Za-z]*(\/|$)|^[A-Z]{2,5}\b/;

const REGIONS: Readonly<Record<string, string>> = {
  pacific: 'America/Los_Angeles',
  mountain: 'America/Denver',
  central: 'America/Chicago',
  eastern: 'America/New_York',
};

function readBareZone(tokens: Tokens, here: Here): Zone | null {
  const offset = tokens.try(() => readOffset(tokens));
  if (offset !== null) return offset;
  const region = tokens.takeOf(REGIONS);
  if (region !== null) {
    void (tokens.take('standard') || tokens.take('daylight'));
    // "Central European Time" is another one.
    return tokens.take('time') || !/^[A-Z]/.test(tokens.peek()?.text ?? '') ? region : null;
  }
  const name = tokens.peek()?.text ?? '';
  if (!/^([A-Z]{2,4}T|UTC|Z)$/.test(name) && !(/^[A-Z][a-z]+$/.test(name) && tokens.peek(1)?.text === '/'))
    return here.zone;
  tokens.take(name.toLowerCase());
  if (name === 'UTC' || name === 'GMT') return tokens.try(() => readOffset(tokens)) ?? 0;
  if (tokens.peek()?.text !== '/') return zoneNamed(name, here);
  let whole = name;
  while (tokens.peek()?.glued === true && /^[\p{L}/_+-]+$|^\d+$/u.test(tokens.peek()?.text ?? '')) {
    const part = tokens.peek()?.text ?? '';
    tokens.take(part.toLowerCase());
    whole += part;
  }
  return zoneNamed(whole, here);
}

/** "+08:00", "-0300", "+8", in minutes. */
function readOffset(tokens: Tokens): number | null {
  const sign = tokens.takeOf({ '+': 1, '-': -1, '−': -1 });
  if (sign === null) return null;
  const figures = tokens.peek();
  if (figures === null || !figures.glued || !/^(\d{1,2}|\d{4})$/.test(figures.text)) return null;
  tokens.take(figures.text);
  if (figures.text.length === 4) return sign * (Number(figures.text.slice(0, 2)) * 60 + Number(figures.text.slice(2)));
  const minutes = tokens.take(':') ? tokens.takeNumber(2, 2) : 0;
  const total = minutes === null ? null : Number(figures.text) * 60 + minutes;
  return total === null || total > 14 * 60 ? null : sign * total;
}

function zoneNamed(name: string, here: Here): Zone | null {
  // This machine's own name for it comes first.
  if (/^[A-Z]+$/.test(name) && shortNames(here.zone, here.now.getUTCFullYear()).includes(name)) return here.zone;
  const short = offsetOfName(name, here);
  if (short !== null) return short;
  const relative = /^(?:UTC|GMT)([+-]\d{1,2})(?::(\d{2}))?$/.exec(name);
  if (relative !== null) {
    const hours = Number(relative[1]);
    return hours * 60 + Math.sign(hours) * Number(relative[2] ?? 0);
  }
  return /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name) && isZone(name) ? name : null;
}

/** Short names of zones, by hours from UTC. Of a name that means several the first counts, unless it is known here. */
const SHORT: readonly (readonly [hours: number, names: string])[] = [
  [-10, 'HST'],
  [-9, 'AKST'],
  [-8, 'PST AKDT'],
  [-7, 'PDT MST'],
  [-6, 'CST MDT'],
  [-5, 'EST CDT'],
  [-4, 'EDT'],
  [-3, 'BRT'],
  [0, 'UTC GMT Z WET'],
  [1, 'CET BST WEST'],
  [2, 'CEST EET'],
  [3, 'EEST MSK'],
  [5.5, 'IST'],
  [8, 'SGT HKT AWST CST'],
  [9, 'JST KST'],
  [10, 'AEST'],
  [11, 'AEDT'],
  [12, 'NZST'],
  [13, 'NZDT'],
];

/** Minutes from UTC of a zone's short name; null where it is none. CST is China's in China, and else America's. */
function offsetOfName(name: string, { now, zone }: Here): number | null {
  const meant = SHORT.filter(([, names]) => names.split(' ').includes(name)).map(([hours]) => hours * 60);
  const local = ((wallClock(now, zone)?.getTime() ?? 0) - now.getTime()) / 60_000;
  return meant.find((minutes) => Math.abs(minutes - local) < 1) ?? meant[0] ?? null;
}
