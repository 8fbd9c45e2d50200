import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { RunEvent } from '../../client/follow/watch-run.ts';
import { announcements } from './announcements.ts';
import { checkEvent } from '../text/check-text.ts';
import { type FollowText, followText } from './follow-text.ts';
import { liveLine } from './live-line.ts';
import { attemptLine } from '../pages/round-line.ts';
import type { Terminal } from '../terminal/terminal.ts';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const WORKERLESS = 'no worker is alive; `ralph up` starts one';
const REPLACED = 'waiting until Temporal misses the worker that is gone; the round is attempted again then';
const OFFLINE = 'Temporal does not answer; this goes on when it is back';
const REVIVED = 'the worker had died; another one was started';

/** Prints what a follower of a run is told. `end` takes the live line away. */
export interface EventPrinter {
  print(event: RunEvent): void;
  end(): void;
}

/**
 * `aside`: everything goes to stderr, without a live line, as stdout is for one JSON document. `ending`: the run is
 * being cancelled, so what it does meanwhile is of no interest.
 */
export function eventPrinter(
  terminal: Terminal,
  how: { runId: string; aside: boolean; ending: boolean },
): EventPrinter {
  const { runId, aside, ending } = how;
  const redraws = terminal.live && !aside;
  const live = liveLine({ ...terminal, live: redraws });
  const paint = aside ? terminal.paintErr : terminal.paint;
  const told = announcements();
  let frame = 0;
  const say = (line: string): void => {
    live.clear();
    if (aside) terminal.err(line);
    else terminal.out(line);
  };
  /** On a terminal the live line tells; elsewhere a change is a line. */
  const tell = (text: FollowText, run: TemporalRun | null): void => {
    frame += 1;
    live.draw(`${FRAMES.charAt(frame % FRAMES.length)} ${text.live}`, paint.name);
    if (text.change !== null && told.isNews(text.change, run) && !redraws) say(text.change);
  };
  return {
    print(event) {
      switch (event.kind) {
        case 'attempts':
          for (const line of event.ended) say(attemptLine(line, { width: aside ? null : terminal.columns(), paint }));
          break;
        case 'checks':
          for (const check of event.ended) {
            for (const line of checkEvent(check, runId, paint)) say(line);
            told.checkEnded(check);
          }
          break;
        case 'state':
          tell(stateText(event, ending), event.worker === 'dead' || event.worker === 'replaced' ? null : event.run);
          break;
        case 'revived':
          say(REVIVED);
          break;
        case 'offline':
          tell({ live: OFFLINE, change: OFFLINE }, null);
          break;
        case 'ended':
          break;
        default:
          event satisfies never;
      }
    },
    end: () => live.clear(),
  };
}

function stateText({ run, worker }: Extract<RunEvent, { kind: 'state' }>, ending: boolean): FollowText {
  if (worker === 'dead') return { live: WORKERLESS, change: WORKERLESS };
  if (worker === 'replaced' && !ending) return { live: REPLACED, change: REPLACED };
  return ending ? { live: 'ending what the run started', change: null } : followText(run, Date.now());
}
