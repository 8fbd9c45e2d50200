import { ACTIONS } from '../../../client/describe/action-words.ts';
import type { Description } from '../../../client/describe/describe-ending.ts';
import type { RunView } from '../../../client/view/run-view.ts';

/** Something a person can ask of a run. */
export interface Action {
  readonly verb: 'pause' | 'resume' | 'stop' | 'retry' | 'cancel' | 'budget';
  readonly label: string;
  /** What it does, in the words of the command line. */
  readonly does: string;
  readonly command: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isDanger: boolean;
  /** What the person can add. */
  readonly asks: 'reason' | 'note' | 'budget' | null;
}

/** What can be asked of a run as it is. `next`: what `ralph why` says of how to go on. */
export function actionsOf({ runId, phase }: RunView, next: Description['next']): Action[] {
  const plain = { body: {}, isDanger: false, asks: null } as const;
  const pause: Action = {
    ...plain,
    verb: 'pause',
    label: 'Pause',
    does: ACTIONS.pause,
    command: `ralph pause ${runId}`,
    body: { now: false },
  };
  const pauseNow: Action = {
    ...pause,
    label: 'Pause now',
    does: ACTIONS['pause --now'],
    command: `ralph pause ${runId} --now`,
    body: { now: true },
  };
  const resume: Action = {
    ...plain,
    verb: 'resume',
    label: 'Resume',
    does: ACTIONS.resume,
    command: `ralph resume ${runId}`,
    body: { note: null },
  };
  const stop: Action = { ...plain, verb: 'stop', label: 'Stop', does: ACTIONS.stop, command: `ralph stop ${runId}` };
  const retry: Action = {
    ...plain,
    verb: 'retry',
    label: 'Retry now',
    does: ACTIONS.retry,
    command: `ralph retry ${runId}`,
  };
  const cancel: Action = {
    ...plain,
    verb: 'cancel',
    label: 'Cancel',
    does: ACTIONS.cancel,
    command: `ralph cancel ${runId}`,
    body: { reason: null },
    isDanger: true,
    asks: 'reason',
  };
  const budget: Action = {
    ...plain,
    verb: 'budget',
    label: 'Raise budget',
    does: ACTIONS.budget,
    command: `ralph budget ${runId}`,
    asks: 'budget',
  };
  switch (phase.kind) {
    case 'live': {
      const { doing, controls } = phase;
      if (doing.status === 'ending') return [];
      if (doing.status === 'paused') return [resume, stop, budget, cancel];
      return [
        ...(doing.status === 'waiting' ? [retry] : []),
        ...(controls.pause ? [resume, pauseNow] : [pause, pauseNow]),
        ...(controls.stop ? [] : [stop]),
        budget,
        cancel,
      ];
    }
    case 'ended':
      return next.some(({ command }) => command.startsWith(`ralph resume ${runId}`))
        ? [{ ...resume, asks: 'note' }]
        : [];
    case 'unknown':
      return [];
    default:
      return phase satisfies never;
  }
}
