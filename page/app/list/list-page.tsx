import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { several } from '../../../client/describe/amounts.ts';
import { useParts } from '../link/use-parts.ts';
import { runHref } from '../link/route.ts';
import { Header } from '../parts/header.tsx';
import { LinkNotice } from '../parts/link-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { Command } from '../parts/command.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { useNow } from '../parts/use-now.ts';
import { Filters } from './filters.tsx';
import { type Filter, filterRuns } from './filter-runs.ts';
import { listDocument } from './list-document.ts';
import { RunRow } from './run-row.tsx';

const NO_FILTER: Filter = { text: '', group: 'all', repository: '' };
/** Rows that are made at first, and each time the reader comes near the end. */
const ROWS = 120;

/** Every run of this RALPH_HOME. */
export function ListPage() {
  const { parts, link } = useParts('/api/events');
  const now = useNow(5_000);
  const [filter, setFilter] = useState(NO_FILTER);
  const [rows, setRows] = useState(ROWS);
  const [current, setCurrent] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const list = useMemo(() => (parts === null ? null : listDocument(parts)), [parts]);
  const shown = useMemo(() => (list === null ? [] : filterRuns(list.runs, filter)), [list, filter]);
  useEffect(() => void (document.title = 'Runs – ralph'), []);
  const move = (by: number): void => {
    const at = shown.findIndex(({ run }) => run.runId === current);
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (next === undefined) return;
    setCurrent(next.run.runId);
    document.querySelector(`[data-run="${CSS.escape(next.run.runId)}"] a`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => void (current === null ? null : (location.hash = runHref(current))),
    '/': () => search.current?.focus(),
  });
  return (
    <>
      <Header services={list?.services ?? null} trail={[]} />
      <main id="main" class="list">
        <h1 class="sr-only">Runs</h1>
        <LinkNotice link={link} hasDocument={list !== null} />
        {list?.problem == null ? null : (
          <Notice title="The list cannot be read" urgent>
            {list.problem}
          </Notice>
        )}
        {list?.notes.map((note) => (
          <p class="note" key={note}>
            {note}
          </p>
        ))}
        {list === null || list.runs.length === 0 ? null : (
          <Filters runs={list.runs} filter={filter} onFilter={setFilter} input={search} />
        )}
        {list !== null && list.problem === null && list.runs.length === 0 ? <Empty /> : null}
        {list !== null && list.runs.length > 0 && shown.length === 0 ? (
          <Notice title="No run matches">
            <button type="button" onClick={() => setFilter(NO_FILTER)}>
              Show all {several(list.runs.length, 'run')}
            </button>
          </Notice>
        ) : null}
        <ol class="runs" aria-label={several(shown.length, 'run')}>
          {shown.slice(0, rows).map((listed) => (
            <RunRow key={listed.run.runId} listed={listed} now={now} isCurrent={listed.run.runId === current} />
          ))}
        </ol>
        {rows < shown.length ? <More onNear={() => setRows((before) => before + ROWS)} /> : null}
      </main>
    </>
  );
}

const Empty = () => (
  <Notice title="No runs yet">
    <p>A run is started on the command line; it appears here by itself.</p>
    <Command command={'ralph run "Make the tests pass" --gate "npm test"'} what={null} />
  </Notice>
);

/** Asks for more rows as the reader comes near. */
function More({ onNear }: { onNear: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      rootMargin: '1200px',
    });
    if (end.current !== null) observer.observe(end.current);
    return () => observer.disconnect();
  }, [onNear]);
  return <div ref={end} class="more" />;
}
