import { useEffect, useRef, useState } from 'preact/hooks';
import type { RoundView } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { replaceRoute, runHref, type Selected, selectedHref, type Tab, TABS } from '../link/route.ts';
import { useDocument } from '../link/use-document.ts';
import { Notice } from '../parts/notice.tsx';
import type { RunDocument } from '../run/run-document.ts';
import { DiffTab } from './diff-tab.tsx';
import { GatesTab } from './gates-tab.tsx';
import { PromptTab } from './prompt-tab.tsx';
import { ReceiptTab } from './receipt-tab.tsx';
import { ReportTab } from './report-tab.tsx';
import { TranscriptTab } from './transcript-tab.tsx';

/** Everything of one round, or the diff of the whole run. */
export function Inspector({ run, live, selected }: { run: RunView; live: RunDocument['live']; selected: Selected }) {
  const { runId } = run;
  const { round } = selected;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.scrollTo({ top: 0 }), [round, selected.tab]);
  return (
    <aside ref={panel} class="inspector" aria-label={round === null ? 'The whole diff' : `Round ${round}`}>
      <header>
        <h2>{round === null ? 'All changes' : round === 0 ? 'Before round 1' : `Round ${round}`}</h2>
        <a
          class="close"
          href={runHref(runId)}
          aria-label="Close"
          onClick={(event) => (event.preventDefault(), replaceRoute(runHref(runId)))}
        >
          ✕
        </a>
      </header>
      {round === null ? (
        <DiffTab runId={runId} round={null} version={run.rounds.length} />
      ) : (
        <OfRound run={run} live={live} selected={{ ...selected, round }} />
      )}
    </aside>
  );
}

function OfRound(props: { run: RunView; live: RunDocument['live']; selected: Selected & { round: number } }) {
  const { run, live, selected } = props;
  const { runId } = run;
  const { round, tab } = selected;
  const row = run.rounds.find((each) => each.round === round) ?? null;
  const checks = run.checks.filter((each) => each.round === round);
  // Read anew when something of the round has ended, not with every word of its agent.
  const version = JSON.stringify([row === null ? null : { ...row, doing: null }, checks]);
  const loaded = useDocument<RoundView>(`/api/runs/${encodeURIComponent(runId)}/rounds/${round}`, version);
  const [attempt, setAttempt] = useState<number | null>(null);
  if (loaded.kind === 'failed')
    return (
      <Notice title="This round cannot be shown" urgent>
        {loaded.message}
      </Notice>
    );
  const view = loaded.kind === 'there' ? loaded.document : null;
  const shown = view?.attempts.find((each) => each.attempt === attempt) ?? view?.attempts.at(-1) ?? null;
  return (
    <>
      <Tabs runId={runId} selected={selected} />
      {view === null || view.attempts.length < 2 || tab === 'diff' || tab === 'transcript' || tab === 'gates' ? null : (
        <div class="attempts" role="group" aria-label="Attempts">
          {view.attempts.map((each) => (
            <button
              type="button"
              key={each.attempt}
              aria-pressed={each === shown}
              onClick={() => setAttempt(each.attempt)}
            >
              attempt {each.attempt}
            </button>
          ))}
        </div>
      )}
      <div class="tab" role="tabpanel" id="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {view === null ? <p class="fine">Reading…</p> : contentOf(tab)}
      </div>
    </>
  );

  function contentOf(which: Tab) {
    if (view === null) return null;
    switch (which) {
      case 'report':
        return <ReportTab runId={runId} view={view} attempt={shown} />;
      case 'gates':
        return <GatesTab runId={runId} view={view} />;
      case 'diff':
        return <DiffTab runId={runId} round={round} version={version} />;
      case 'transcript':
        return <TranscriptTab runId={runId} round={round} at={selected.at} live={live} version={version} />;
      case 'prompt':
        return <PromptTab runId={runId} round={round} attempt={shown} />;
      case 'receipt':
        return <ReceiptTab attempt={shown} />;
      default:
        return which satisfies never;
    }
  }
}

function Tabs({ runId, selected }: { runId: string; selected: Selected & { round: number } }) {
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = TABS[(TABS.indexOf(selected.tab) + by + TABS.length) % TABS.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    replaceRoute(selectedHref(runId, { ...selected, tab: next, at: null }));
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label="Of this round" onKeyDown={onKey}>
      {TABS.map((tab) => (
        <button
          type="button"
          role="tab"
          key={tab}
          id={`tab-${tab}`}
          aria-selected={tab === selected.tab}
          aria-controls="tabpanel"
          tabIndex={tab === selected.tab ? 0 : -1}
          onClick={() => replaceRoute(selectedHref(runId, { ...selected, tab, at: null }))}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
