import { duration, refName, several, shortCommit } from '../../client/describe/amounts.ts';
import { adviceNotes, hasWork, isResume, mergeCommand, type NextCommand } from '../../client/describe/chain-words.ts';
import { checkText } from '../../client/describe/check-words.ts';
import { describeEnding, type KnownEnd } from '../../client/describe/describe-ending.ts';
import { pendingClaim } from '../../client/describe/evidence.ts';
import { usedText } from '../../client/describe/spend-words.ts';
import type { ResumeAdvice } from '../../client/resume/resume-advice.ts';
import {
  type EndedPhase,
  isDisposalUnproved,
  requestOf,
  rolledBackRounds,
  rollbackInForce,
  type RunView,
  statusOf,
} from '../../client/view/run-view.ts';
import { printable, printableLine } from '../../system/printable.ts';
import { receiptLines } from '../../client/describe/receipt-words.ts';
import { notesOf } from '../../client/describe/about-words.ts';
import { committedSecretsText } from '../../client/describe/receipt-words.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';
import { fit } from '../../client/describe/width.ts';

/** `ralph show --round` has all that a fault said. */
const SAID_COLUMNS = 240;

type Ended = RunView & { readonly phase: EndedPhase };

/** Whether a run is seen to have ended. */
const isEnded = (run: RunView): run is Ended => run.phase.kind === 'ended';

/** How a followed run ended: the result and what came of it. */
export function runEnd(run: RunView, { advice, paint }: { advice: ResumeAdvice; paint: Palette }): string[] {
  const { runId, phase, rounds, rollback, startedAt, work, checks } = run;
  if (!isEnded(run)) return [`${paint.strong(printableLine(runId))}: ${statusOf(phase)}`];
  const { headline, said } = describeEnding(run, run.phase, endOf(advice));
  const status = statusOf(phase);
  const { endedAt, receipt } = run.phase;
  const took =
    startedAt === null || endedAt === null ? '' : ` in ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const made = several(rounds.length + rolledBackRounds(rollback).length, 'round');
  const rejected = status === 'complete' ? undefined : checks.findLast(({ outcome }) => outcome.kind === 'rejected');
  const isBack = rollbackInForce(rollback) !== null;
  const lines = [
    `${paint.strong(printableLine(runId))}: ${statusColour(status, paint)(fit(printableLine(headline), SAID_COLUMNS))} (${made}${took})`,
    ...said.flatMap((text) => printable(text).trim().split('\n')).map((line) => `  ${fit(line, SAID_COLUMNS)}`),
    ...(isBack ? [] : pendingClaim(run).map((line) => `  ${line}`)),
    ...(isBack || rejected === undefined ? [] : [`  ${checkText(rejected)}`]),
  ];
  const used = usedText(run.spend);
  if (used !== null) lines.push(`  Used: ${used}`);
  const mustShowProof = status === 'cancelled' || status === 'terminated' || isDisposalUnproved(phase);
  if (receipt !== null && mustShowProof) lines.push(...receiptLines(receipt).map((line) => `  ${line}`));
  const secrets = committedSecretsText(runId, rounds);
  if (secrets !== null) lines.push('', paint.bad(secrets));
  if (work.kind === 'branch') lines.push('', `Branch   ${work.branch} at ${shortCommit(work.commit)}`);
  if (work.kind === 'ref')
    lines.push('', `Ref      ${printableLine(refName(work.ref))} at ${shortCommit(work.commit)}`);
  const notes = [...notesOf(run), ...(run.chain.continued.kind === 'continued' ? [] : adviceNotes(advice))];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `Note     ${printableLine(note)}`));
  return lines;
}

const endOf = (advice: ResumeAdvice): KnownEnd => ({ advice, handoff: null, printed: true });

/** Ready commands for a run that has ended. */
export function nextCommands(run: RunView, advice: ResumeAdvice): NextCommand[] {
  const { runId, rounds, checks } = run;
  const last = rounds.at(-1);
  const commands: NextCommand[] = [
    {
      command: `ralph show ${runId}`,
      what: last === undefined ? 'show what is known of the run' : 'show every round in a table',
    },
  ];
  if (last !== undefined)
    commands.push({ command: `ralph show ${runId} --round ${last.round}`, what: `show round ${last.round}` });
  const check = checks.findLast(({ outcome }) => outcome.kind === 'rejected' || outcome.kind === 'failed');
  if (check !== undefined && last !== undefined && check.round === last.round) {
    const who = check.check === 'gates' ? 'gates' : 'reviewer';
    commands.push({
      command: `ralph log ${runId} --round ${check.round} --${check.check}`,
      what: `show what its ${who} printed`,
    });
  }
  commands.push(logCommand(run));
  const work = hasWork(run);
  if (work) commands.push({ command: `ralph diff ${runId}`, what: 'show what changed' });
  // What the end asks for, as `ralph why` says it.
  if (isEnded(run)) commands.push(...describeEnding(run, run.phase, endOf(advice)).next.filter(isResume));
  const merge = mergeCommand(run.work);
  if (work && merge !== null) {
    const isWhole = statusOf(run.phase) === 'complete' && rollbackInForce(run.rollback) === null;
    commands.push({ command: merge, what: isWhole ? 'merge its work' : 'merge its unfinished work' });
  }
  return commands;
}

/** What was printed; where no round was begun, by what came before. */
function logCommand(run: RunView): NextCommand {
  const { runId, rounds, checks } = run;
  if (rounds.length > 0) return { command: `ralph log ${runId}`, what: 'show what the agents printed' };
  if (checks.length > 0) {
    return { command: `ralph log ${runId} --round 0`, what: 'show what was printed before round 1' };
  }
  const setup = requestOf(run)?.setup ?? null;
  const what = setup === null ? 'show what the agents printed' : 'show what the setup printed';
  return { command: `ralph log ${runId}`, what };
}
