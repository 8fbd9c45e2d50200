import { phaseOf, type TemporalAnswer } from '../../../client/view/run-phase.ts';
import { type ShownStatus, statusOf } from '../../../client/view/run-view.ts';
import type { TemporalStatus } from '../../../client/view/temporal-run.ts';
import { noBudgets, nothingSpent } from '../../../schemas/budget/budget.ts';
import { ralphError } from '../../../schemas/errors/index.ts';
import { noControls } from '../../../schemas/loop/control.ts';
import type { RunMemo } from '../../../schemas/loop/memo.ts';
import type { UnreleasedEnding } from '../../../schemas/run/result.ts';
import type { RoundProgress } from '../../../schemas/round/round-progress.ts';
import { AT } from '../../support/run-view.ts';

const memo = (status: RunMemo['status']): RunMemo => ({
  status,
  title: 't',
  repository: '/r',
  agent: 'command',
  hostId: 'a'.repeat(16),
  round: 1,
  maxRounds: 2,
  budgets: noBudgets,
  spent: nothingSpent,
  controls: noControls,
  controlsTaken: 0,
  commit: null,
  ref: null,
  until: null,
  why: null,
  receipt: null,
});
const view = { workflowId: 'r', executionId: 'e', namespace: 'default', status: 'RUNNING', page: null };
const known = (
  status: TemporalStatus,
  kept: RunMemo | null,
  progress: RoundProgress | null = null,
): TemporalAnswer => ({
  kind: 'known',
  run: {
    runId: 'r',
    status,
    memo: kept,
    progress,
    check: null,
    cancelRequested: false,
    startedAt: AT,
    endedAt: null,
    view,
  },
});
const cancelled: UnreleasedEnding = { status: 'cancelled', reason: null };
const phase = (temporal: TemporalAnswer, ending: UnreleasedEnding | null) =>
  phaseOf({
    temporal,
    ending:
      ending === null
        ? null
        : { ending, receipt: null, notes: [], state: null, endedAt: AT, spent: null, ceilings: null },
    last: null,
  });

test.each<[string, TemporalAnswer, UnreleasedEnding | null, ShownStatus]>([
  ['an open run is what its memo says', known('open', memo('waiting')), null, 'waiting'],
  ['an open run whose memo cannot be read is unknown', known('open', null), null, 'unknown'],
  ['an open run that has reached its end is ending', known('open', memo('stalled')), null, 'ending'],
  ['a run that was terminated is that, whatever it did', known('terminated', memo('running')), null, 'terminated'],
  ['a run whose ending is recorded is what that says', { kind: 'not-asked' }, cancelled, 'cancelled'],
  ['a closed run without a record is what its last memo says', known('completed', memo('blocked')), null, 'blocked'],
  ['a completed run that nobody can read is unknown', known('completed', null), null, 'unknown'],
  ['a failure that is no round’s is a failure of ours', known('failed', memo('running')), null, 'failed'],
  ['a cancelled run is cancelled', known('cancelled', null), null, 'cancelled'],
  ['a run that neither Temporal nor the disk knows the end of is unknown', { kind: 'forgotten' }, null, 'unknown'],
])('%s', (_what, temporal, ending, status) => {
  expect(statusOf(phase(temporal, ending))).toBe(status);
});

test('why it is unknown is told', () => {
  expect(phase(known('open', null), null)).toEqual({ kind: 'unknown', why: 'unreadable' });
  expect(phase(known('completed', null), null)).toEqual({ kind: 'unknown', why: 'ending-lost' });
  expect(phase({ kind: 'forgotten' }, null)).toEqual({ kind: 'unknown', why: 'forgotten' });
  const error = ralphError('temporal-down', {});
  expect(phase({ kind: 'unreachable', error }, null)).toEqual({ kind: 'unknown', why: 'temporal-unreachable' });
});

test('a heartbeat of an earlier round says nothing of the current one', () => {
  const progress: RoundProgress = {
    round: 1,
    attempt: 1,
    phase: 'agent',
    startedAt: AT,
    activity: null,
    tokens: null,
    counters: null,
  };
  expect(phase(known('open', memo('running'), progress), null)).toMatchObject({
    kind: 'live',
    doing: { status: 'running', round: 1, attempt: progress },
  });
  expect(phase(known('open', { ...memo('running'), round: 2 }, progress), null)).toMatchObject({
    doing: { status: 'running', round: 2, attempt: null },
  });
});
