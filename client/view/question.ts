import type { LedgerLine } from '../../schemas/run/ledger.ts';
import type { RunEnding } from '../../schemas/run/result.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { type Asker, askOf } from '../connect/reach.ts';
import { diskFiles, type RunFiles } from './run-files.ts';
import type { TemporalAnswer } from './run-phase.ts';
import { byOthers, recordOf, type RunRecords, runRecords } from './run-records.ts';
import type { RecordView } from './round-view.ts';

/** A run as its files tell it. Null, or empty, where a file is missing, and, with a note, where it cannot be read. */
export interface RecordedRun {
  readonly runId: string;
  readonly files: RunFiles;
  readonly records: RunRecords;
  readonly request: RunRequest | null;
  readonly ending: RunEnding | null;
  readonly attempts: readonly LedgerLine[];
  readonly rolledBack: readonly LedgerLine[];
  readonly rollbacks: readonly Rollback[];
  readonly notes: readonly string[];
}

/** One question about runs: what it needs of Temporal is asked once, and what it needs of the disk is read once. */
export interface Question {
  readonly deployment: Deployment;
  /** What Temporal says of a run. It is not asked where the ending is recorded. */
  temporal(runId: string): Promise<TemporalAnswer>;
  /** Its records alone, whatever Temporal says. */
  records(runId: string): RunRecords;
  /** The run's files, read after Temporal was asked: what has ended there has its last files. Null: none are here. */
  recorded(runId: string): Promise<RecordedRun | null>;
  /** Ask something else of Temporal; null: it cannot be asked. */
  ask<Answer>(asks: (link: TemporalLink) => Promise<Answer>): Promise<Answer | null>;
}

/** Answer a question over a connection of its own, if it needs one. */
export async function answered<Answer>(
  deployment: Deployment,
  answer: (question: Question) => Promise<Answer>,
): Promise<Answer> {
  const asker = askOf(deployment);
  try {
    return await answer(questionOver(asker, deployment));
  } finally {
    await asker.close();
  }
}

/** The same over a connection that a long-lived reader keeps. */
export function questionOver(asker: Asker, deployment: Deployment): Question {
  const { ralphHome } = deployment;
  const temporal = onceById(async (runId): Promise<TemporalAnswer> => {
    const files = diskFiles(ralphHome, runId);
    if ((await files.stat(files.paths.ending)) !== null) return { kind: 'not-asked' };
    const { answer, offline } = await asker.ask(async (link) => {
      const { describeRun } = await import('./temporal-run.ts');
      return describeRun(link, runId);
    });
    if (offline !== null) return { kind: 'unreachable', error: offline };
    return answer === null ? { kind: 'forgotten' } : { kind: 'known', run: answer };
  });
  const records = onceById((runId) => runRecords(diskFiles(ralphHome, runId)));
  const recorded = onceById(async (runId) => {
    await temporal(runId);
    return readRun(records(runId));
  });
  return { deployment, temporal, records, recorded, ask: async (asks) => (await asker.ask(asks)).answer };
}

/** Null where there is no such folder. */
export async function readRun(records: RunRecords): Promise<RecordedRun | null> {
  const { files } = records;
  if ((await files.stat(files.paths.root)) === null) return null;
  const notes: string[] = [];
  const held = <T>(read: RecordView<T>): T | null => {
    if (read.kind === 'damaged') notes.push(`${read.problem}.`);
    return recordOf(read);
  };
  const request = held(await records.request());
  const ending = held(await records.ending());
  const ledger = held(await records.ledger()) ?? { attempts: [], rolledBack: [] };
  const rollbacks = held(await records.rollbacks()) ?? [];
  const begun = rollbacks.find(({ done }) => !done);
  if (begun !== undefined) {
    const command = `ralph rollback ${files.runId} --to ${begun.to}`;
    notes.push(`A rollback did not finish, so the branch may be before or after it. \`${command}\` finishes it.`);
  }
  const toldBy = byOthers(request);
  return {
    runId: files.runId,
    files,
    records,
    request,
    ending,
    attempts: ledger.attempts.map(toldBy),
    rolledBack: ledger.rolledBack.map(toldBy),
    rollbacks,
    notes: [...new Set(notes)],
  };
}

function onceById<T>(read: (runId: string) => T): (runId: string) => T {
  const known = new Map<string, T>();
  return (runId) => {
    const value = known.get(runId) ?? read(runId);
    known.set(runId, value);
    return value;
  };
}
