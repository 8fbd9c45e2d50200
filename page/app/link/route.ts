import { useEffect, useState } from 'preact/hooks';

export const TABS = ['report', 'gates', 'diff', 'transcript', 'prompt', 'receipt'] as const;
export type Tab = (typeof TABS)[number];

/** What the address asks for. `at`: a line of a transcript, as "attempt-1/stdout/1234". */
export type Route =
  { readonly kind: 'list' } | { readonly kind: 'run'; readonly runId: string; readonly selected: Selected | null };

export interface Selected {
  /** Null: the whole run's diff. */
  readonly round: number | null;
  readonly tab: Tab;
  readonly at: string | null;
}

function parseRoute(hash: string): Route {
  const [first, runId, second, round, tab, ...at] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  if (first !== 'runs' || runId === undefined || runId === '') return { kind: 'list' };
  if (second === 'diff') return { kind: 'run', runId, selected: { round: null, tab: 'diff', at: null } };
  if (second !== 'rounds' || round === undefined || !/^\d+$/.test(round)) return { kind: 'run', runId, selected: null };
  const known = TABS.find((each) => each === tab) ?? 'report';
  return {
    kind: 'run',
    runId,
    selected: { round: Number(round), tab: known, at: at.length === 0 ? null : at.join('/') },
  };
}

export const runHref = (runId: string): string => `#/runs/${encodeURIComponent(runId)}`;

export function selectedHref(runId: string, { round, tab, at }: Selected): string {
  if (round === null) return `${runHref(runId)}/diff`;
  const line = at === null ? '' : `/${at.split('/').map(encodeURIComponent).join('/')}`;
  return `${runHref(runId)}/rounds/${round}/${tab}${line}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return parseRoute(hash);
}

/** Go there without a new entry in the browser's history. */
export function replaceRoute(href: string): void {
  history.replaceState(null, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** What somebody typed need not be a valid escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
