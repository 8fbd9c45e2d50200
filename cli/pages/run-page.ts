import { age, clock, duration, UNKNOWN } from '../../client/describe/amounts.ts';
import { agentText, branchText, notesOf, repositoryText } from '../../client/describe/about-words.ts';
import { checkText } from '../../client/describe/check-words.ts';
import { progressText } from '../../client/describe/round-words.ts';
import { budgetRows, spendNotes, usedText } from '../../client/describe/spend-words.ts';
import { standingChecks } from '../../client/view/impossible-gates.ts';
import { requestOf, rolledBackRounds, type RunView, statusOf } from '../../client/view/run-view.ts';
import { agentTitle } from '../../schemas/run/run.ts';
import { printable, printableLine } from '../../system/printable.ts';
import { chainRows, rollbackRows } from '../text/chain-rows.ts';
import { receiptLines } from '../../client/describe/receipt-words.ts';
import { committedSecretsText } from '../../client/describe/receipt-words.ts';
import { fields } from '../terminal/layout.ts';
import { palette, type Palette, statusColour } from '../terminal/palette.ts';
import { fit } from '../../client/describe/width.ts';
import { roundTable } from './round-table.ts';
import { checkRows } from './run-begin.ts';

const CHECKS = 6;
const CHECK_COLUMNS = 400;
const OBJECTIVE_LINES = 12;
const OBJECTIVE_CHARS = 1_500;
const STATUS_COLUMNS = 400;

type Row = [name: string, value: string];

/** The page of `ralph show RUN`. @param headline what describes its phase in a sentence */
export function runPage(
  run: RunView,
  how: { headline: string; now: number; width: number | null; paint: Palette },
): string[] {
  const { now, paint, width } = how;
  const request = requestOf(run);
  const { phase } = run;
  const rows: Row[] = [
    ['Run', paint.strong(printableLine(run.runId))],
    ['Status', statusText(run, how)],
    ...rollbackRows(run),
    ['Objective', objectiveText(run)],
    ['Agent', agentText(run)],
    ['Repository', repositoryText(run)],
    ['Branch', branchText(run)],
    ...chainRows(run),
  ];
  if (request !== null) {
    rows.push(['Sandbox', `${request.sandbox.level}, ${request.sandbox.network ? 'with network' : 'no network'}`]);
  }
  if (phase.kind === 'live' && phase.doing.status === 'running' && phase.doing.attempt !== null) {
    rows.push(['Now', progressText(phase.doing.attempt, { maxRounds: phase.ceilings.maxRounds, now })]);
  }
  if (request !== null) {
    if (request.setup !== null) rows.push(['Setup', printableLine(request.setup)]);
    if (request.fallbackAgent !== null) rows.push(['Fallback', printableLine(agentTitle(request.fallbackAgent))]);
    rows.push(...checkRows(request));
  }
  if (standingChecks(run).length > 0) rows.push(['Checks', checksText(run)]);
  rows.push(...useRows(run), ['When', agesText(run, now)]);
  if (phase.kind === 'ended' && phase.receipt !== null) rows.push(['Disposal', receiptLines(phase.receipt).join('\n')]);
  if (run.folder !== null) rows.push(['Files', run.folder]);
  if ('page' in run.temporal && run.temporal.page !== null) rows.push(['Temporal', run.temporal.page]);
  const secrets = committedSecretsText(run.runId, run.rounds);
  if (secrets !== null) rows.push(['Secret', paint.bad(secrets)]);
  for (const note of notesOf(run)) rows.push(['Note', printableLine(note)]);
  const began = run.rounds.length > 0 || rolledBackRounds(run.rollback).length > 0;
  const table = roundTable(run, how);
  const none = began ? [] : [...(table.length > 0 ? [''] : []), paint.faint(noRounds(run))];
  return [...fields(rows, paint, width), '', ...table, ...none];
}

function objectiveText({ request }: RunView): string {
  if (request.kind === 'unknown') return UNKNOWN;
  if (request.kind === 'brief') return `${printableLine(request.title)} (first line)`;
  const { objective } = request.request;
  const text = printable(objective).trim();
  const shown = text.split('\n').slice(0, OBJECTIVE_LINES).join('\n').slice(0, OBJECTIVE_CHARS);
  if (shown.length === text.length) return shown;
  return `${shown} …\n(${objective.length.toLocaleString('en-US')} characters; --json prints all)`;
}

/** The headline, with the round of a live run that is not in it. */
function statusText(
  { phase, rounds, checks }: RunView,
  { headline, paint }: { headline: string; paint: Palette },
): string {
  const status = statusOf(phase);
  const colour = statusColour(status, paint);
  const text = fit(printableLine(headline), STATUS_COLUMNS);
  const shown = text.startsWith(status) ? colour(status) + text.slice(status.length) : `${colour(status)}  ${text}`;
  if (phase.kind !== 'live') return shown;
  const { doing, controls, ceilings } = phase;
  const parts = [shown];
  if (doing.status === 'waiting' || doing.status === 'paused') {
    const { round } = doing;
    const isBefore = round === 0 || [...rounds, ...checks].every((each) => each.round !== round);
    const at = doing.status === 'paused' && isBefore ? `before round ${Math.max(1, round)}` : `in round ${round}`;
    parts.push(`${at} of ${ceilings.maxRounds}`);
  }
  if (doing.status !== 'paused' && controls.pause) parts.push('pause requested');
  if (controls.stop) parts.push('stop requested');
  return parts.join('  ');
}

/** What was used, in a line, and of each budget that has a limit. */
function useRows(run: RunView): Row[] {
  const limited = budgetRows(run).filter(({ isLimited }) => isLimited);
  const used = usedText(run.spend);
  const marks = spendNotes(run.spend).filter((note) => used?.includes('≈') === true && note.startsWith('≈'));
  const budgets = fields(
    limited.map(({ name, text }) => [name, text]),
    palette(false),
  );
  return [
    ['Used', [used ?? UNKNOWN, ...marks].join('\n')],
    ...(budgets.length === 0 ? [] : [['Budgets', budgets.join('\n')] satisfies Row]),
  ];
}

/** The gates before round 1, and the last checks of completion claims. */
function checksText(run: RunView): string {
  const checks = standingChecks(run);
  const baseline = checks.filter(({ outcome }) => outcome.kind === 'baseline').slice(-1);
  const claims = checks.filter(({ round, claimOf }) => round > 0 || claimOf !== null);
  const shown = claims.slice(-CHECKS);
  const left = claims.length - shown.length;
  const earlier = left === 0 ? [] : [`… ${left} earlier; \`ralph show ${run.runId} --round N\` shows those of a round`];
  return [...baseline.map((row) => checkText(row)), ...earlier, ...shown.map((row) => checkText(row))]
    .map((line) => fit(line, CHECK_COLUMNS))
    .join('\n');
}

function agesText({ startedAt, phase }: RunView, now: number): string {
  if (startedAt === null) return UNKNOWN;
  const started = `started ${age(startedAt, now)} (${clock(startedAt, null)})`;
  const endedAt = phase.kind === 'ended' ? phase.endedAt : null;
  if (endedAt === null) return started;
  return `${started}, ended ${age(endedAt, now)}, took ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`;
}

function noRounds({ phase }: RunView): string {
  if (phase.kind !== 'ended') return 'No round has ended yet.';
  return statusOf(phase) === 'complete' ? 'It needed no round of its own.' : 'It ended before its first round.';
}
