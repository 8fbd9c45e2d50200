import path from 'node:path';
import { durationText } from '../../schemas/text/duration.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import { passes, traceOf } from '../../schemas/verification/gate.ts';
import type { GateCheck, GatePolicy, GateResult, GateTrace } from '../../schemas/verification/gate.ts';
import type { ReviewRecord } from '../../schemas/verification/review.ts';
import { gateVerdict } from '../../workflows/decide/gate-verdict.ts';
import { checkPaths, numbersOf, reviewPaths } from '../../workspaces/records/run-paths.ts';
import { recordOf, type RunRecords } from './run-records.ts';
import type { CheckOutcome, CheckRow, CheckView, GateLine, RecordView } from './round-view.ts';
import { tellingLine } from './telling-line.ts';

const MAX_REASON_CHARS = 300;

/** What a verdict on gates is given by. `baseline`: how they ended before round 1; null: not known. */
export interface GateRules {
  readonly policy: GatePolicy;
  readonly baseline: readonly GateTrace[] | null;
}

type Checked = Pick<RunRequest, 'gates' | 'gatePolicy' | 'reviewer' | 'previous'>;

/**
 * Every run of the gates and every review of a run, in order.
 * @param from the first round that is looked at
 * @param live whether one without a record may be under way
 */
export async function checkRows(
  records: RunRecords,
  request: Checked,
  { from, live }: { from: number; live: boolean },
): Promise<CheckRow[]> {
  if (!isChecked(request)) return [];
  const rows: CheckRow[] = [];
  for (const round of await records.rounds()) {
    if (round < from) continue;
    for (const { row } of await checksOf(records, request, { round, live })) rows.push(row);
  }
  return rows;
}

/** The same of one round, with their records and files. */
export async function checkViews(
  records: RunRecords,
  request: Checked,
  { round, live }: { round: number; live: boolean },
): Promise<CheckView[]> {
  if (!isChecked(request)) return [];
  const checks = await checksOf(records, request, { round, live });
  return await Promise.all(
    checks.map(async ({ row, record }) => ({ ...row, record, kept: await keptOf(records, row) })),
  );
}

const isChecked = ({ gates, gatePolicy, reviewer }: Checked): boolean =>
  gates.length > 0 || gatePolicy.protect.length > 0 || reviewer !== null;

interface Check {
  readonly row: CheckRow;
  readonly record: RecordView<GateCheck | ReviewRecord>;
}

async function checksOf(
  records: RunRecords,
  request: Checked,
  { round, live }: { round: number; live: boolean },
): Promise<Check[]> {
  const claimOf = round === 0 && request.previous !== null ? request.previous.pending : null;
  const rules: GateRules = { policy: request.gatePolicy, baseline: await baselineOf(records) };
  const begun = await records.begun(round);
  const gates = begun.gates.map(async (number): Promise<Check> => {
    const read = await records.gateCheck(round, number);
    const record = recordOf(read);
    const isBaseline = round === 0 && claimOf === null;
    const outcome = record === null ? openOutcome(number, begun.gates, live) : gatesOutcome(record, rules, isBaseline);
    return { row: { check: 'gates', round, claimOf, number, outcome, took: tookOf(record) }, record: read };
  });
  const reviews = begun.reviews.map(async (number): Promise<Check> => {
    const read = await records.review(round, number);
    const record = recordOf(read);
    const outcome = record === null ? openOutcome(number, begun.reviews, live) : reviewOutcome(record);
    const took = record === null || record.kind === 'interrupted' ? null : tookOf(record);
    return { row: { check: 'review', round, claimOf, number, outcome, took }, record: read };
  });
  return await Promise.all([...gates, ...reviews]);
}

/** How the gates ended before round 1 of the run, or of its chain; null: not known. */
async function baselineOf(records: RunRecords): Promise<readonly GateTrace[] | null> {
  const state = recordOf(await records.state());
  if (state !== null && state.baseline !== null) return state.baseline;
  const { gates } = await records.begun(0);
  for (const number of gates.toReversed()) {
    const check = recordOf(await records.gateCheck(0, number));
    if (check !== null && check.kind === 'checked') return check.gates.map((gate) => traceOf(gate));
  }
  return null;
}

