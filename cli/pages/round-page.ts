import { basename } from 'node:path';
import { costText, duration, refName, tokens, UNKNOWN } from '../../client/describe/amounts.ts';
import { checkName, checkText, gateText } from '../../client/describe/check-words.ts';
import {
  changesText,
  CLAIMS,
  interruptionReason,
  outcomeWord,
  progressText,
} from '../../client/describe/round-words.ts';
import { gatesOf } from '../../client/view/round-view.ts';
import { outcomeOf } from '../../client/view/round-rows.ts';
import type { AttemptView, CheckView, RoundView } from '../../client/view/round-view.ts';
import { outcomeInWords } from '../../schemas/round/outcome-in-words.ts';
import type { Report } from '../../schemas/round/report.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { type GateResult, passes } from '../../schemas/verification/gate.ts';
import { printable, printableLine } from '../../system/printable.ts';
import { checkColour } from '../text/check-event.ts';
import { mechanismWords, receiptLines } from '../../client/describe/receipt-words.ts';
import { fields } from '../terminal/layout.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';

type Row = [name: string, value: string];

function list(items: readonly string[]): string {
  return items.map((item) => `- ${printable(item).replaceAll('\n', '\n  ')}`).join('\n');
}

function reportRows(report: Report, finalText: string | null): Row[] {
  const rows: Row[] = [['Summary', printable(report.summary)]];
  if (report.evidence.length > 0) rows.push(['Evidence', list(report.evidence)]);
  if (report.nextSteps.length > 0) rows.push(['Next steps', list(report.nextSteps)]);
  if (report.blocker !== '') rows.push(['Blocker', printable(report.blocker)]);
  if (finalText !== null) rows.push(['Last message', printable(finalText).trim()]);
  return rows;
}

const agentText = (agent: string, version: string | null): string =>
  printableLine(version === null ? agent : `${agent}, version ${version}`);

