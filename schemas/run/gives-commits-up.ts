import type { Rollback } from './rollback.ts';

/** Whether there is something to keep; else there is no such ref. */
export const givesCommitsUp = ({ commit, abandoned }: Pick<Rollback, 'commit' | 'abandoned'>): boolean =>
  abandoned !== commit;
