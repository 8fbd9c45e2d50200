import type { WorkerPresence } from '../view/why-run.ts';
import { isReported } from '../view/round-view.ts';
import type { LivePhase, RunView, UnknownPhase } from '../view/run-view.ts';
import { requestOf } from '../view/run-view.ts';
import { clock, duration } from './amounts.ts';
import { checkTexts } from './check-words.ts';
import { type Description, describeEnding, type KnownEnd } from './describe-ending.ts';
import { impossibleNotes, redNotes } from './evidence.ts';
import { faultWords } from './fault-words.ts';
import { CLAIMS, isPending, outcomeText, progressText, summaryText } from './round-words.ts';
import { withinLines } from './shorten.ts';
import { usedText } from './spend-words.ts';

const MOST_REJECTIONS = 3;
/** With the headline and the commands, a page that is read at a glance. */
const MOST_LINES = 18;

/** What is known when a run is described. */
export interface Known extends KnownEnd {
  readonly run: RunView;
  readonly worker: WorkerPresence;
  readonly now: number;
}

/** A run in plain words: what it does or waits for, or how it ended, with evidence and the next commands. */
export function describeRun(known: Known): Description {
  const description = describe(known);
  return { ...description, evidence: withinLines(description.evidence, MOST_LINES) };
}

function describe(known: Known): Description {
  const { run } = known;
  const { phase } = run;
  switch (phase.kind) {
    case 'ended':
      return describeEnding(run, phase, known);
    case 'live':
      return describeLive(known, phase);
    case 'unknown':
      return describeUnknown(run, phase);
    default:
      return phase satisfies never;
  }
}

const UNKNOWN_WORDS = {
  'temporal-unreachable': 'Temporal cannot be asked, and no ending is recorded',
  forgotten: 'Temporal does not know it, and no ending is recorded',
  'ending-lost': 'Temporal says that it has ended, but no record says how',
  unreadable: 'Temporal says that it is live, but this version cannot read its record',
} as const satisfies Record<UnknownPhase['why'], string>;

function describeUnknown({ runId, notes }: RunView, { why }: UnknownPhase): Description {
  return {
    headline: `unknown: ${UNKNOWN_WORDS[why]}`,
    said: [],
    evidence: notes,
    next: [
      ...(why === 'temporal-unreachable' ? [{ command: 'ralph up', what: 'start the server and a worker' }] : []),
      { command: `ralph show ${runId}`, what: 'show what is known of the run' },
    ],
  };
}

/** What a live run does or waits for. */
function describeLive(known: Known, phase: LivePhase): Description {
  const { run, worker } = known;
  const { runId, spend } = run;
  const live = withoutAsked(run, phase, ofDoing(known, phase));
  const used = usedText(spend);
  const evidence = [
    ...impossibleNotes(run),
    ...live.evidence,
    ...redNotes(run, live.evidence),
    ...askedOf(phase),
    ...(used === null ? [] : [`Used so far: ${used}.`]),
  ];
  if (worker !== 'none' || phase.doing.status === 'paused') return { ...live, evidence };
  return {
    headline: `waiting for a worker: no worker of this RALPH_HOME is alive. Last known state: ${live.headline}`,
    said: [],
    evidence,
    next: [
      { command: 'ralph up', what: 'start a worker' },
      { command: `ralph watch ${runId}`, what: 'start one and follow the run' },
      ...live.next.filter(({ command }) => !command.startsWith('ralph watch')),
    ],
  };
}

function ofDoing({ run, now, printed }: Known, { doing, ceilings: { maxRounds } }: LivePhase): Description {
  const { runId } = run;
  const request = requestOf(run);
  const watch = { command: `ralph watch ${runId}`, what: 'follow it' };
  const pause = { command: `ralph pause ${runId}`, what: 'pause it after that' };
  const stop = { command: `ralph stop ${runId}`, what: 'end it now' };
  switch (doing.status) {
    case 'starting':
    case 'preparing':
      return {
        headline: 'preparing its workspace',
        said: [],
        evidence: request === null || request.setup === null ? [] : [`setup: ${request.setup}`],
        next: [watch, { command: `ralph log ${runId} --follow`, what: 'show what the setup prints' }],
      };
    case 'running': {
      const { round, attempt } = doing;
      return {
        headline: `running round ${round} of ${maxRounds}`,
        said: attempt === null ? [] : [progressText(attempt, { maxRounds, now })],
        evidence: rejections(run),
        next: [
          watch,
          { command: `ralph log ${runId} --round ${round} --follow`, what: 'show what the agent prints' },
          pause,
        ],
      };
    }
    case 'checking': {
      const gates =
        request === null || request.gates.length === 0
          ? []
          : [`gates: ${request.gates.map(({ command }) => command).join('; ')}`];
      return {
        headline: checkingText(run, doing),
        said: [],
        evidence: [...gates, ...rejections(run)],
        next: [watch, pause],
      };
    }
    case 'waiting': {
      const { until, why, round } = doing;
      const [code = ''] = (why ?? '').split(':', 1);
      const isReview = run.checks.some(({ check, round: of }) => check === 'review' && of === round);
      const words = faultWords(code, isReview ? 'reviewer' : 'agent');
      const left = until === null ? '' : ` until ${clock(until, now)} (${leftText(until, now)})`;
      return {
        headline: `waiting${left}${words === null ? '' : `, because ${words.means}`}; then it tries again`,
        said: why === null ? [] : [why],
        evidence: words === null || words.remedy === null ? [] : [words.remedy],
        next: [
          { command: `ralph retry ${runId}`, what: 'try again now' },
          watch,
          ...(printed && round > 0
            ? [{ command: `ralph log ${runId} --round ${round}`, what: 'show what was printed in that round' }]
            : []),
          stop,
        ],
      };
    }
    case 'paused':
      return {
        headline: 'paused, as requested, until it is resumed',
        said: standsAt(run),
        evidence: rejections(run),
        next: [{ command: `ralph resume ${runId}`, what: 'resume it' }, stop],
      };
    case 'ending':
      return { headline: `ending as ${doing.as}`, said: [], evidence: [], next: [watch] };
    default:
      return doing satisfies never;
  }
}

