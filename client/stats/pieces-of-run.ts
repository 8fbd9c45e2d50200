import { Interruption } from '../../schemas/round/fault.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { agentOfTitle, agentTitle, type RunRequest } from '../../schemas/run/run.ts';
import { checkRows } from '../view/check-rows.ts';
import { recordOf, type RunRecords } from '../view/run-records.ts';
import type { CheckRow, RecordView } from '../view/round-view.ts';
import { NO_USAGE, type Piece } from './piece.ts';

/** The round of a run whose completion claim was rejected. */
type Rejection = `${string}/${number}`;

/** What a run tells of what it used. */
export interface RunPieces {
  readonly pieces: readonly Piece[];
  /** Also of the run before, whose claim this one checked. */
  readonly rejections: readonly Rejection[];
  readonly requestedAt: string | null;
  /** Null: not known. */
  readonly waitMs: number | null;
  readonly problems: readonly string[];
}

/** Read a run: its request, its ledger, its last state, and the records of its checks, each once. */
export async function piecesOfRun(records: RunRecords): Promise<RunPieces> {
  const { runId, paths } = records.files;
  const problems: string[] = [];
  const held = <T>(read: RecordView<T>): T | null => {
    if (read.kind === 'damaged') problems.push(read.problem);
    return recordOf(read);
  };
  const readRequest = await records.request();
  const request = held(readRequest);
  if (readRequest.kind === 'missing' && (await records.files.list(paths.root)).length > 0) {
    problems.push(`${paths.request} is missing`);
  }
  const ledger = held(await records.ledger()) ?? { attempts: [], rolledBack: [] };
  const checks = request === null ? [] : await checkRows(records, request, { from: 0, live: false });
  const checked: Piece[] = [];
  for (const row of checks) {
    checked.push(row.check === 'gates' ? gatesPiece(runId, row) : await reviewPiece(records, row, request));
    const record =
      row.check === 'gates' ? records.gateCheck(row.round, row.number) : records.review(row.round, row.number);
    held<unknown>(await record);
  }
  const attempts = [...ledger.attempts, ...ledger.rolledBack].map((line) => attemptPiece(runId, line, request));
  return {
    pieces: [...attempts, ...checked],
    rejections: checks.filter(({ outcome }) => outcome.kind === 'rejected').map((row) => claimOf(runId, row)),
    requestedAt: request === null ? null : request.requestedAt,
    waitMs: await waitOf(records, held),
    problems,
  };
}

const claimOf = (runId: string, { claimOf: claim, round }: CheckRow): Rejection =>
  claim === null ? `${runId}/${round}` : `${claim.runId}/${claim.round}`;

/** An attempt whose completion claim was rejected is told as such. */
export const withRejections = (pieces: readonly Piece[], rejections: ReadonlySet<string>): Piece[] =>
  pieces.map((piece) => {
    const isRejected = piece.purpose === 'kept' && rejections.has(`${piece.runId}/${piece.round}`);
    return isRejected ? { ...piece, purpose: 'rejected' } : piece;
  });

const INTERRUPTIONS: readonly string[] = Interruption.options;
const REPORTS: readonly string[] = ['continue', 'complete', 'blocked'];

function attemptPiece(runId: string, line: LedgerLine, request: RunRequest | null): Piece {
  const { round, status, outcome, usage, costUsd, costEstimated, changes, agentMs, startedAt } = line;
  const tookMs = Math.max(0, Date.parse(line.endedAt) - Date.parse(startedAt));
  const isInterrupted = INTERRUPTIONS.includes(outcome);
  // An agent that never ran used nothing.
  const none = agentMs === 0 && usage === null;
  return {
    runId,
    round,
    purpose:
      status === 'void' ? 'rolled-back' : isInterrupted ? 'interrupted' : REPORTS.includes(outcome) ? 'kept' : 'failed',
    startedAt,
    by: line.agent === null ? ownAgent(request) : agentOfTitle(line.agent),
    // The end of one that was lost is when that was found.
    timeMs: isInterrupted && agentMs === null ? null : tookMs,
    usage: none ? NO_USAGE : usage,
    costUsd: none && costUsd === null ? 0 : costUsd,
    costEstimated,
    changes,
    overheadMs: agentMs === null ? null : Math.max(0, tookMs - agentMs),
  };
}

/** Where nothing says who made an attempt, and only one agent may have. */
function ownAgent(request: RunRequest | null): { agent: string | null; model: string | null } {
  if (request === null || request.fallbackAgent !== null) return { agent: null, model: null };
  return agentOfTitle(agentTitle(request.agent));
}

const gatesPiece = (runId: string, { round, took }: CheckRow): Piece => ({
  runId,
  round,
  purpose: 'gates',
  startedAt: took === null ? null : took.startedAt,
  by: null,
  timeMs: tookMsOf(took),
  usage: NO_USAGE,
  costUsd: 0,
  costEstimated: false,
  changes: null,
  overheadMs: undefined,
});

async function reviewPiece(records: RunRecords, row: CheckRow, request: RunRequest | null): Promise<Piece> {
  const record = recordOf(await records.review(row.round, row.number));
  const reviewer = request === null ? null : request.reviewer;
  const none = record !== null && record.agentMs === 0 && record.usage === null;
  return {
    runId: records.files.runId,
    round: row.round,
    purpose: 'reviews',
    startedAt: row.took === null ? null : row.took.startedAt,
    by: reviewer === null ? { agent: null, model: null } : agentOfTitle(agentTitle(reviewer)),
    timeMs: tookMsOf(row.took) ?? (record === null ? null : record.agentMs),
    usage: none ? NO_USAGE : record === null ? null : record.usage,
    costUsd: none && record.costUsd === null ? 0 : record === null ? null : record.costUsd,
    costEstimated: record !== null && record.costEstimated,
    changes: null,
    overheadMs: undefined,
  };
}

/** Timestamps are a worker's: clocks can be set back. */
const tookMsOf = (took: CheckRow['took']): number | null =>
  took === null ? null : Math.max(0, Date.parse(took.endedAt) - Date.parse(took.startedAt));

async function waitOf(records: RunRecords, held: <T>(read: RecordView<T>) => T | null): Promise<number | null> {
  const ending = held(await records.ending());
  if (ending !== null) return (ending.state?.spent ?? ending.spent)?.waitMs ?? null;
  return held(await records.state())?.spent.waitMs ?? null;
}
