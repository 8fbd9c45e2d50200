import { Worker } from 'node:worker_threads';
import { searchThreadEntry } from '../../host/package-root.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { RUN_ID } from '../../schemas/run/run.ts';
import { messageOf } from '../../system/error-code.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { nearestIds } from '../start/nearest-ids.ts';
import { runFolders, statOf } from '../view/run-files.ts';
import { matcherOf } from './matcher.ts';
import type { SearchEvent } from './search-event.ts';
import type { SearchQuery } from './search-query.ts';
import { readProgress, sharedProgress } from './shared-progress.ts';

/** What the thread is started with. */
export interface ThreadInput {
  readonly ralphHome: string;
  readonly query: SearchQuery;
  readonly shared: SharedArrayBuffer;
}

/**
 * Search the runs that have files on this machine, the latest run first and in it the latest round first. Needs no
 * Temporal. Hits come as they are found; the last event is `end`, which is missing only if `signal` was aborted. The
 * search runs in a thread, which is ended when the time is over, the signal is aborted or the caller stops reading: a
 * regular expression that never ends holds up nothing. Throws RalphError `search-text-empty`, `search-pattern-invalid`,
 * `no-such-run`.
 */
export async function* searchRuns(
  ralphHome: string,
  query: SearchQuery,
  signal: AbortSignal,
): AsyncGenerator<SearchEvent, void> {
  validate(ralphHome, query);
  const shared = sharedProgress();
  const workerData: ThreadInput = { ralphHome, query, shared };
  const thread = new Worker(await searchThreadEntry(), { workerData });
  const inbox = inboxOf(thread, { timeMs: query.limits.timeMs, signal });
  let hits = 0;
  let unread = 0;
  try {
    for (;;) {
      const said = await inbox.next();
      if (said === 'aborted') return;
      if (said === 'out-of-time') {
        await thread.terminate();
        const { reading, ...progress } = readProgress(shared);
        const stopped = { by: 'time', reading } as const;
        yield { kind: 'end', ...progress, hits, unread, cut: [], longLines: 0, stopped };
        return;
      }
      if (said.kind === 'hit') hits += 1;
      if (said.kind === 'unread') unread += 1;
      yield said;
      if (said.kind === 'end') return;
    }
  } finally {
    inbox.close();
    await thread.terminate();
  }
}

function validate(ralphHome: string, query: SearchQuery): void {
  const { text, runId } = query;
  if (text === '') throw ralphError('search-text-empty', {});
  try {
    matcherOf(query);
  } catch (error) {
    if (error instanceof SyntaxError) throw ralphError('search-pattern-invalid', { reason: messageOf(error) });
    throw error;
  }
  if (runId !== null && (!RUN_ID.test(runId) || statOf(runPaths(ralphHome, runId).root) === null)) {
    throw ralphError('no-such-run', { runId, nearest: nearestIds(runId, runFolders(ralphHome)) });
  }
}

/** What a thread says, one message after the other, until its time is over or the signal is aborted. */
function inboxOf(thread: Worker, { timeMs, signal }: { timeMs: number; signal: AbortSignal }) {
  type Said = SearchEvent | 'out-of-time' | 'aborted';
  const waiting: Said[] = [];
  let failure: unknown = null;
  let wake: (() => void) | null = null;
  const say = (said: Said): void => {
    waiting.push(said);
    wake?.();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    wake?.();
  };
  const onAbort = (): void => say('aborted');
  const timer = setTimeout(() => say('out-of-time'), timeMs);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  thread.on('message', (event: SearchEvent) => say(event));
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the thread that searches ended before its search')));
  return {
    async next(): Promise<Said> {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) return next;
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
