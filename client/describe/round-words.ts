import type { Interruption } from '../../schemas/round/fault.ts';
import type { Changes } from '../../schemas/round/round.ts';
import type { RoundProgress } from '../../schemas/round/round-progress.ts';
import { printableLine } from '../../system/printable.ts';
import { isReported, type RoundOutcome, type RoundRow } from '../view/round-view.ts';
import { count, elapsed, several } from './amounts.ts';

// How rounds and attempts are called, in every place that shows one.

/** What a round that reports completion is said to do: its verification decides whether it is complete. */
export const CLAIMS = 'claims completion';

/** The outcome of a round in one word, for a table: `complete` is only one whose completion claim was accepted. */
export function outcomeWord(outcome: RoundOutcome): string {
  switch (outcome.kind) {
    case 'continue':
    case 'blocked':
      return outcome.kind;
    case 'complete':
      return CLAIM_WORDS[outcome.verdict.kind];
    case 'fault':
      return outcome.code;
    case 'interrupted':
      return INTERRUPTIONS[outcome.by].word;
    default:
      return outcome satisfies never;
  }
}

const CLAIM_WORDS = { pending: 'claimed', accepted: 'complete', rejected: 'rejected' } as const;

/** The status of a round in one word. */
export const rowWord = (row: RoundRow): string => (row.kind === 'running' ? 'running' : outcomeWord(row.outcome));

/** What ended an attempt from outside: in a word, in a clause, and in a sentence. */
const INTERRUPTIONS = {
  cancelled: {
    word: 'cancelled',
    clause: 'interrupted, because the run was cancelled',
    reason: 'The run was cancelled.',
  },
  paused: {
    word: 'paused',
    clause: 'interrupted, because the run was paused',
    reason: 'The run was paused during the round. The round is attempted again when the run is resumed.',
  },
  disowned: {
    word: 'disowned',
    clause: 'interrupted, because Temporal no longer knew the attempt',
    reason: 'The run was terminated, or another attempt took over.',
  },
  'worker-stopped': {
    word: 'worker-stopped',
    clause: 'interrupted, because its worker was stopped',
    reason:
      'The worker was stopped (`ralph down`, or a signal). The next worker attempts the round again, unless the run ends first.',
  },
  'worker-lost': {
    word: 'worker-lost',
    clause: 'interrupted, because its worker was lost',
    reason: 'The worker was killed, or the machine went down. What the agent had done by then is committed.',
  },
  unrecorded: {
    word: 'unrecorded',
    clause: 'not recorded, because the disk was full',
    reason: 'The disk was full, so how the attempt ended could not be recorded. Temporal has it in its history.',
  },
} as const satisfies Record<Interruption, { word: string; clause: string; reason: string }>;

export const interruptionReason = (by: Interruption): string => INTERRUPTIONS[by].reason;

/** How a round ended, in a few words. */
export function outcomeText(outcome: RoundOutcome): string {
  if (outcome.kind === 'interrupted') return INTERRUPTIONS[outcome.by].clause;
  return outcome.kind === 'complete' && outcome.verdict.kind === 'pending' ? CLAIMS : outcomeWord(outcome);
}

/** A round in a line: "round 3, 2 attempts: agent-crashed: …". */
export function roundText(row: RoundRow): string {
  const name = `round ${row.round}${row.attempts > 1 ? `, ${several(row.attempts, 'attempt')}` : ''}`;
  return row.kind === 'running' ? `${name}: running` : `${name}: ${outcomeText(row.outcome)}${summaryText(row)}`;
}

export const summaryText = (row: RoundRow): string =>
  row.kind === 'running' || row.summary === '' ? '' : `: ${row.summary}`;

/** Whether nothing has accepted or rejected the completion claim of a round. */
export const isPending = (row: RoundRow): boolean =>
  row.kind === 'ended' && row.outcome.kind === 'complete' && row.outcome.verdict.kind === 'pending';

/** Where a stop ended a run: "after round 2", "before round 1", "during round 3". */
export function stoppedWhen(rounds: readonly RoundRow[]): string {
  const last = rounds.at(-1);
  if (last === undefined) return 'before round 1';
  return isReported(last) ? `after round ${last.round}` : `during round ${last.round}`;
}

/** "12 files +120 −80", "no changes"; null: not known. */
export function changesText(changes: Changes | null): string | null {
  if (changes === null) return null;
  if (changes.files === 0) return 'no changes';
  return `${several(changes.files, 'file')} +${changes.insertions} −${changes.deletions}`;
}

const PHASES = {
  fencing: 'starting',
  agent: 'the agent is working',
  checkpointing: 'committing the work',
} as const satisfies Record<RoundProgress['phase'], string>;

/** The current round in one line: number, time so far, the agent's last activity, tokens. */
export function progressText(progress: RoundProgress, how: { maxRounds: number | null; now: number }): string {
  const of = how.maxRounds === null ? '' : ` of ${how.maxRounds}`;
  const attempt = progress.attempt > 1 ? `, attempt ${progress.attempt}` : '';
  const doing = progress.phase === 'agent' && progress.activity !== null ? progress.activity : PHASES[progress.phase];
  const parts = [
    `round ${progress.round}${of}${attempt}`,
    elapsed(how.now - Date.parse(progress.startedAt)),
    progress.tokens === null ? null : `${count(progress.tokens)} tokens`,
    printableLine(doing),
  ];
  return parts.filter((part) => part !== null).join('  ');
}
