import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { RunEvent } from '../../client/follow/watch-run.ts';
import type { CheckRow } from '../../client/view/round-view.ts';
import { checkEvent } from '../text/check-event.ts';
import { type FollowText, followText } from './follow-text.ts';
import { attemptLine } from '../pages/attempt-line.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fit } from '../../client/describe/width.ts';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const WORKERLESS = 'no worker is alive; `ralph up` starts one';
const REPLACED = 'waiting until Temporal notices that the worker is gone; then the round is attempted again';
const OFFLINE = 'Temporal does not answer; this continues when it is back';
const REVIVED = 'the worker had died; another worker was started';

/** Prints what a follower of a run is announced. `end` takes the live line away. */
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
  const announced = announcements();
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
    if (text.change !== null && announced.isNews(text.change, run) && !redraws) say(text.change);
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
            announced.checkEnded(check);
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
  return ending ? { live: "ending the run's processes", change: null } : followText(run, Date.now());
}

/** Which lines of a follower were said: each change is told once, and a check neither again nor after its result. */
interface Announcements {
  /** Whether this is to be said now; then it counts as said. `run`: of which it tells; null: of none. */
  isNews(change: string, run: TemporalRun | null): boolean;
  /** The result of a check was announced. */
  checkEnded(check: CheckRow): void;
}

function announcements(): Announcements {
  /** The last number of each check whose result was announced. */
  const announced = new Map<string, number>();
  let said = { change: '', number: null as number | null };
  return {
    isNews(change, run) {
      const check = run === null ? null : checkOf(run);
      const number = check === null ? null : check.number;
      if (check !== null) {
        const last = announced.get(check.name);
        if (last !== undefined && (number === null || number <= last)) return false;
      }
      // What was said before its number was known is the same check.
      const isSame = change === said.change && (number === null || said.number === null || number === said.number);
      if (isSame && number === null) return false;
      said = { change, number };
      return !isSame;
    },
    checkEnded({ check, round, number }) {
      announced.set(`${check}/${round}`, number);
    },
  };
}

/** The check that a run is in. `number`: null until its worker has told it. */
function checkOf({ memo, check }: TemporalRun): { name: string; number: number | null } | null {
  if (memo === null || memo.status !== 'checking') return null;
  const kind = memo.why !== null && memo.why.startsWith('review') ? 'review' : 'gates';
  const isIt = check !== null && check.round === memo.round && check.what === kind;
  return { name: `${kind}/${memo.round}`, number: isIt ? check.check : null };
}

/** The one line at the foot of a terminal that is drawn again and again. Does nothing where nothing can be redrawn. */
interface LiveLine {
  /** Draw the line, cut to the terminal's width. `text` is printable and may be coloured by `paint` afterwards. */
  draw(text: string, paint: (text: string) => string): void;
  /** Take the line away, so that a whole line can be printed. */
  clear(): void;
}

const ERASE = '\r\u001b[2K';

function liveLine(terminal: Pick<Terminal, 'live' | 'columns' | 'draw'>): LiveLine {
  if (!terminal.live) return { draw: () => {}, clear: () => {} };
  let drawn = '';
  return {
    draw(text, paint) {
      const columns = terminal.columns();
      // The last column stays free: a full line makes some terminals wrap.
      const line = paint(columns === null ? text : fit(text, columns - 1));
      if (line === drawn) return;
      terminal.draw(ERASE + line);
      drawn = line;
    },
    clear() {
      if (drawn !== '') terminal.draw(ERASE);
      drawn = '';
    },
  };
}
