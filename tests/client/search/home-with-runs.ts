import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { searchRuns } from '../../../client/search/search-runs.ts';
import type { SearchEnd, SearchEvent, SearchHit, Unread } from '../../../client/search/search-event.ts';
import { DEFAULT_SEARCH_LIMITS, SEARCH_KINDS, type SearchQuery } from '../../../client/search/search-query.ts';
import { recordRun } from '../../cli/support/recorded-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A query for a plain text in everything; `more`: what matters to the test. */
export const queryFor = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  regex: false,
  ignoreCase: false,
  runId: null,
  kinds: SEARCH_KINDS,
  sinceMs: null,
  limits: DEFAULT_SEARCH_LIMITS,
  ...more,
});

const all = tempFolder('search');

/** A RALPH_HOME without runs. */
export const emptyHome = (): string => mkdtempSync(path.join(all, 'home-'));

/** A RALPH_HOME with a run of two rounds that has a text of each kind. */
export async function homeWithRuns(): Promise<{ home: string; file: (...names: string[]) => string }> {
  const home = emptyHome();
  const file = (...names: string[]): string => path.join(home, 'runs', ...names);
  await recordRun({
    home,
    runId: 'first',
    rounds: 2,
    objective: 'Migrate the widgets\nto the amber store',
    summary: 'moved the cobalt part',
    transcript: '',
    ended: true,
  });
  return { home, file };
}

export function write(file: string, text: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Change when a file was written. */
export const writtenAt = (file: string, at: Date): void => utimesSync(file, at, at);

export interface Searched {
  readonly hits: readonly SearchHit[];
  readonly unread: readonly Unread[];
  readonly end: SearchEnd | null;
}

export async function search(
  home: string,
  query: SearchQuery,
  signal = new AbortController().signal,
): Promise<Searched> {
  const events: SearchEvent[] = [];
  for await (const event of searchRuns(home, query, signal)) events.push(event);
  return {
    hits: events.filter((event) => event.kind === 'hit'),
    unread: events.filter((event) => event.kind === 'unread'),
    end: events.find((event) => event.kind === 'end') ?? null,
  };
}
