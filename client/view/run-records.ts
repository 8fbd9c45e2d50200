import type { z } from 'zod';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { RunEnding } from '../../schemas/run/result.ts';
import { Rollbacks, type Rollback } from '../../schemas/run/rollback.ts';
import { LoopState } from '../../schemas/loop/state.ts';
import { agentTitle, RunRequest } from '../../schemas/run/run.ts';
import { AttemptOutcome } from '../../schemas/round/round.ts';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { GateCheck } from '../../schemas/verification/gate.ts';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { messageOf } from '../../system/error-code.ts';
import { parseLine } from '../../workspaces/records/ledger.ts';
import {
  attemptPaths,
  checkPaths,
  numbersOf,
  reviewPaths,
  roundFolder,
  roundStatePath,
} from '../../workspaces/records/run-paths.ts';
import type { RunFiles } from './run-files.ts';
import type { RecordView } from './round-view.ts';

/** A record is an agent's report and what is known beside it; a ledger has a line per attempt. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** A line of the ledger has a summary of 200 characters and a few numbers. */
const LAST_LINES_BYTES = 16 * 1024;

/** The attempts of a run that ended; those that a rollback made void are apart. */
interface Ledger {
  readonly attempts: readonly LedgerLine[];
  readonly rolledBack: readonly LedgerLine[];
}

/** The records of one run. Each file is opened once, however often it is asked for. */
export interface RunRecords {
  readonly files: RunFiles;
  request(): Promise<RecordView<RunRequest>>;
  ending(): Promise<RecordView<RunEnding>>;
  /** The state that a step was asked with last. */
  state(): Promise<RecordView<LoopState>>;
  /** The state before a round. */
  roundState(round: number): Promise<RecordView<LoopState>>;
  rollbacks(): Promise<RecordView<readonly Rollback[]>>;
  ledger(): Promise<RecordView<Ledger>>;
  /** The last attempt that counts, from the end of the ledger alone; null: none, or not within its last lines. */
  lastAttempt(): Promise<LedgerLine | null>;
  outcome(round: number, attempt: number): Promise<RecordView<AttemptOutcome>>;
  gateCheck(round: number, number: number): Promise<RecordView<GateCheck>>;
  review(round: number, number: number): Promise<RecordView<ReviewRecord>>;
  /** Numbers of the rounds that were begun, in order; 0: what came before the first. */
  rounds(): Promise<readonly number[]>;
  /** Numbers of the attempts at a round, of the runs of its gates and of its reviews, in order. */
  begun(round: number): Promise<{ attempts: readonly number[]; gates: readonly number[]; reviews: readonly number[] }>;
}

export function runRecords(files: RunFiles): RunRecords {
  const { paths } = files;
  const record = <S extends z.ZodType>(file: string, schema: S): Promise<RecordView<z.infer<S>>> =>
    readRecord(files, file, (text) => parseRecord(schema, JSON.parse(text)));
  const request = once(() => record(paths.request, RunRequest));
  const begun = async (round: number) => {
    const names = await files.list(roundFolder(paths, round));
    return {
      attempts: numbersOf('attempt', names),
      gates: numbersOf('gates', names),
      reviews: numbersOf('review', names),
    };
  };
  return {
    files,
    request,
    ending: once(() => record(paths.ending, RunEnding)),
    state: once(() => record(paths.state, LoopState)),
    roundState: onceEach((round) => record(roundStatePath(paths, round), LoopState)),
    rollbacks: once(async () => {
      const read = await record(paths.rollbacks, Rollbacks);
      return read.kind === 'there' ? { kind: 'there', record: read.record.rollbacks } : read;
    }),
    ledger: once(() => readRecord(files, paths.index, ledgerOf)),
    lastAttempt: once(async () => {
      const end = await files.readRange(paths.index, { from: -LAST_LINES_BYTES, bytes: LAST_LINES_BYTES });
      const rows = end === null ? [] : end.toString().split('\n').toReversed();
      for (const row of rows) {
        const line = parseLine(row);
        if (line !== null && line.status === 'valid') return line;
      }
      return null;
    }),
    outcome: onceEach((round, attempt) => record(attemptPaths(paths, round, attempt).outcome, AttemptOutcome)),
    gateCheck: onceEach((round, number) => record(checkPaths(paths, round, number).record, GateCheck)),
    review: onceEach((round, number) => record(reviewPaths(paths, round, number).outcome, ReviewRecord)),
    rounds: once(async () => numbersOf('round', await files.list(paths.rounds))),
    begun: onceEach(begun),
  };
}

async function readRecord<T>(files: RunFiles, file: string, parse: (text: string) => T): Promise<RecordView<T>> {
  try {
    const text = await files.read(file, MAX_RECORD_BYTES);
    if (text === null) return { kind: 'missing' };
    return { kind: 'there', record: parse(text) };
  } catch (error) {
    const problem =
      error instanceof SyntaxError || isZodError(error) ? `${file} does not hold what it should` : messageOf(error);
    return { kind: 'damaged', problem };
  }
}

const isZodError = (error: unknown): boolean => error instanceof Error && error.name === 'ZodError';

/**
 * Lines that a crash tore are passed over. An attempt that was written twice, as its activity was killed right after the
 * first time, counts once, as it was written last.
 */
function ledgerOf(text: string): Ledger {
  const lines = new Map<string, LedgerLine>();
  for (const row of text.split('\n')) {
    const line = parseLine(row);
    if (line !== null) lines.set(`${line.round}/${line.attempt}`, line);
  }
  const all = [...lines.values()];
  return {
    attempts: all.filter(({ status }) => status === 'valid'),
    rolledBack: all.filter(({ status }) => status === 'void'),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () => (value ??= read());
}

function onceEach<Keys extends readonly number[], T>(
  read: (...keys: Keys) => Promise<T>,
): (...keys: Keys) => Promise<T> {
  const values = new Map<string, Promise<T>>();
  return (...keys) => {
    const key = keys.join('/');
    const value = values.get(key) ?? read(...keys);
    values.set(key, value);
    return value;
  };
}

/** What a record holds; null where it is missing or damaged. */
export const recordOf = <T>(read: RecordView<T>): T | null => (read.kind === 'there' ? read.record : null);

/** An attempt with its agent only where that was not the run's own: the fallback agent. */
export function byOthers(request: Pick<RunRequest, 'agent'> | null): (line: LedgerLine) => LedgerLine {
  const own = request === null ? null : agentTitle(request.agent);
  return (line) => (line.agent === own ? { ...line, agent: null } : line);
}
