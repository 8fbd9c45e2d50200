import type { Deployment } from '../../../client/connect/deployment.ts';
import { type NamedOutput, outputsOf, outputWindow, watchOutput } from '../../../client/follow/kept-log.ts';
import type { Phase } from '../../../client/view/run-view.ts';
import { documentText } from '../answer.ts';
import type { Parts } from './parts.ts';

const SHOWN_LINES = 200;

/** The last lines of what a live run prints right now. */
export interface LiveTail {
  /** Parts `live` (whose output it is) and `line/<offset>`; none: nothing is printed. */
  read(phase: Phase): Promise<Parts>;
}

interface Following {
  readonly output: NamedOutput;
  readonly unwatch: () => void;
  readonly lines: Map<string, string>;
  /** Where to go on; null: nothing was read yet. */
  to: number | null;
}

/** `onNews`: called when there is more to read. */
export function liveTail(
  deployment: Deployment,
  runId: string,
  { signal, onNews }: { signal: AbortSignal; onNews: () => void },
): LiveTail {
  let following: Following | null = null;
  const leave = (): void => {
    following?.unwatch();
    following = null;
  };
  signal.addEventListener('abort', leave);
  return {
    async read(phase) {
      const output = await outputNow(deployment, runId, phase);
      if (output === null || signal.aborted) {
        leave();
        return new Map();
      }
      const { round, name, what } = output;
      const of = { deployment, runId, round, name };
      if (following === null || following.output.name !== name || following.output.round !== round) {
        leave();
        following = { output, unwatch: await watchOutput({ ...of, onNews }), to: null, lines: new Map() };
      }
      const now = following;
      const place = now.to === null ? { before: null } : { from: now.to };
      const window = await outputWindow({ ...of, stream: 'stdout', place });
      for (const [i, { at, text, cut }] of window.lines.entries()) {
        now.lines.set(`line/${at}`, documentText({ at, text, cut, activity: window.activities[i] ?? null }));
      }
      for (const old of [...now.lines.keys()].slice(0, -SHOWN_LINES)) now.lines.delete(old);
      now.to = window.to;
      return new Map([
        ['live', documentText({ what, round, name, attempt: output.attempt, command: output.command })],
        ...now.lines,
      ]);
    },
  };
}

/** What the step under way prints to. */
async function outputNow(deployment: Deployment, runId: string, phase: Phase): Promise<NamedOutput | null> {
  if (phase.kind !== 'live') return null;
  const { doing } = phase;
  switch (doing.status) {
    case 'preparing':
      return (await outputsOf({ deployment, runId, round: 0 })).findLast(({ what }) => what === 'setup') ?? null;
    case 'running':
      return (
        (await outputsOf({ deployment, runId, round: doing.round })).findLast(({ what }) => what === 'agent') ?? null
      );
    case 'checking':
      return (
        (await outputsOf({ deployment, runId, round: doing.round })).findLast(
          ({ what }) => what === 'gates' || what === 'review',
        ) ?? null
      );
    case 'starting':
    case 'waiting':
    case 'paused':
    case 'ending':
      return null;
    default:
      return doing satisfies never;
  }
}