function outcomeRows(outcome: AttemptOutcome, paint: Palette): Row[] {
  const word = outcomeOf(outcomeInWords(outcome).outcome, { kind: 'pending' });
  const status = outcomeWord(word);
  const took = duration(Date.parse(outcome.endedAt) - Date.parse(outcome.startedAt));
  const { checkpoint, usage, sandbox, receipt } = outcome;
  const rows: Row[] = [
    ['Status', statusColour(status, paint)(word.kind === 'complete' ? CLAIMS : status)],
    ...(outcome.agent === null ? [] : [['Agent', agentText(outcome.agent, outcome.agentVersion)] satisfies Row]),
    ['Started', outcome.startedAt],
    ['Duration', `${took} (the agent: ${outcome.agentMs === null ? UNKNOWN : duration(outcome.agentMs)})`],
    ['Tokens', usage === null ? UNKNOWN : `${tokens(usage)}, and ${usage.cacheReadTokens} read from a cache`],
    ['Cost', costText(outcome)],
    [
      'Sandbox',
      [sandbox.level, sandbox.network ? 'with network' : 'no network', ...mechanismWords(receipt)].join(', '),
    ],
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
  rows.push(['Disposal', receiptLines(receipt).join('\n')]);
  if (outcome.kind === 'reported') rows.push(...reportRows(outcome.report, outcome.finalText));
  if (outcome.kind === 'interrupted') rows.push(['Reason', interruptionReason(outcome.by)]);
  if (outcome.kind === 'failed') rows.push(['Fault', printable(outcome.fault.message)]);
  return rows;
}

function attemptLines(
  { attempt, outcome, kept }: AttemptView,
  { round, now, width, paint }: { round: number; now: number; width: number | null; paint: Palette },
): string[] {
  const rows = attemptRows(outcome, { now, paint });
  if (kept !== null) {
    const names = Object.values(kept.files).map((file) => basename(file));
    rows.push(['Files', [kept.folder, names.join(' ')].join('\n').trim()]);
  }
  const title = round === 0 ? `Setup, attempt ${attempt}` : `Attempt ${attempt}`;
  return [paint.strong(title), ...fields(rows, paint, width)];
}

function attemptRows(outcome: AttemptView['outcome'], { now, paint }: { now: number; paint: Palette }): Row[] {
  switch (outcome.kind) {
    case 'there':
      return outcomeRows(outcome.record, paint);
    case 'running':
      return [
        ['Status', paint.name('running')],
        ['Now', progressText(outcome.progress, { maxRounds: null, now })],
      ];
    case 'missing':
      return [['Status', `${UNKNOWN}: this attempt left no record of how it ended`]];
    case 'damaged':
      return [['Status', `${UNKNOWN}: ${outcome.problem}`]];
    default:
      return outcome satisfies never;
  }
}

/** The page of `ralph show RUN --round N`: every attempt, in order as `ralph log` has them, and what checked its claim. */
export function roundPage(view: RoundView, how: { now: number; width: number | null; paint: Palette }): string[] {
  const { round, runId } = view;
  const what = round === 0 ? 'Before round 1' : `Round ${round}`;
  // A setup leaves no record of its own.
  const shown = view.attempts.filter(({ outcome }) => round > 0 || outcome.kind !== 'missing');
  const attempts = (round === 0 ? view.attempts : shown).flatMap((attempt) => [
    '',
    ...attemptLines(attempt, { ...how, round }),
  ]);
  const checks = view.checks.flatMap((check) => ['', ...checkLines(check, runId, how)]);
  return [how.paint.strong(`${what} of run ${printableLine(runId)}`), ...attempts, ...checks];
}

function gateRows(gate: GateResult, view: CheckView): Row[] {
  const line = gatesOf(view).find(({ command }) => command === gate.command);
  // What one printed that passed is for `ralph log`.
  const output = passes(gate) ? '' : printable(gate.output).trim();
  return [
    [
      gate.isSetup ? 'Setup' : 'Gate',
      `${line === undefined ? printable(gate.command) : gateText(line)}  ${duration(gate.ms)}`,
    ],
    ...(output === '' ? [] : [['Output ends', output] satisfies Row]),
    ['Disposal', receiptLines(gate.receipt).join('\n')],
  ];
}

function recordRows(view: CheckView): Row[] {
  if (view.record.kind !== 'there') return [];
  const { record } = view.record;
  switch (record.kind) {
    case 'interrupted':
      return [['Disposal', receiptLines(record.receipt).join('\n')]];
    case 'failed':
      return [['Fault', printable(`${record.fault.code}: ${record.fault.message}`)]];
    case 'checked': {
      const { protectedPaths, gates, commit } = record;
      return [
        ['Commit', commit],
        ...(protectedPaths.length === 0 ? [] : [['Protected', list(protectedPaths)] satisfies Row]),
        ...gates.flatMap((gate) => gateRows(gate, view)),
      ];
    }
    case 'reviewed': {
      const { review, usage, agentMs, receipt } = record;
      return [
        ['Decision', review.decision],
        ...(review.reasons.length === 0 ? [] : [['Reasons', list(review.reasons)] satisfies Row]),
        ['Duration', agentMs === null ? UNKNOWN : duration(agentMs)],
        ['Tokens', usage === null ? UNKNOWN : `${tokens(usage)}, and ${usage.cacheReadTokens} read from a cache`],
        ['Cost', costText(record)],
        ['Disposal', receiptLines(receipt).join('\n')],
      ];
    }
    default:
      return record satisfies never;
  }
}

/** Where what was printed is found: gates print into a file each, which a verb puts together. */
function fileRows({ check, round, kept }: CheckView, runId: string): Row[] {
  const printed = Object.keys(kept.files).some((name) => name.endsWith('transcript'));
  const prompt = check === 'review' ? kept.files['prompt'] : undefined;
  return [
    ...(prompt === undefined ? [] : [['Prompt', prompt] satisfies Row]),
    ...(printed ? [['All output', `ralph log ${runId} --round ${round} --${check}`] satisfies Row] : []),
    ['Files', kept.folder],
  ];
}

/** A check of a completion claim, whole. */
function checkLines(
  view: CheckView,
  runId: string,
  { width, paint }: { width: number | null; paint: Palette },
): string[] {
  const name = checkName(view);
  const [status = ''] = checkText(view)
    .slice(name.length + 2)
    .split('\n', 1);
  const { record } = view;
  const rows: Row[] = [
    ['Result', record.kind === 'damaged' ? `${UNKNOWN}: ${record.problem}` : checkColour(view.outcome, paint)(status)],
    ...(view.took === null ? [] : [['Started', view.took.startedAt] satisfies Row]),
    ...recordRows(view),
    ...fileRows(view, runId),
  ];
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return [paint.strong(title), ...fields(rows, paint, width)];
}
