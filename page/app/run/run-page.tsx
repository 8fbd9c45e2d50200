import { useEffect, useMemo, useState } from 'preact/hooks';
import { Inspector } from '../inspector/inspector.tsx';
import { replaceRoute, runHref, type Selected, selectedHref } from '../link/route.ts';
import { useParts } from '../link/use-parts.ts';
import { Header } from '../parts/header.tsx';
import { LinkNotice } from '../parts/link-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { Actions } from './actions.tsx';
import { Budgets } from './budgets.tsx';
import { Facts } from './facts.tsx';
import { isTrouble } from './is-trouble.ts';
import { KeyHelp } from './key-help.tsx';
import { LivePanel } from './live-panel.tsx';
import { Plots } from './plots.tsx';
import { RoundsTable } from './rounds-table.tsx';
import { runDocument, type RunDocument } from './run-document.ts';
import { Timeline } from './timeline.tsx';
import { Verdict } from './verdict.tsx';

/** One run: what it does or how it ended, what it used, its rounds, and everything of the selected one. */
export function RunPage({ runId, selected }: { runId: string; selected: Selected | null }) {
  const { parts, link } = useParts(`/api/runs/${encodeURIComponent(runId)}/events`);
  const held = useMemo(() => (parts === null ? null : runDocument(parts)), [parts]);
  const hasRun = held !== null && 'run' in held;
  useEffect(
    () => void (document.title = `${hasRun ? `${held.run.status}: ` : ''}${runId} – ralph`),
    [runId, hasRun && held.run.status],
  );
  return (
    <>
      <Header services={null} trail={[runId]} />
      <main id="main" tabIndex={-1} class={`run ${selected === null ? '' : 'inspecting'}`}>
        <LinkNotice link={link} hasDocument={held !== null} />
        {held !== null && !hasRun ? (
          <Notice title="This run cannot be shown" urgent>
            <p>{held.problem}</p>
            <a href="#/">All runs</a>
          </Notice>
        ) : null}
        {hasRun ? null : <h1 class="sr-only">{runId}</h1>}
        {hasRun ? <Whole held={held} selected={selected} /> : null}
      </main>
    </>
  );
}

function Whole({ held, selected }: { held: RunDocument; selected: Selected | null }) {
  const { run, why, live } = held;
  const { runId, rounds } = run;
  const [isHelp, setIsHelp] = useState(false);
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  const select = (round: number): void => {
    replaceRoute(selectedHref(runId, { round, tab: selected?.tab ?? 'report', at: null }));
  };
  const numbers = (onlyTrouble ? rounds.filter(isTrouble) : rounds).map(({ round }) => round);
  const at = selected?.round ?? null;
  const step = (by: number): void => {
    const next = at === null ? numbers.at(-1) : by > 0 ? numbers.find((n) => n > at) : numbers.findLast((n) => n < at);
    if (next !== undefined) select(next);
  };
  const toTrouble = (): void => {
    const bad = rounds.filter(isTrouble).map(({ round }) => round);
    const next = bad.find((n) => n > (at ?? 0)) ?? bad[0];
    if (next !== undefined) select(next);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    e: toTrouble,
    f: () => setOnlyTrouble((before) => !before),
    d: () => replaceRoute(selectedHref(runId, { round: at, tab: 'diff', at: null })),
    t: () => at !== null && replaceRoute(selectedHref(runId, { round: at, tab: 'transcript', at: null })),
    u: () => void (location.hash = '#/'),
    Escape: () => replaceRoute(runHref(runId)),
    '?': () => setIsHelp(true),
  });
  return (
    <>
      <div class="story">
        <Verdict run={run} why={why}>
          <Actions run={run} next={why.next} />
        </Verdict>
        <LivePanel run={run} live={live} />
        <Budgets run={run} />
        <Timeline run={run} selected={at} onSelect={select} onlyTrouble={onlyTrouble} onOnlyTrouble={setOnlyTrouble} />
        <Plots run={run} selected={at} onSelect={select} />
        <RoundsTable run={run} selected={at} onSelect={select} onlyTrouble={onlyTrouble} />
        <Facts run={run} />
      </div>
      {selected === null ? null : <Inspector run={run} live={live} selected={selected} />}
      <KeyHelp isOpen={isHelp} onClose={() => setIsHelp(false)} />
    </>
  );
}
