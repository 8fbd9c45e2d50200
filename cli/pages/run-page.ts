import type { RunView } from '../../client/view/run-view.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { age, clock, duration, refName, shortCommit, UNKNOWN } from '../text/amounts.ts';
import { checkText } from '../text/check-text.ts';
import { fields } from '../terminal/fields.ts';
import { lineRows, rollbackRows } from '../text/line-text.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { checkRows } from './plan-lines.ts';
import { printable, printableLine } from '../terminal/printable.ts';
import { receiptLines } from '../text/receipt-text.ts';
import { progressLine } from './round-line.ts';
import { roundTable } from './round-table.ts';
import { committedSecretsText } from '../text/secrets-text.ts';
import { useOfRun } from '../text/spent-text.ts';
import { standingChecks } from '../text/standing-checks.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { fit } from '../terminal/width.ts';

const COMMAND_COLUMNS = 100;
const WHY_COLUMNS = 400;
const plain = palette(false);
const CHECKS = 6;
const CHECK_COLUMNS = 400;
const OBJECTIVE_LINES = 12;
const OBJECTIVE_CHARS = 1_500;

function objectiveText(run: RunView): string {
  if (run.objective === null) return run.title === null ? UNKNOWN : `${printableLine(run.title)} (first line)`;
  const text = printable(run.objective).trim();
  const lines = text.split('\n');
  const shown = lines.slice(0, OBJECTIVE_LINES).join('\n').slice(0, OBJECTIVE_CHARS);
  if (shown.length === text.length) return shown;
  return `${shown} …\n(${run.objective.length.toLocaleString('en-US')} characters; --json holds all)`;
}

function agentText(run: RunView): string {
  const { agentSpec } = run;
  if (agentSpec === null) return run.agent === null ? UNKNOWN : printableLine(run.agent);
  if (agentSpec.provider === 'command') return `command: ${fit(printableLine(agentSpec.command), COMMAND_COLUMNS)}`;
  return agentSpec.provider + (agentSpec.model === null ? '' : ` (${printableLine(agentSpec.model)})`);
}

/** Whether a run stands still before a round of which nothing has begun. */
function isBefore({ status, rounds, checks }: RunView, at: number): boolean {
  return status === 'paused' && (at === 0 || [...rounds, ...checks].every(({ round }) => round !== at));
}

function statusText(run: RunView, now: number, paint: Palette): string {
  const parts = [statusColour(run.status, paint)(run.status)];
  if (run.round !== null && run.maxRounds !== null && run.endedAt === null) {
    const at = isBefore(run, run.round) ? `before round ${Math.max(1, run.round)}` : `round ${run.round}`;
    parts.push(`${at} of ${run.maxRounds}`);
  }
  if (run.steering !== null && run.status !== 'paused') {
    if (run.steering.pause) parts.push('to pause after what is under way');
    if (run.steering.stop) parts.push('to stop after what is under way');
  }
  if (run.until !== null) parts.push(`until ${clock(run.until, now)} (${untilText(run.until, now)})`);
  if (run.why !== null) parts.push(fit(printableLine(run.why), WHY_COLUMNS));
  return parts.join('  ');
}

function untilText(until: string, now: number): string {
  const ms = Date.parse(until) - now;
  return ms > 0 ? `in ${duration(ms)}` : 'now';
}

function agesText(run: RunView, now: number): string {
  if (run.startedAt === null) return UNKNOWN;
  const started = `started ${age(run.startedAt, now)} (${clock(run.startedAt, null)})`;
  if (run.endedAt === null) return started;
  const took = duration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  return `${started}, ended ${age(run.endedAt, now)}, took ${took}`;
}

function sandboxText({ sandbox }: RunView): string {
  if (sandbox === null) return UNKNOWN;
  return `${sandbox.level}, ${sandbox.network ? 'with network' : 'no network'}`;
}

function branchText(run: RunView): string {
  if (run.status === 'starting' || run.status === 'preparing')
    return run.branch === null ? 'not made yet' : `${run.branch}, not made yet`;
  if (run.ref === null) return run.commit === null ? UNKNOWN : `none (last commit ${shortCommit(run.commit)})`;
  const ref = printableLine(refName(run.ref));
  if (run.commit === null) return ref;
  if (run.successors.length > 0) return `${ref}, moved on since; its own last commit is ${shortCommit(run.commit)}`;
  return `${ref} at ${shortCommit(run.commit)}`;
}

/** The gates before round 1, and the last checks of claims. */
function checksText(run: RunView): string {
  const { runId } = run;
  const checks = standingChecks(run);
  const baseline = checks.filter(({ round, claimOf }) => round === 0 && claimOf === null).slice(-1);
  const claims = checks.filter(({ round, claimOf }) => round > 0 || claimOf !== null);
  const shown = claims.slice(-CHECKS);
  const left = claims.length - shown.length;
  const earlier = left === 0 ? [] : [`… ${left} earlier; \`ralph show ${runId} --round N\` has those of a round`];
  return [
    ...baseline.map((check) => checkText(check, plain)),
    ...earlier,
    ...shown.map((check) => checkText(check, plain)),
  ]
    .map((line) => fit(line, CHECK_COLUMNS))
    .join('\n');
}

function noRounds({ endedAt, status }: RunView): string {
  if (endedAt === null) return 'No round has ended yet.';
  return status === 'complete' ? 'It needed no round of its own.' : 'It ended before its first round.';
}

/** The page of `ralph show RUN`. */
export function runPage(run: RunView, how: { now: number; width: number | null; paint: Palette }): string[] {
  const { now, paint } = how;
  const repository = run.base === null ? run.repository : `${run.base.path}, from ${run.base.ref}`;
  const rows: [string, string][] = [
    ['Run', paint.strong(printableLine(run.runId))],
    ['Status', statusText(run, now, paint)],
    ...rollbackRows(run),
    ['Objective', objectiveText(run)],
    ['Agent', agentText(run)],
    ['Repository', repository === null ? UNKNOWN : printableLine(repository)],
    ['Branch', branchText(run)],
    ...lineRows(run),
    ['Sandbox', sandboxText(run)],
  ];
  if (run.progress !== null) rows.push(['Now', progressLine(run.progress, { maxRounds: run.maxRounds, now })]);
  if (run.setup !== null) rows.push(['Setup', printableLine(run.setup)]);
  const { gates, gatePolicy, reviewer, fallbackAgent } = run;
  if (fallbackAgent !== null) rows.push(['Fallback', printableLine(agentTitle(fallbackAgent))]);
  if (gates !== null && gatePolicy !== null) rows.push(...checkRows({ gates, gatePolicy, reviewer }));
  if (standingChecks(run).length > 0) rows.push(['Checks', checksText(run)]);
  rows.push(...useOfRun(run), ['Ages', agesText(run, now)]);
  if (run.receipt !== null) rows.push(['Disposal', receiptLines(run.receipt).join('\n')]);
  if (run.folder !== null) rows.push(['Files', run.folder]);
  if (run.temporal !== null && run.temporal.page !== null) rows.push(['Temporal', run.temporal.page]);
  const secrets = committedSecretsText(run.runId, run.rounds);
  if (secrets !== null) rows.push(['Secret', paint.bad(secrets)]);
  for (const note of run.notes) rows.push(['Note', printableLine(note)]);
  const none = paint.faint(noRounds(run));
  const began = run.rounds.length > 0 || run.rolledBack.length > 0;
  const table = roundTable(run, how);
  return [...fields(rows, paint), '', ...table, ...(began ? [] : [...(table.length > 0 ? [''] : []), none])];
}
