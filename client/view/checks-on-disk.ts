import path from 'node:path';
import type { z } from 'zod';
import { GateCheck } from '../../schemas/verification/gate.ts';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { inheritedClaim, type OpenClaim, type RunRequest } from '../../schemas/run/run.ts';
import { exists } from '../../system/exists.ts';
import { messageOf } from '../../system/message-of.ts';
import { baselineOf } from '../../workspaces/records/checks.ts';
import { checksAt, reviewsAt, roundsBegun, stepsAt } from '../../workspaces/records/steps.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { checkPaths, reviewPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { gatesLine, interruptedLine, openLine, reviewLine, type Rules } from './check-line.ts';
import type { CheckLine, CheckView } from './run-view.ts';

type Checked = Pick<RunRequest, 'gates' | 'gatePolicy' | 'reviewer' | 'predecessor'>;
type Asked = Rules & { readonly claim: OpenClaim | null };

/** Every run of the gates and every review that has a folder here, from a round on, in order. */
export async function checksOnDisk(run: RunPaths, request: Checked, from: number): Promise<CheckLine[]> {
  if (!isChecked(request)) return [];
  const rounds = (await roundsBegun(run)).filter((round) => round >= from);
  const rules = await rulesOf(run, request);
  const views = await Promise.all(rounds.map((round) => viewsAt(run, round, rules)));
  return views.flat().map(({ record: _record, problem: _problem, folder: _folder, files: _files, ...line }) => line);
}

/** The same of one round, with records and files. */
export async function checkViews(run: RunPaths, request: Checked, round: number): Promise<CheckView[]> {
  if (!isChecked(request)) return [];
  return await viewsAt(run, round, await rulesOf(run, request));
}

const isChecked = ({ gates, gatePolicy, reviewer }: Checked): boolean =>
  gates.length > 0 || gatePolicy.protect.length > 0 || reviewer !== null;

async function rulesOf(run: RunPaths, request: Checked): Promise<Asked> {
  // Null, too, where its record is damaged: that is said where the record is shown.
  const baseline = await baselineOf(run, request).catch(() => null);
  const claim = inheritedClaim(request);
  return { policy: request.gatePolicy, baseline, inherited: claim !== null, claim };
}

async function viewsAt(run: RunPaths, round: number, { claim, ...rules }: Asked): Promise<CheckView[]> {
  const claimOf = round > 0 || claim === null ? null : { runId: claim.runId, round: claim.round };
  const [checks, reviews, folders] = await Promise.all([
    checksAt(run, round),
    reviewsAt(run, round),
    stepsAt(run, round),
  ]);
  const filesOf = async (name: string): Promise<Record<string, string>> => {
    const all = folders.filter((folder) => folder.name === name || folder.name.startsWith(`${name}/`));
    const named = all.flatMap(({ name: full, paths: { prompt, transcript, stderr } }) => {
      const step = full.slice(name.length + 1);
      const prefix = step === '' ? '' : `${step}/`;
      // Only a reviewer has a prompt; a gate's is an empty file.
      const files = step === '' ? { prompt, transcript, stderr } : { transcript, stderr };
      return Object.entries(files).map(([what, file]) => [prefix + what, file] as const);
    });
    const there = await Promise.all(named.map(([, file]) => exists(file)));
    return Object.fromEntries(named.filter((_, i) => there[i] === true));
  };
  const gates = checks.map(async (number): Promise<CheckView> => {
    const { root, record: file } = checkPaths(run, round, number);
    const { record, problem } = await recordIn(file, GateCheck);
    const line = record === null ? lineless(number, checks) : gatesLine(record, rules);
    const files = await filesOf(path.basename(root));
    return { kind: 'gates', round, claimOf, number, ...line, record, problem, folder: root, files };
  });
  const reviewed = reviews.map(async (number): Promise<CheckView> => {
    const { root, outcome } = reviewPaths(run, round, number);
    const { record, problem } = await recordIn(outcome, ReviewRecord);
    const line = record === null ? lineless(number, reviews) : reviewLine(record);
    const files = await filesOf(path.basename(root));
    return { kind: 'review', round, claimOf, number, ...line, record, problem, folder: root, files };
  });
  return await Promise.all([...gates, ...reviewed]);
}

/** What has no record is under way, unless another one was begun since. */
const lineless = (number: number, begun: readonly number[]) => (number === begun.at(-1) ? openLine : interruptedLine);

async function recordIn<S extends z.ZodType>(
  file: string,
  schema: S,
): Promise<{ record: z.infer<S> | null; problem: string | null }> {
  try {
    return { record: await readJson(file, schema), problem: null };
  } catch (error) {
    return { record: null, problem: messageOf(error) };
  }
}

/** Why the claim of a round was refused; null: it was not. */
export function refusalOf(checks: readonly CheckLine[], round: number): string | null {
  const refused = checks.findLast((check) => check.round === round && check.result === 'refused');
  return refused === undefined ? null : refused.reasons.join('; ');
}
