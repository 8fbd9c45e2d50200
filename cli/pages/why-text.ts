import type { WorkerPresence } from '../../client/view/why-run.ts';
import { isReport } from '../../client/view/is-report.ts';
import type { RunView, ShownStatus } from '../../client/view/run-view.ts';
import { clock, duration } from '../text/amounts.ts';
import { checkTexts } from '../text/check-texts.ts';
import { CLAIMS, isOpenClaim, openChecks, roundStatus } from '../text/claim-text.ts';
import { summaryText } from './evidence.ts';
import { faultWords } from './fault-words.ts';
import { gatesLog, neverNotes, redNotes } from '../text/gate-notes.ts';
import { outcomeText } from '../text/outcome-text.ts';
import { progressLine } from './round-line.ts';
import { usedText } from '../text/spent-text.ts';
import type { Why } from './why.ts';
import { type KnownEnd, whyEnded } from './why-ended.ts';
import { withinLines } from './within-lines.ts';

const MOST_REFUSALS = 3;
/** With what is said first and the commands, a page that is read at a glance. */
const MOST_LINES = 18;

/** What is known when a run is asked why. */
export interface Known extends KnownEnd {
  readonly run: RunView;
  readonly worker: WorkerPresence;
  readonly now: number;
}

const LIVE = ['starting', 'preparing', 'running', 'checking', 'waiting', 'paused'] as const satisfies ShownStatus[];
type Live = (typeof LIVE)[number];
const isLive = (status: ShownStatus): status is Live => LIVE.some((live) => live === status);

/** Why a run is as it is: what it does or waits for, or why it ended, with the evidence and the next command. */
export function whyOf(known: Known): Why {
  const said = wholeWhy(known);
  return { ...said, evidence: withinLines(said.evidence, MOST_LINES) };
}

function wholeWhy(known: Known): Why {
  const { run, worker } = known;
  const { status, runId } = run;
  if (!isLive(status)) {
    const ended = withGateNotes(whyEnded(run, known), run);
    return { ...ended, next: [...ended.next, ...gatesLog(run)] };
  }
  const live = asAsked(run, whyLive(status, known));
  const asked = askedOf(run);
  const evidence = [...withGateNotes(live, run).evidence, ...asked, ...usedBy(run)];
  if (worker !== 'none' || status === 'paused') return { ...live, evidence };
  return {
    why: `No worker of this RALPH_HOME is alive, so nothing goes on until there is one. By its record: ${live.why}`,
    evidence,
    next: [
      ['ralph up', 'start a worker'],
      [`ralph watch ${runId}`, 'the same, and follow it'],
      ...live.next.filter(([command]) => !command.startsWith('ralph watch')),
    ],
  };
}

const withGateNotes = (why: Why, run: RunView): Why => ({
  ...why,
  evidence: [...neverNotes(run), ...why.evidence, ...redNotes(run, why.evidence)],
});

function whyLive(status: Live, { run, now, printed }: Known): Why {
  const { runId, round, maxRounds, why, until, progress, setup, checks } = run;
  const watch = [`ralph watch ${runId}`, 'follow it'] as const;
  const pause = [`ralph pause ${runId}`, 'let it stand still after that'] as const;
  switch (status) {
    case 'starting':
    case 'preparing':
      return {
        why: 'It is preparing its workspace.',
        evidence: setup === null ? [] : [`setup: ${setup}`],
        next: [watch, [`ralph log ${runId} --follow`, 'what the setup prints']],
      };
    case 'running': {
      const at = progress === null ? [] : [progressLine(progress, { maxRounds, now })];
      return {
        why: `Round ${round} of ${maxRounds} is under way.`,
        evidence: [...at, ...refusals(run)],
        next: [watch, [`ralph log ${runId} --round ${round} --follow`, 'what the agent prints'], pause],
      };
    }
    case 'checking':
      return {
        why: checkingText(run),
        evidence: [...gateList(run), ...refusals(run)],
        next: [watch, pause],
      };
    case 'waiting': {
      const [code = ''] = (why ?? '').split(':', 1);
      const isReview = checks.some((check) => check.kind === 'review' && check.round === round);
      const words = faultWords(code, isReview ? 'reviewer' : 'agent');
      const left = until === null ? '' : ` until ${clock(until, now)} (${leftText(until, now)})`;
      const mend = words === null || words.mend === null ? [] : [words.mend];
      return {
        why: `It waits${left}${words === null ? '' : `, as ${words.means}`}. Then it tries again by itself.`,
        evidence: [...(why === null ? [] : [why]), ...mend],
        next: [
          [`ralph retry ${runId}`, 'try again now'],
          watch,
          ...(printed && round !== null && round > 0
            ? [[`ralph log ${runId} --round ${round}`, 'what was printed in it'] as const]
            : []),
          [`ralph stop ${runId}`, 'end it here'],
        ],
      };
    }
    case 'paused':
      return {
        why: 'It is paused, as somebody asked for it, and stays so until it is resumed.',
        evidence: [...standsAt(run), ...refusals(run)],
        next: [
          [`ralph resume ${runId}`, 'let it go on'],
          [`ralph stop ${runId}`, 'end it here'],
        ],
      };
    default:
      return status satisfies never;
  }
}

