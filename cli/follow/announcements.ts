import type { CheckLine } from '../../client/view/run-view.ts';
import type { TemporalRun } from '../../client/view/temporal-run.ts';

/** Which lines of a follower were said: each change is told once, and a check neither again nor after its result. */
export interface Announcements {
  /** Whether this is to be said now; then it counts as said. `run`: of which it tells; null: of none. */
  isNews(change: string, run: TemporalRun | null): boolean;
  /** The result of a check was told. */
  checkEnded(check: CheckLine): void;
}

export function announcements(): Announcements {
  /** The last number of each check whose result was told. */
  const told = new Map<string, number>();
  let said = { change: '', number: null as number | null };
  return {
    isNews(change, run) {
      const check = run === null ? null : checkOf(run);
      const number = check === null ? null : check.number;
      if (check !== null) {
        const last = told.get(check.name);
        if (last !== undefined && (number === null || number <= last)) return false;
      }
      // What was said before its number was known is the same check.
      const isSame = change === said.change && (number === null || said.number === null || number === said.number);
      if (isSame && number === null) return false;
      said = { change, number };
      return !isSame;
    },
    checkEnded({ kind, round, number }) {
      told.set(`${kind}/${round}`, number);
    },
  };
}

/** The check that a run is in. `number`: null until its worker has told it. */
function checkOf({ memo, check }: TemporalRun): { name: string; number: number | null } | null {
  if (memo === null || memo.status !== 'checking') return null;
  const kind = memo.why !== null && memo.why.startsWith('review') ? 'review' : 'gates';
  const isIt = check !== null && check.round === memo.round && check.what === kind;
  return { name: `${kind}/${memo.round}`, number: isIt ? check.check : null };
}