/** What was requested already is not offered again, but what takes it back, or does it at once. */
function withoutAsked({ runId }: RunView, { doing, controls }: LivePhase, live: Description): Description {
  if (doing.status === 'paused') return live;
  const { pause, stop } = controls;
  const asked = [...(stop ? ['ralph stop', 'ralph pause'] : []), ...(pause ? ['ralph pause'] : [])];
  return {
    ...live,
    next: [
      ...live.next.filter(({ command }) => asked.every((verb) => !command.startsWith(verb))),
      ...(stop ? [{ command: `ralph cancel ${runId}`, what: 'end it at once' }] : []),
      ...(pause ? [{ command: `ralph resume ${runId}`, what: 'withdraw the pause' }] : []),
    ],
  };
}

function checkingText({ checks }: RunView, { round, what }: { round: number; what: string | null }): string {
  const claim = round === 0 ? (checks.at(-1)?.claimOf ?? null) : null;
  if (round === 0 && claim === null) return 'running its gates on the workspace before round 1';
  const where = claim === null ? `round ${round}` : `round ${claim.round} of ${claim.runId}`;
  return `verifying the completion claim of ${where}${what === null ? '' : `: ${what}`}`;
}

function leftText(until: string, now: number): string {
  const ms = Date.parse(until) - now;
  return ms > 0 ? `${duration(ms)} left` : 'over';
}

const WHEN = {
  starting: 'It takes effect before round 1.',
  preparing: 'It takes effect before round 1.',
  running: 'It takes effect when this round ends.',
  checking: 'It takes effect when this verification ends.',
  waiting: 'It takes effect at once.',
  paused: 'It takes effect at once.',
  ending: 'It has no effect, because the run is ending.',
} as const satisfies Record<LivePhase['doing']['status'], string>;

function askedOf({ doing, controls }: LivePhase): string[] {
  const when = WHEN[doing.status];
  return [
    ...(controls.pause && doing.status !== 'paused' ? [`Pause requested. ${when}`] : []),
    ...(controls.stop ? [`Stop requested. ${when}`] : []),
  ];
}

const rejections = ({ checks }: RunView): string[] =>
  checkTexts(checks.filter(({ outcome }) => outcome.kind === 'rejected')).slice(-MOST_REJECTIONS);

/** How the last round of a paused run ended; of one that has not ended, its last attempt. */
function standsAt(run: RunView): string[] {
  const last = run.rounds.findLast(({ kind }) => kind === 'ended');
  if (last === undefined || last.kind === 'running') return [];
  const { round, attempts, outcome } = last;
  if (isPending(last)) {
    return [
      `round ${round} ${CLAIMS}${summaryText(last)}`,
      `That claim is not verified yet: ${pendingSteps(run, round)}.`,
    ];
  }
  if (isReported(last)) return [`round ${round} ended as ${outcomeText(outcome)}${summaryText(last)}`];
  return [
    `attempt ${attempts} at round ${round} ended as ${outcomeText(outcome)}${summaryText(last)}`,
    'The round has not ended. It is attempted again when the run is resumed.',
  ];
}

/** What is still to verify a completion claim. */
function pendingSteps(run: RunView, round: number): string {
  const request = requestOf(run);
  const isGated = request !== null && (request.gates.length > 0 || request.gatePolicy.protect.length > 0);
  const last = run.checks.findLast(({ check, round: of }) => check === 'gates' && of === round);
  const parts = [
    ...(isGated && last?.outcome.kind !== 'accepted' ? ['its gates run'] : []),
    ...(request === null || request.reviewer === null ? [] : ['a reviewer judges it']),
  ];
  return `${parts.length === 0 ? 'it is judged' : parts.join(' and ')} when the run is resumed`;
}

/** A run in one clause: what it does or waits for, or how it ended. */
export function headlineOf(run: RunView, now: number): string {
  const advice = { kind: 'none', notes: [] } as const;
  return describe({ run, now, worker: 'alive', advice, handoff: null, printed: true }).headline;
}
