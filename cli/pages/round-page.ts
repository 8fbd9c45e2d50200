import { basename } from 'node:path';
import type { AttemptView, RoundView } from '../../client/view/run-view.ts';
import type { Report } from '../../schemas/round/report.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { cost, duration, refName, tokens, UNKNOWN } from '../text/amounts.ts';
import { CLAIMS } from '../text/claim-text.ts';
import { checkLines } from './check-lines.ts';
import { fields } from '../terminal/fields.ts';
import { interruptionReason, outcomeText } from '../text/outcome-text.ts';
import type { Palette } from '../terminal/palette.ts';
import { printable, printableLine } from '../terminal/printable.ts';
import { receiptLines } from '../text/receipt-text.ts';
import { changesText, progressLine } from './round-line.ts';
import { statusColour } from '../terminal/status-colour.ts';

type Row = [string, string];

function list(items: readonly string[]): string {
  return items.map((item) => `- ${printable(item).replaceAll('\n', '\n  ')}`).join('\n');
}

function reportRows(report: Report, finalText: string | null): Row[] {
  const rows: Row[] = [['Summary', printable(report.summary)]];
  if (report.evidence.length > 0) rows.push(['Evidence', list(report.evidence)]);
  if (report.nextSteps.length > 0) rows.push(['Next steps', list(report.nextSteps)]);
  if (report.blocker !== '') rows.push(['Blocker', printable(report.blocker)]);
  if (finalText !== null) rows.push(['Last words', printable(finalText).trim()]);
  return rows;
}

function statusOf(outcome: AttemptOutcome): string {
  switch (outcome.kind) {
    case 'reported':
      return outcome.report.status;
    case 'failed':
      return outcome.fault.code;
    case 'interrupted':
      return outcome.by;
    default:
      return outcome satisfies never;
  }
}

function outcomeRows(outcome: AttemptOutcome, paint: Palette): Row[] {
  const status = statusOf(outcome);
  const took = duration(Date.parse(outcome.endedAt) - Date.parse(outcome.startedAt));
  const { checkpoint, usage, sandbox } = outcome;
  const rows: Row[] = [
    ['Status', status === 'complete' ? paint.name(CLAIMS) : statusColour(status, paint)(outcomeText(status))],
    ...(outcome.agent === null ? [] : [['Agent', printableLine(outcome.agent)] satisfies Row]),
    ['Started', outcome.startedAt],
    ['Duration', `${took}, of which the agent ${outcome.agentMs === null ? UNKNOWN : duration(outcome.agentMs)}`],
    ['Tokens', usage === null ? UNKNOWN : `${tokens(usage)}, and ${usage.cacheReadTokens} read from a cache`],
    ['Cost', (outcome.costEstimated ? '≈' : '') + cost(outcome.costUsd)],
    ['Sandbox', `${sandbox.level}, ${sandbox.network ? 'with network' : 'no network'}, ${sandbox.mechanism}`],
  ];
  if (checkpoint === null) rows.push(['Commit', 'none']);
  else {
    const where = checkpoint.ref === null ? '' : ` on ${printableLine(refName(checkpoint.ref))}`;
    rows.push(['Commit', checkpoint.commit + where], ['Changes', changesText(checkpoint.changes) ?? UNKNOWN]);
    for (const { name, path } of checkpoint.secrets) {
      const file = path === null ? 'a commit message or the name of a file' : printableLine(path);
      rows.push(['Secret', `${printableLine(name)} in ${file}`]);
    }
    for (const note of checkpoint.notes) rows.push(['Note', printableLine(note)]);
  }
  rows.push(['Disposal', receiptLines(outcome.receipt).join('\n')]);
  if (outcome.kind === 'reported') rows.push(...reportRows(outcome.report, outcome.finalText));
  if (outcome.kind === 'interrupted') rows.push(['Reason', interruptionReason(outcome.by)]);
  if (outcome.kind === 'failed') rows.push(['Fault', printable(outcome.fault.message)]);
  return rows;
}

function attemptLines(
  attempt: AttemptView,
  view: RoundView,
  how: { round: number; now: number; paint: Palette },
): string[] {
  const { round, paint } = how;
  const rows: Row[] = [];
  const { progress } = view;
  if (attempt.outcome !== null) rows.push(...outcomeRows(attempt.outcome, paint));
  else if (progress !== null && progress.attempt === attempt.attempt) {
    rows.push(['Status', paint.name('running')], ['Now', progressLine(progress, { maxRounds: null, now: how.now })]);
  } else if (view.row !== null)
    rows.push(['Status', `${UNKNOWN}: ${attempt.problem ?? 'this attempt left no record of how it ended'}`]);
  if (attempt.folder !== null) {
    const names = Object.values(attempt.files).map((file) => basename(file));
    rows.push(['Files', [attempt.folder, names.join(' ')].join('\n').trim()]);
  }
  const title = round === 0 ? `Setup, attempt ${attempt.attempt}` : `Attempt ${attempt.attempt}`;
  return [paint.strong(title), ...fields(rows, paint)];
}

/** The page of `ralph show RUN --round N`: every attempt, in order as `ralph log` has them, and what checked its claim. */
export function roundPage(view: RoundView, round: number, how: { now: number; paint: Palette }): string[] {
  const what = round === 0 ? 'Before round 1' : `Round ${round}`;
  const attempts = view.attempts.flatMap((attempt) => ['', ...attemptLines(attempt, view, { ...how, round })]);
  const checks = view.checks.flatMap((check) => ['', ...checkLines(check, view.runId, how.paint)]);
  return [how.paint.strong(`${what} of run ${printableLine(view.runId)}`), ...attempts, ...checks];
}