/** What has no record is under way, unless the run has ended, or another one was begun since. */
const openOutcome = (number: number, begun: readonly number[], live: boolean): CheckOutcome => ({
  kind: live && number === begun.at(-1) ? 'under-way' : 'interrupted',
});

const tookOf = (record: { startedAt: string; endedAt: string } | null): CheckRow['took'] =>
  record === null ? null : { startedAt: record.startedAt, endedAt: record.endedAt };

/** What a run of the gates came to, by the loop's own verdict. */
export function gatesOutcome(check: GateCheck, { policy, baseline }: GateRules, isBaseline: boolean): CheckOutcome {
  if (check.kind === 'failed') return failed(check.fault);
  const { reasons, excused } = gateVerdict(check, policy, baseline);
  const gates = check.gates.map((gate): GateLine => {
    const { command, exitCode, timedOut, ms, changed } = gate;
    const result = passes(gate) ? 'passed' : !isBaseline && excused.includes(command) ? 'excused' : 'failed';
    const said = result === 'passed' || changed.length > 0 ? null : tellingLine(gate.output);
    return { command, result, exitCode, timedOut, ms, changed, said };
  });
  if (isBaseline) return { kind: 'baseline', gates };
  if (reasons.length === 0) return { kind: 'accepted', gates };
  const { protectedPaths } = check;
  return {
    kind: 'rejected',
    reasons: [
      ...(protectedPaths.length > 0 ? [`it changed protected paths: ${protectedPaths.join(', ')}`] : []),
      ...check.gates
        .filter((_, i) => gates[i]?.result === 'failed')
        .map((gate) => `${gate.isSetup ? 'setup' : 'gate'} "${gate.command}" ${howItEnded(gate)}`),
    ],
    gates,
  };
}

/** How a gate that failed ended, in a few words. */
function howItEnded({ exitCode, timedOut, ms, changed }: GateResult): string {
  if (changed.length > 0) return `changed files that it must not change: ${changed.join(', ')}`;
  if (timedOut) return `did not end within ${durationText(ms)}`;
  return exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
}

/** What a review came to. */
export function reviewOutcome(record: ReviewRecord): CheckOutcome {
  switch (record.kind) {
    case 'interrupted':
      return { kind: 'interrupted' };
    case 'failed':
      return failed(record.fault);
    case 'reviewed': {
      const { decision, reasons } = record.review;
      if (decision === 'accept') return { kind: 'accepted', gates: [] };
      return { kind: 'rejected', reasons: reasons.map(short), gates: [] };
    }
    default:
      return record satisfies never;
  }
}

const failed = ({ code, message }: Fault): CheckOutcome => ({ kind: 'failed', reason: short(`${code}: ${message}`) });

const short = (text: string): string =>
  text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;

/** The files of a check: a review's, or those of each step of the gates. */
async function keptOf({ files }: RunRecords, { check, round, number }: CheckRow): Promise<CheckView['kept']> {
  if (check === 'review') {
    const { root, prompt, transcript, stderr } = reviewPaths(files.paths, round, number);
    return { folder: root, files: await thereOf(files, { prompt, transcript, stderr }) };
  }
  const { root, step } = checkPaths(files.paths, round, number);
  const all: Record<string, string> = {};
  for (const command of numbersOf('command', await files.list(root))) {
    const { root: folder, transcript, stderr } = step(command);
    const name = path.basename(folder);
    Object.assign(all, { [`${name}/transcript`]: transcript, [`${name}/stderr`]: stderr });
  }
  return { folder: root, files: await thereOf(files, all) };
}

/** Those of some files that exist. */
export async function thereOf(
  files: RunRecords['files'],
  named: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const there: Record<string, string> = {};
  for (const [name, file] of Object.entries(named)) if ((await files.stat(file)) !== null) there[name] = file;
  return there;
}

/** Why a completion claim was rejected; null: it was not. */
export function rejectionOf(checks: readonly CheckRow[], round: number): readonly string[] | null {
  const last = checks.findLast((check) => check.round === round && check.outcome.kind === 'rejected');
  return last !== undefined && last.outcome.kind === 'rejected' ? last.outcome.reasons : null;
}
