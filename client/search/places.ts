import { readdirSync } from 'node:fs';
import { hasCode } from '../../system/error-code.ts';
import {
  attemptPaths,
  checkPaths,
  reviewPaths,
  roundFolder,
  type RunPaths,
  type StepPaths,
} from '../../workspaces/records/run-paths.ts';
import type { Place } from './search-event.ts';

/** A folder whose names cannot be read. */
interface UnlistedFolder {
  readonly folder: string;
  readonly error: unknown;
}

/** Names and numbers in a folder: `attempt-2`, `gates-1`. */
const NUMBERED = /^([a-z]+)-(\d+)$/;

/**
 * Where a run has texts, whether or not the files are there: the objective, then the rounds, the latest first; of a round
 * first its reviews, then its gates and attempts. A folder that cannot be listed is given instead of what is in it.
 */
export function* placesOf(run: RunPaths): Generator<Place | UnlistedFolder> {
  const unlisted: UnlistedFolder[] = [];
  const namesIn = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) unlisted.push({ folder, error });
      return [];
    }
  };
  const numbered = (folder: string) => numberedIn(namesIn(folder));
  yield {
    where: 'objective',
    part: null,
    round: null,
    attempt: null,
    command: null,
    stream: null,
    file: run.request,
  };
  const rounds = namesIn(run.rounds).filter((name) => /^\d+$/.test(name));
  for (const round of rounds.map(Number).toSorted((a, b) => b - a)) {
    const steps = numbered(roundFolder(run, round));
    for (const attempt of steps.get('review') ?? []) {
      yield* ofAgent(reviewPaths(run, round, attempt), { part: 'review', round, attempt });
    }
    for (const attempt of steps.get('gates') ?? []) {
      const { root, step } = checkPaths(run, round, attempt);
      for (const command of (numbered(root).get('step') ?? []).toReversed()) {
        yield* printed(step(command), { where: 'gate', part: 'gates', round, attempt, command });
      }
    }
    for (const attempt of steps.get('attempt') ?? []) {
      yield* ofAgent(attemptPaths(run, round, attempt), { part: round === 0 ? 'setup' : 'agent', round, attempt });
    }
  }
  yield* unlisted;
}

/** Numbers of the steps in a folder by their names, the latest first. */
function numberedIn(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const steps = new Map<string, number[]>();
  for (const each of names) {
    const [, name, number] = NUMBERED.exec(each) ?? [];
    if (name !== undefined) steps.set(name, [...(steps.get(name) ?? []), Number(number)]);
  }
  for (const numbers of steps.values()) numbers.sort((a, b) => b - a);
  return steps;
}

function* ofAgent(paths: StepPaths, at: Pick<Place, 'part' | 'round' | 'attempt'>): Generator<Place> {
  const place = { ...at, command: null, stream: null };
  // The outcome of a setup has no report.
  if (at.part !== 'setup') {
    yield { ...place, where: 'report', file: paths.outcome };
    yield { ...place, where: 'prompt', file: paths.prompt };
  }
  yield* printed(paths, { ...place, where: 'transcript' });
}

function* printed(paths: StepPaths, place: Omit<Place, 'file' | 'stream'>): Generator<Place> {
  yield { ...place, stream: 'stdout', file: paths.transcript };
  yield { ...place, stream: 'stderr', file: paths.stderr };
}
