import { readdirSync, readFileSync } from 'node:fs';
import { hasCode, messageOf } from '../../system/error-code.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { runFolders, statOf } from '../view/run-files.ts';
import { findInEvent, findInText } from './decoded-text.ts';
import { excerptAround } from './excerpt-around.ts';
import { linesInFile, openRegularFile } from './lines-in-file.ts';
import { type Matcher, matcherOf } from './matcher.ts';
import { placesOf } from './places.ts';
import type { Place, SearchEnd, SearchEvent, SearchHit, SearchProgress, Unread } from './search-event.ts';
import type { SearchQuery } from './search-query.ts';
import { textsInRecord } from './texts-in-record.ts';

const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const MAX_UNREAD_NAMED = 100;

/** What is being searched for, and how far the search came. */
interface Search {
  readonly query: SearchQuery;
  readonly matcher: Matcher;
  readonly read: { runs: number; files: number; bytes: number; longLines: number };
  readonly onFile: OnFile;
}

/** Called before a file is read. */
type OnFile = (file: string, progress: SearchProgress) => void;

/**
 * Search the runs that have files here, the latest first. It reads the disk synchronously and a regular expression can
 * take for ever: for a thread of its own.
 */
export function* scanRuns(ralphHome: string, query: SearchQuery, onFile: OnFile): Generator<SearchEvent> {
  const { limits, runId } = query;
  const search: Search = {
    query,
    matcher: matcherOf(query),
    read: { runs: 0, files: 0, bytes: 0, longLines: 0 },
    onFile,
  };
  const cut: string[] = [];
  let hits = 0;
  let unread = 0;
  const end = (stopped: SearchEnd['stopped']): SearchEnd => ({
    kind: 'end',
    ...search.read,
    hits,
    unread,
    cut,
    stopped,
  });
  for (const id of runId === null ? latestFirst(ralphHome) : [runId]) {
    let hitsInRun = 0;
    search.read.runs += 1;
    for (const event of eventsOfRun(ralphHome, id, search)) {
      if (event.kind === 'unread') {
        unread += 1;
        if (unread > MAX_UNREAD_NAMED) continue;
      }
      if (event.kind === 'hit') {
        if (hits === limits.hits) {
          yield end({ by: 'hits' });
          return;
        }
        if (hitsInRun === limits.hitsPerRun) {
          cut.push(id);
          break;
        }
        hits += 1;
        hitsInRun += 1;
      }
      yield event;
    }
  }
  yield end(null);
}

/** By when their requests were written, as `ralph list` has them. */
function latestFirst(ralphHome: string): string[] {
  const runs = runFolders(ralphHome).map((runId) => {
    const { root, request } = runPaths(ralphHome, runId);
    return { runId, at: (statOf(request) ?? statOf(root))?.changedAtMs ?? 0 };
  });
  return runs.toSorted((a, b) => b.at - a.at || a.runId.localeCompare(b.runId)).map(({ runId }) => runId);
}

function* eventsOfRun(ralphHome: string, runId: string, search: Search): Generator<SearchHit | Unread> {
  const { query, read, onFile } = search;
  const paths = runPaths(ralphHome, runId);
  const unread = (file: string, problem: string): Unread => ({ kind: 'unread', runId, file, problem });
  try {
    const hasRequest = statOf(paths.request) !== null;
    if (!hasRequest && hasFiles(paths.root)) yield unread(paths.request, 'it is missing');
    for (const place of placesOf(paths)) {
      if ('folder' in place) {
        yield unread(place.folder, problemOf(place.error));
        continue;
      }
      if (!query.kinds.includes(place.where)) continue;
      if (query.sinceMs !== null && (statOf(place.file)?.changedAtMs ?? 0) < query.sinceMs) continue;
      onFile(place.file, read);
      try {
        for (const hit of hitsIn(place, search)) yield { ...hit, kind: 'hit', runId };
      } catch (error) {
        yield unread(place.file, problemOf(error));
      }
    }
  } catch (error) {
    yield unread(paths.root, problemOf(error));
  }
}

/** A start that failed leaves an empty folder. */
function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    // Gone meanwhile, or a stray file among the folders of the runs.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}

const problemOf = (error: unknown): string =>
  error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')
    ? 'it does not hold what it should'
    : messageOf(error);

type Hit = Omit<SearchHit, 'kind' | 'runId'>;

function* hitsIn(place: Place, search: Search): Generator<Hit> {
  if (place.where === 'objective' || place.where === 'report') yield* hitsInRecord(place, search);
  else yield* hitsInLines(place, search);
}

function* hitsInLines(place: Place, { matcher, read }: Search): Generator<Hit> {
  const isEvents = place.stream === 'stdout';
  const find = (line: string) => (isEvents ? findInEvent(matcher, line) : findInText(matcher, line));
  const file = openRegularFile(place.file);
  if (file === null) return;
  read.files += 1;
  try {
    for (const { line, offset, found } of linesInFile(file, { matcher, find, read })) {
      yield { ...place, line, offset, field: null, ...excerptAround(found) };
    }
  } finally {
    file.close();
  }
}

/** An objective has lines; the texts of a report are named by their fields. */
function* hitsInRecord(place: Place, { matcher, read }: Search): Generator<Hit> {
  const file = openRegularFile(place.file);
  if (file === null) return;
  let bytes: Buffer;
  try {
    if (file.size > MAX_RECORD_BYTES) {
      throw new Error(`it has ${file.size} bytes, and at most ${MAX_RECORD_BYTES} of a record are read`);
    }
    bytes = readFileSync(file.handle);
  } finally {
    file.close();
  }
  read.files += 1;
  read.bytes += bytes.length;
  if (matcher.candidates(bytes)(0) === -1) return;
  for (const { field, text } of textsInRecord(place, bytes.toString())) {
    const lines = field === null ? text.split('\n') : [text];
    for (const [at, each] of lines.entries()) {
      const found = findInText(matcher, each);
      const line = field === null ? at + 1 : null;
      if (found !== null) yield { ...place, line, offset: null, field, ...excerptAround(found) };
    }
  }
}
