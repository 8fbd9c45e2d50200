import { noBudgets, nothingSpent } from '../../schemas/budget/budget.ts';
import { runStatus, type TemporalStatus } from '../../client/view/run-status.ts';
import type { RunMemo } from '../../schemas/loop/memo.ts';
import { freeRun } from '../../schemas/loop/steering.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';

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
  known: null,
  steering: freeRun,
  commit: null,
  ref: null,
  until: null,
  why: null,
  receipt: null,
});
const cancelled: UnreleasedEnding = { status: 'cancelled', reason: null };

test.each<[string, TemporalStatus | null, RunMemo | null, UnreleasedEnding | null, string]>([
  ['an open run is what its memo says', 'open', memo('waiting'), null, 'waiting'],
  ['an open run without a memo of ours is running', 'open', null, null, 'running'],
  [
    'a run that was terminated from outside is terminated, whatever it was doing',
    'terminated',
    memo('running'),
    null,
    'terminated',
  ],
  ['a closed run is what its ending says', 'completed', memo('running'), cancelled, 'cancelled'],
  ['a closed run without an ending is what its last memo says', 'completed', memo('blocked'), null, 'blocked'],
  ['a completed run that nobody can read is unknown', 'completed', null, null, 'unknown'],
  ['a failure that is no round’s is a failure of ours', 'failed', memo('running'), null, 'failed'],
  ['a cancelled run is cancelled', 'cancelled', null, null, 'cancelled'],
  ['a run that Temporal has forgotten is what its ending says', null, null, cancelled, 'cancelled'],
  ['a run that neither knows the end of is unknown', null, null, null, 'unknown'],
])('%s', (_what, temporal, known, ending, status) => {
  expect(runStatus({ temporal, memo: known, ending })).toBe(status);
});