/** What was asked for already is not offered again, but what takes it back, or does it at once. */
function asAsked({ steering, status, runId }: RunView, said: Why): Why {
  if (steering === null || status === 'paused') return said;
  const { pause, stop } = steering;
  const asked = [...(stop ? ['ralph stop', 'ralph pause'] : []), ...(pause ? ['ralph pause'] : [])];
  const next = said.next.filter(([command]) => asked.every((verb) => !command.startsWith(verb)));
  return {
    ...said,
    next: [
      ...next,
      ...(stop ? [[`ralph cancel ${runId}`, 'end it at once'] as const] : []),
      ...(pause ? [[`ralph resume ${runId}`, 'take the pause back'] as const] : []),
    ],
  };
}

function checkingText({ round, why, checks }: RunView): string {
  const claim = round === 0 ? (checks.at(-1)?.claimOf ?? null) : null;
  if (round === 0 && claim === null) return 'Its gates are run on the workspace as it is before round 1.';
  const where = claim === null ? `round ${round}` : `round ${claim.round} of ${claim.runId}`;
  return `The agent reported completion in ${where}, and that claim is being checked: ${why ?? 'checks'}.`;
}

function leftText(until: string, now: number): string {
  const ms = Date.parse(until) - now;
  return ms > 0 ? `${duration(ms)} more` : 'over';
}

function askedOf({ steering, status }: RunView): string[] {
  if (steering === null) return [];
  return [
    ...(steering.pause && status !== 'paused' ? ['It was asked to pause once that has ended.'] : []),
    ...(steering.stop ? ['It was asked to stop once that has ended.'] : []),
  ];
}

const usedBy = (run: RunView): string[] => {
  const used = usedText(run);
  return used === null ? [] : [`Used so far: ${used}.`];
};

const gateList = ({ gates }: RunView): string[] =>
  gates === null || gates.length === 0 ? [] : [`gates: ${gates.map(({ command }) => command).join('; ')}`];

const refusals = ({ checks }: RunView): string[] =>
  checkTexts(checks.filter(({ result }) => result === 'refused')).slice(-MOST_REFUSALS);

/** How the last round ended, of a run that stands still; of one that has not ended, its last attempt. */
function standsAt(run: RunView): string[] {
  const last = run.rounds.findLast(({ endedAt }) => endedAt !== null);
  if (last === undefined) return [];
  const { round, attempts, status } = last;
  if (isOpenClaim(last, run)) {
    return [
      `round ${round} ${CLAIMS}${summaryText(last)}`,
      `Nothing has judged that claim yet: ${openChecks(run, round)} when it is resumed.`,
    ];
  }
  if (isReport(status)) {
    return [`round ${round} ended as ${roundStatus(last, run)}${summaryText(last)}`];
  }
  const what = `attempt ${attempts} at round ${round} ended as ${outcomeText(status)}${summaryText(last)}`;
  return [what, 'The round has not ended: it is attempted again when it is resumed.'];
}
