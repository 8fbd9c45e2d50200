import { distance } from 'fastest-levenshtein';

const MOST = 3;

/** At most three of the ids that a mistyped one may mean: those it begins or ends, then those a few letters away. */
export function nearestIds(wanted: string, ids: readonly string[]): string[] {
  const bound = Math.max(2, Math.floor(wanted.length / 3));
  return ids
    .map((id) => ({ id, far: wanted !== '' && id.includes(wanted) ? 0 : distance(wanted, id) }))
    .filter(({ far }) => far <= bound)
    .toSorted((a, b) => a.far - b.far || a.id.localeCompare(b.id))
    .slice(0, MOST)
    .map(({ id }) => id);
}
