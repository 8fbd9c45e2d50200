/** Where a text can be. `transcript`: what agents, the setup and reviewers printed. `gate`: what gates printed. */
export const SEARCH_KINDS = ['objective', 'prompt', 'report', 'transcript', 'gate'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** What a search stops at. */
export interface SearchLimits {
  /** Most hits in all. */
  readonly hits: number;
  /** Most hits in one run. */
  readonly hitsPerRun: number;
  /** Milliseconds. The thread that searches is ended then, even in the middle of a regular expression. */
  readonly timeMs: number;
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = { hits: 100, hitsPerRun: 10, timeMs: 20_000 };

/** What is searched for, and where. Plain data: it is sent to a thread. */
export interface SearchQuery {
  readonly text: string;
  /** Whether `text` is a regular expression of JavaScript, with the flags `m` and `u`. */
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  /** Only this run; null: all. */
  readonly runId: string | null;
  readonly kinds: readonly SearchKind[];
  /** Only what was written since then, in milliseconds of the epoch; null: everything. */
  readonly sinceMs: number | null;
  readonly limits: SearchLimits;
}
