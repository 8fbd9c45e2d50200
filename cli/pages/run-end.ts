import type { RunView, ShownStatus } from '../../client/view/run-view.ts';
import type { WayOn } from '../../client/resume/way-on.ts';
import { isDisposalUnproved } from '../../client/view/is-disposal-unproved.ts';
import { completeText } from './complete-text.ts';
import { checkText } from '../text/check-text.ts';
import { duration, refName, several, shortCommit } from '../text/amounts.ts';
import { attemptsText, failedCheck } from './attempts-text.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { uncheckedClaim } from './evidence.ts';
import { placeBack, sinceText } from '../text/line-text.ts';
import { hasWork, mergeCommand } from '../text/merge-command.ts';
import { printable, printableLine } from '../terminal/printable.ts';
import { isResume, wayNotes } from '../text/resume-command.ts';
import { receiptLines } from '../text/receipt-text.ts';
import { committedSecretsText } from '../text/secrets-text.ts';
import { usedText } from '../text/spent-text.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { stoppedWhen } from './stopped-text.ts';
import { whyEnded } from './why-ended.ts';
import { fit } from '../terminal/width.ts';

/** `ralph show --round` has all that a fault said. */
const FAULT_COLUMNS = 240;

/** In words: how a run ended. A claim is called a claim. */
function meaning(run: RunView): string {
  const { ending, status } = run;
  const texts: Record<ShownStatus, string> = {
    complete: completeText(run),
    blocked: 'blocked: a person or the outside world must change something',
    'budget-limited':
      ending !== null && ending.status === 'budget-limited' && ending.budget !== 'rounds'
        ? `out of budget (${ending.budget}) before it was complete`
        : 'out of budget before it was complete',
    stalled: 'stalled: it was going nowhere',
    stopped: `stopped ${stoppedWhen(run)}, as asked`,
    'round-failed': ending !== null && ending.status === 'round-failed' ? failedWhere(ending) : 'failed in a round',
    cancelled: 'cancelled',
    terminated: 'terminated from outside',
    failed: 'failed for a reason of the engine',
    unknown: 'ended in a way that is unknown',
    starting: 'not started yet',
    preparing: 'preparing its workspace',
    running: 'running',
    checking: 'checking a claim of completion',
    waiting: 'waiting',
    paused: 'paused',
  };
  return texts[status];
}

function failedWhere({ round, fault }: { round: number; fault: { code: string } }): string {
  if (round > 0) return `failed in round ${round}`;
  return fault.code === 'setup-failed' ? 'its setup failed' : 'failed before the first round';
}

function detail(run: RunView): string | null {
  const { ending } = run;
  if (ending === null) return run.why === null ? null : printableLine(run.why);
  switch (ending.status) {
    case 'complete':
      return printable(ending.report.summary);
    case 'blocked':
      return printable(ending.report.blocker);
    case 'budget-limited':
    case 'stopped':
    case 'stalled': {
      const reason = 'reason' in ending && ending.reason !== '' ? printable(ending.reason) : null;
      const handoff = ending.handoff === null ? null : `Last handoff: ${printable(ending.handoff.summary)}`;
      return [reason, handoff].filter((text) => text !== null).join('\n') || null;
    }
    case 'round-failed': {
      const made = attemptsText(run, { ...ending, kind: failedCheck(run, ending.round)?.kind ?? null });
      return `${ending.fault.code}, after ${made}: ${fit(printableLine(ending.fault.message), FAULT_COLUMNS)}`;
    }
    case 'cancelled':
      return ending.reason === null ? null : `Reason: ${printable(ending.reason)}`;
    default:
      return ending satisfies never;
  }
}

/** What the run came to, in its own words; of one that was rolled back that is void. */
function cameTo(run: RunView): string[] {
  const { rollback, status, checks } = run;
  if (rollback !== null) return [`rolled back to ${placeBack(rollback.to)} since: ${sinceText(run)}`];
  const said = detail(run);
  const refused = status === 'complete' ? undefined : checks.findLast(({ result }) => result === 'refused');
  return [
    ...(said === null ? [] : said.split('\n')),
    ...uncheckedClaim(run),
    ...(refused === undefined ? [] : [checkText(refused, palette(false))]),
  ];
}

/** How a followed run ended: the result, what came of it, and ready commands to go on with. */
export function runEnd(run: RunView, { way, paint }: { way: WayOn; paint: Palette }): string[] {
  const colour = statusColour(run.status, paint);
  const took =
    run.startedAt === null || run.endedAt === null
      ? ''
      : ` in ${duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`;
  const lines = [
    `${paint.strong(printableLine(run.runId))}: ${colour(meaning(run))} (${several(run.rounds.length + run.voidRounds, 'round')}${took})`,
    ...cameTo(run).map((line) => `  ${line}`),
  ];
  const used = usedText(run);
  if (used !== null) lines.push(`  Used: ${used}`);
  const mustShowProof = run.status === 'cancelled' || run.status === 'terminated' || isDisposalUnproved(run);
  if (run.receipt !== null && mustShowProof) {
    lines.push(...receiptLines(run.receipt).map((line) => `  ${line}`));
  }
  const secrets = committedSecretsText(run.runId, run.rounds);
  if (secrets !== null) lines.push('', paint.bad(secrets));
  if (run.ref !== null) lines.push('', `Branch   ${printableLine(refName(run.ref))} at ${shortCommit(run.commit)}`);
  const notes = [...run.notes, ...(run.lineEnd === null ? wayNotes(way) : [])];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `Note     ${printableLine(note)}`));
  return lines;
}

/** What was printed; where no round was begun, by what came before. */
function logCommand({ runId, rounds, checks, setup }: RunView): [command: string, what: string] {
  if (rounds.length > 0) return [`ralph log ${runId}`, 'what the agents printed'];
  if (checks.length > 0) return [`ralph log ${runId} --round 0`, 'what was printed before round 1'];
  return [`ralph log ${runId}`, setup === null ? 'what the agents printed' : 'what the setup printed'];
}

/** Ready commands for a run that has ended. */
export function nextCommands(run: RunView, way: WayOn): [command: string, what: string][] {
  const last = run.rounds.at(-1);
  const commands: [string, string][] = [
    [`ralph show ${run.runId}`, last === undefined ? 'what is known of it' : 'every round in a table'],
  ];
  if (last !== undefined) commands.push([`ralph show ${run.runId} --round ${last.round}`, 'one whole round']);
  const check = run.checks.findLast(({ result }) => result === 'refused' || result === 'failed');
  if (check !== undefined && last !== undefined && check.round === last.round) {
    const who = check.kind === 'gates' ? 'gates' : 'reviewer';
    commands.push([`ralph log ${run.runId} --round ${check.round} --${check.kind}`, `what its ${who} printed`]);
  }
  commands.push(logCommand(run));
  const work = hasWork(run);
  if (work) commands.push([`ralph diff ${run.runId}`, 'what changed']);
  // What the end asks for, as `ralph why` says it.
  for (const [command, what] of whyEnded(run, { way, handoff: null, printed: true }).next) {
    if (isResume(command)) commands.push([command, what]);
  }
  const merge = mergeCommand(run);
  if (work && merge !== null) {
    const whole = run.status === 'complete' && run.rollback === null;
    commands.push([merge, whole ? 'take it over' : 'take over what there is, unfinished']);
  }
  return commands;
}
