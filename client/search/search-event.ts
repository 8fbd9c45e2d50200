import type { SearchKind } from './search-query.ts';

/** A text around a match, safe to print, in one line. "…" stands where it was cut. */
export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Where a text of a run is. */
export interface Place {
  readonly where: SearchKind;
  /** What printed it, or was told it; null: the objective. */
  readonly part: 'setup' | 'agent' | 'gates' | 'review' | null;
  /** 0: before round 1; null: the objective. */
  readonly round: number | null;
  /** Which attempt, which run of the gates or which review of the round; null: the objective. */
  readonly attempt: number | null;
  /** Of gates, which command: 0 is the setup on their clean checkout, 1 the first gate; else null. */
  readonly command: number | null;
  /** Of what was printed; else null. */
  readonly stream: 'stdout' | 'stderr' | null;
  readonly file: string;
}

/** A line that matches. Each line is one hit, however often it matches. */
export interface SearchHit extends Place, Excerpt {
  readonly kind: 'hit';
  readonly runId: string;
  /** From 1. Null: a field of a report. */
  readonly line: number | null;
  /** Where the line begins in its file, in bytes; null: a field of a report, or the objective. */
  readonly offset: number | null;
  /** Of a report: `summary`, `evidence`, `nextSteps`, `blocker`, `finalText`, `fault` or `reasons`; else null. */
  readonly field: string | null;
}

/** What could not be searched. */
export interface Unread {
  readonly kind: 'unread';
  readonly runId: string;
  readonly file: string;
  readonly problem: string;
}

/** How far a search came. */
export interface SearchProgress {
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
}

/** The last event. */
export interface SearchEnd extends SearchProgress {
  readonly kind: 'end';
  readonly hits: number;
  /** How many files could not be searched; at most 100 of them are named. */
  readonly unread: number;
  /** Runs with more hits than were asked for of one run. */
  readonly cut: readonly string[];
  /** How many lines were too long to be decoded as a whole, so that they were searched in pieces. */
  readonly longLines: number;
  /** Null: everything was searched. `reading`: the file that was searched when the time was over. */
  readonly stopped: { readonly by: 'hits' } | { readonly by: 'time'; readonly reading: string | null } | null;
}

export type SearchEvent = SearchHit | Unread | SearchEnd;
