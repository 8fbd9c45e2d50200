import { count, duration, several } from '../../client/describe/amounts.ts';
import type { SearchEnd, SearchHit, Unread } from '../../client/search/search-event.ts';
import type { SearchQuery } from '../../client/search/search-query.ts';
import { printableLine } from '../../system/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { displayWidth, fit } from '../../client/describe/width.ts';

const NUMBER_WIDTH = 8;
const GAP = '  ';
/** Of the room for a line, the share in which the text before a match has to fit. */
const SHARE_BEFORE = 0.4;

/** Prints hits as they come, under a heading for each text that has some. */
export function hitPrinter(terminal: Terminal): (hit: SearchHit) => void {
  const { paint } = terminal;
  let before = '';
  return (hit) => {
    const heading = `── ${hit.runId}, ${placeText(hit)} ──`;
    if (heading !== before) terminal.out(paint.faint(heading));
    before = heading;
    const label = hit.field ?? String(hit.line);
    const width = terminal.columns();
    const cut = cutTo(hit, width === null ? null : width - Math.max(NUMBER_WIDTH, label.length) - GAP.length);
    const text = `${cut.before}${paint.strong(paint.warn(cut.match))}${cut.after}`;
    terminal.out(`${paint.faint(label.padStart(NUMBER_WIDTH))}${GAP}${text}`.trimEnd());
  };
}

/** "round 3, attempt 1, transcript", "round 2, gate 1 (2), stderr", "objective". */
function placeText({ where, part, round, attempt, command, stream }: SearchHit): string {
  if (part === null || round === null) return where;
  const at = part === 'setup' ? [] : [round === 0 ? 'before round 1' : `round ${round}`];
  const again = attempt === null || attempt === 1 ? '' : ` (${attempt})`;
  const kind = stream === 'stderr' ? ['stderr'] : where === 'gate' ? [] : [where];
  return [...at, partText({ part, attempt, command }) + (part === 'agent' ? '' : again), ...kind].join(', ');
}

function partText(of: {
  part: Exclude<SearchHit['part'], null>;
  attempt: number | null;
  command: number | null;
}): string {
  const { part, attempt, command } = of;
  switch (part) {
    case 'setup':
    case 'review':
      return part;
    case 'agent':
      return `attempt ${attempt}`;
    case 'gates':
      return command === 0 ? 'setup of the gates' : `gate ${command}`;
    default:
      return part satisfies never;
  }
}

/** The excerpt in so many columns, with its match in view; null: as it is. */
function cutTo(hit: SearchHit, room: number | null): Pick<SearchHit, 'before' | 'match' | 'after'> {
  const { before, match, after } = hit;
  if (room === null || displayWidth(before + match + after) <= room) return { before, match, after };
  const rest = displayWidth(match + after);
  const most = Math.max(Math.floor(room * SHARE_BEFORE), room - rest);
  const shownBefore = fitEnd(before, most);
  const shownMatch = fit(match, Math.max(1, room - displayWidth(shownBefore)));
  const left = room - displayWidth(shownBefore + shownMatch);
  return { before: shownBefore, match: shownMatch, after: left < 1 ? '' : fit(after, left) };
}

/** The end of a line, as much as fits into so many columns with an ellipsis. */
function fitEnd(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = text.slice(1);
  while (displayWidth(kept) > columns - 1) kept = kept.slice(1);
  return `…${kept.trimStart()}`;
}

/** What could not be searched, in one line. */
export const unreadText = ({ file, problem }: Unread): string =>
  `Not searched: ${printableLine(file)}: ${printableLine(problem)}.`;

/** What a reader must know at the end of a search. */
export function searchNotes(end: SearchEnd, { limits, runId }: Pick<SearchQuery, 'limits' | 'runId'>): string[] {
  const { hits, runs, files, bytes, unread, cut, longLines, stopped } = end;
  const searched = `${several(runs, 'run')}, ${several(files, 'file')}, ${count(bytes)} bytes`;
  const notes = [`${several(hits, 'hit')} in ${searched}.`];
  if (unread > 0) notes.push(`${several(unread, 'file')} could not be searched.`);
  if (cut.length > 0 && runId === null) {
    const [first = ''] = cut;
    notes.push(
      `${several(cut.length, 'run')} had more than ${several(limits.hitsPerRun, 'hit')}. \`ralph search --run ${first} …\` prints more of ${cut.length === 1 ? 'it' : 'one'}.`,
    );
  }
  if (longLines > 0) notes.push(`${several(longLines, 'line')} of more than 4 MiB were searched in pieces.`);
  if (stopped === null) return notes;
  switch (stopped.by) {
    case 'hits':
      return [...notes, `The search stopped after ${several(limits.hits, 'hit')}. --limit N prints more.`];
    case 'time': {
      const at = stopped.reading === null ? '' : ` It was reading ${printableLine(stopped.reading)}.`;
      return [
        ...notes,
        `The search was ended after ${duration(limits.timeMs)} and is not complete.${at} --timeout gives it more time; --run, --kind and --since leave less to search.`,
      ];
    }
    default:
      return stopped satisfies never;
  }
}
