import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OutputWindow } from '../../../client/follow/kept-log.ts';
import { several } from '../../../client/describe/amounts.ts';
import { ApiProblem, get } from '../link/api.ts';

interface Line {
  readonly at: number;
  readonly text: string;
  readonly cut: number;
  readonly activity: string | null;
}

interface Held {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly lines: readonly Line[];
}

/** More lines than that are not kept in the page: the far ones are read again when somebody goes there. */
const MOST_HELD = 5_000;
const NEAR_PX = 40;

/**
 * A log that may be large, from its end; older lines come as the reader goes up. `line`: where to begin instead. `news`:
 * changes when there may be more at its end. The view stays where its reader is.
 */
export function LogView(props: {
  path: string;
  line: number | null;
  news: number;
  isRaw: boolean;
  hrefOf: (offset: number) => string;
}) {
  const { path, line, news, isRaw, hrefOf } = props;
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(line === null);
  const heightBefore = useRef<number | null>(null);
  const isBusy = useRef(false);
  const [held, hold] = useState<Held | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (place: string, join: (window: Held) => void): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      join(heldOf(await get<OutputWindow>(`${path}${place}`)));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.message : String(error));
    } finally {
      isBusy.current = false;
    }
  };
  useEffect(() => void read(line === null ? '' : `&from=${line}`, hold), [path]);
  useEffect(() => {
    // Only a reader whose lines reach the end is given what comes after it.
    if (held === null || line !== null) return;
    void read(`&from=${held.to}`, (more) => more.lines.length > 0 && hold(joined(held, more)));
  }, [news]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    if (heightBefore.current !== null) {
      current.scrollTop += current.scrollHeight - heightBefore.current;
      heightBefore.current = null;
    } else if (isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [held]);
  const older = (): void => {
    if (held === null || held.from === 0) return;
    void read(`&before=${held.from}`, (before) => {
      heightBefore.current = box.current?.scrollHeight ?? null;
      hold({ ...joined(before, held), to: held.to });
    });
  };
  const onScroll = (): void => {
    const { current } = box;
    if (current === null) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    if (current.scrollTop < NEAR_PX) older();
  };
  if (problem !== null) return <p class="note">{problem}</p>;
  if (held === null) return <p class="fine">Reading…</p>;
  const shown = held.lines.filter(({ activity }) => isRaw || activity !== null);
  return (
    <>
      <pre ref={box} class="log tall" tabIndex={0} role="region" aria-label="Output" onScroll={onScroll}>
        {held.from === 0 ? null : (
          <button type="button" class="older" onClick={older}>
            {several(held.from, 'byte')} before this: show older
          </button>
        )}
        {shown.map(({ at, text, activity, cut }) => (
          <div key={at} class={at === line ? 'linked' : ''}>
            <a class="at" href={hrefOf(at)} aria-label={`Link to byte ${at}`}>
              ¶
            </a>
            {isRaw ? text : activity}
            {cut === 0 ? null : <i> … {several(cut, 'byte')} more</i>}
          </div>
        ))}
        {shown.length === 0 ? (
          <div>{held.lines.length === 0 ? 'Nothing was printed.' : 'Only events were printed: raw shows them.'}</div>
        ) : null}
      </pre>
    </>
  );
}

function heldOf({ from, to, size, lines, activities }: OutputWindow): Held {
  return { from, to, size, lines: lines.map((each, i) => ({ ...each, activity: activities[i] ?? null })) };
}

/** A line without its end comes again with the next window: the later one counts. */
function joined(before: Held, after: Held): Held {
  const first = after.lines[0]?.at ?? Number.POSITIVE_INFINITY;
  const lines = [...before.lines.filter(({ at }) => at < first), ...after.lines].slice(-MOST_HELD);
  return { from: lines[0]?.at ?? before.from, to: after.to, size: after.size, lines };
}
